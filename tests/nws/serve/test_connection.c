/* The loop of gbcast-nws serve: whoever can be served is, without waiting for something else to happen. */
#include "nws/serve/connection.h"
#include "tests/nws/serve/bench.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>

enum { REQUESTS = 300, RECORDS = 2000, REPLY = 12 + 152 + 32 * RECORDS };

/* Two ends of a connection over loopback. */
static void connect_pair(int *server, int *client) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof at;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  cr_assert_eq(bind(listener, (const struct sockaddr *)&at, size), 0);
  cr_assert_eq(listen(listener, 1), 0);
  cr_assert_eq(getsockname(listener, (struct sockaddr *)&at, &size), 0);
  *client = socket(AF_INET, SOCK_STREAM, 0);
  cr_assert_eq(connect(*client, (const struct sockaddr *)&at, size), 0);
  *server = accept(listener, NULL, NULL);
  cr_assert_geq(*server, 0);
  cr_assert_eq(evutil_make_socket_nonblocking(*server), 0);
  (void)close(listener);
}

/* The client takes what has come. */
static void take_some(evutil_socket_t client, short what, void *context) {
  static char bytes[1 << 16];
  (void)what;
  ssize_t n = recv(client, bytes, sizeof bytes, MSG_DONTWAIT);
  *(size_t *)context += n > 0 ? (size_t)n : 0;
}

static void give_up(evutil_socket_t file, short what, void *context) {
  (void)file;
  (void)what;
  *(bool *)context = true;
}

static void store_records(bench *b) {
  static char records[RECORDS * 32];
  memset(records, '1', sizeof records);
  gb_batch batch = {gb_view_of("a"), {NOW, NOW, 1e9}, 32, RECORDS, records};
  cr_assert(gb_store_put(&b->store, &batch, NOW));
}

/* More is asked for than sockets hold, and taken late: nothing but the client's taking wakes the loop. */
Test(serve_connection, goes_on_when_answers_are_taken, .timeout = 60) {
  bench b;
  gb_bytes requests = {0};
  int server, client;
  bool stuck = false;
  size_t got = 0;
  set_up(&b);
  store_records(&b);
  gb_nws_message fetch = {.number = GB_NWS_FETCH_STATE, .state = {.id = "a", .record_count = RECORDS}};
  for (int i = 0; i < REQUESTS; i++)
    gb_nws_encode(&requests, &fetch);
  gb_connections all = {.base = event_base_new(), .service = &b.service, .most = 10};
  TAILQ_INIT(&all.list);
  struct event *alarm = event_new(all.base, -1, 0, give_up, &stuck);
  cr_assert_eq(event_add(alarm, &(struct timeval){.tv_sec = 20}), 0);
  connect_pair(&server, &client);
  struct event *taker = event_new(all.base, client, EV_READ | EV_PERSIST, take_some, &got);
  gb_connection_open(&all, server, true);
  cr_assert_eq(send(client, requests.data, requests.size, 0), (ssize_t)requests.size);
  for (bool more = false, taking = false; got < (size_t)REQUESTS * REPLY && !stuck;) {
    (void)event_base_loop(all.base, EVLOOP_ONCE | (more ? EVLOOP_NONBLOCK : 0));
    gb_connections_work(&all);
    gb_connections_send(&all, true);
    more = gb_connections_have_work(&all);
    if (!taking && !more &&
        gb_session_output(&TAILQ_FIRST(&all.list)->session).length >= GB_SESSION_OUT_PAUSE)
      taking = event_add(taker, NULL) == 0;
    cr_assert_leq(b.service.held, 1 << 20);
  }
  cr_assert_not(stuck, "%zu of %d bytes", got, REQUESTS * REPLY);
  gb_connection_close(TAILQ_FIRST(&all.list));
  event_free(alarm);
  event_free(taker);
  event_base_free(all.base);
  (void)close(client);
  gb_bytes_release(&requests);
  tear_down(&b);
}

/* When the disk fails, nobody hears of what may not be on it, and whoever waits for nothing stays. */
Test(serve_connection, silent_when_the_disk_fails) {
  bench b;
  int server[2], client[2];
  char byte;
  set_up(&b);
  gb_connections all = {.base = event_base_new(), .service = &b.service, .most = 10};
  TAILQ_INIT(&all.list);
  for (int i = 0; i < 2; i++) {
    connect_pair(&server[i], &client[i]);
    gb_connection_open(&all, server[i], true);
  }
  take_vector(&TAILQ_FIRST(&all.list)->session, "05_store_req_sensor");
  gb_connections_work(&all);
  gb_connections_send(&all, false);
  cr_assert_eq(all.count, 1);
  cr_assert_leq(recv(client[1], &byte, 1, 0), 0);
  cr_assert(recv(client[0], &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN);
  gb_connection_close(TAILQ_FIRST(&all.list));
  event_base_free(all.base);
  (void)close(client[0]);
  (void)close(client[1]);
  tear_down(&b);
}
