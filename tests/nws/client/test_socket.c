/* The client over real sockets of the loopback, played from both ends by one thread, in turn. Times are only
 * bounded from above, and generously. */
#include "nws/client/socket.h"

#include "tests/support/nws/peer.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SOON 0.005   /* s, a turn of the client */
#define GENEROUS 5.0 /* s: longer than any turn may take, whatever else the machine does */

typedef struct stage {
  int listening, peer; /* -1: none */
  gb_client client;
  gb_socket socket;
  gb_nws_address to;
  uint32_t answers, replies;
  char why[512];
} stage;

static void answer(void *context, const gb_nws_message *reply, const char *why) {
  stage *s = context;
  s->answers++;
  s->replies += reply != NULL;
  (void)snprintf(s->why, sizeof s->why, "%s", why != NULL ? why : "");
}

static void begin(stage *s, const char *host, int backlog) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof at;
  *s = (stage){.listening = socket(AF_INET, SOCK_STREAM, 0), .peer = -1};
  cr_assert_eq(bind(s->listening, (struct sockaddr *)&at, sizeof at), 0);
  if (backlog >= 0)
    cr_assert_eq(listen(s->listening, backlog), 0);
  cr_assert_eq(getsockname(s->listening, (struct sockaddr *)&at, &size), 0);
  (void)snprintf(s->to.host, sizeof s->to.host, "%s", host);
  s->to.port = ntohs(at.sin_port);
  gb_client_init(&s->client, 0.3, NULL, NULL);
  gb_socket_init(&s->socket, &s->client);
}

static void end(stage *s) {
  gb_socket_release(&s->socket);
  gb_client_forget(&s->client);
  (void)close(s->listening);
  if (s->peer >= 0)
    (void)close(s->peer);
}

static void ask(stage *s, const char *request) {
  gb_bytes bytes = vector(request);
  gb_nws_message m = decoded(&bytes);
  cr_assert(gb_client_ask(&s->client, &s->to, &m, answer, s));
  gb_bytes_release(&bytes);
}

static bool turn(stage *s, double seconds) {
  double start = gb_clock_now();
  bool idle = gb_sockets_serve(&s->socket, 1, start + seconds);
  cr_assert_lt(gb_clock_now() - start, seconds + GENEROUS);
  return idle;
}

/* Lets the client connect, and takes what it asks. */
static void hear(stage *s, const char *request) {
  gb_bytes bytes = vector(request);
  unsigned char heard[512];
  size_t size = 0;
  (void)turn(s, SOON);
  s->peer = accept(s->listening, NULL, NULL);
  cr_assert_geq(s->peer, 0);
  while (size < bytes.size) {
    (void)turn(s, SOON);
    ssize_t n = recv(s->peer, heard + size, bytes.size - size, 0);
    cr_assert_gt(n, 0);
    size += (size_t)n;
  }
  cr_assert_eq(memcmp(heard, bytes.data, size), 0);
  gb_bytes_release(&bytes);
}

static void say(stage *s, const void *bytes, size_t size) {
  cr_assert_eq(send(s->peer, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
}

static uint32_t open_files(void) {
  uint32_t count = 0;
  DIR *d = opendir("/proc/self/fd");
  while (readdir(d) != NULL)
    count++;
  (void)closedir(d);
  return count;
}

Test(nws_socket, a_dialogue_byte_by_byte) {
  uint32_t files = open_files();
  stage s;
  begin(&s, "127.0.0.1", 8);
  gb_bytes reply = vector("08_state_fetched_rep");
  ask(&s, "07_fetch_req");
  hear(&s, "07_fetch_req");
  for (size_t i = 0; i < reply.size; i++) {
    cr_assert_eq(s.answers, 0);
    cr_assert(!turn(&s, 0));
    say(&s, reply.data + i, 1);
    if (i % 50 == 0)
      (void)turn(&s, SOON);
  }
  cr_assert(turn(&s, GENEROUS));
  cr_assert_eq(s.replies, 1);
  cr_assert_eq(s.socket.fd, -1); /* hung up */
  gb_bytes_release(&reply);
  end(&s);
  cr_assert_eq(open_files(), files);
}

Test(nws_socket, what_is_unfinished_goes_on_at_the_next_call) {
  stage s;
  begin(&s, "127.0.0.1", 8);
  gb_bytes reply = vector("08_state_fetched_rep");
  ask(&s, "07_fetch_req");
  hear(&s, "07_fetch_req");
  say(&s, reply.data, 100);
  (void)turn(&s, SOON);
  say(&s, reply.data + 100, reply.size - 100);
  (void)nanosleep(&(struct timespec){.tv_nsec = 400000000},
                  NULL); /* longer than the patience, away from here: what came meanwhile is taken first */
  cr_assert(turn(&s, GENEROUS));
  cr_assert_eq(s.replies, 1, "%s", s.why);
  gb_bytes_release(&reply);
  end(&s);
}

Test(nws_socket, nobody_listens) {
  stage s;
  begin(&s, "127.0.0.1", -1);
  const uint32_t files = open_files();
  ask(&s, "07_fetch_req");
  ask(&s, "07_fetch_req");
  cr_assert(turn(&s, GENEROUS));
  cr_assert_eq(s.answers, 2);
  cr_assert(strstr(s.why, "refused") != NULL, "%s", s.why);
  cr_assert_eq(open_files(), files, "a socket is left");
  end(&s);
}

/* connect() itself fails: a broadcast address is no host. */
Test(nws_socket, an_address_that_cannot_be_dialled) {
  stage s;
  begin(&s, "255.255.255.255", -1);
  const uint32_t files = open_files();
  ask(&s, "07_fetch_req");
  ask(&s, "07_fetch_req");
  cr_assert(turn(&s, GENEROUS));
  cr_assert_eq(s.answers, 2);
  cr_assert(strstr(s.why, "unreachable") != NULL, "%s", s.why);
  cr_assert_eq(open_files(), files, "a socket is left");
  end(&s);
}

Test(nws_socket, a_silent_peer_takes_no_more_than_the_call_and_ends_by_patience) {
  stage s;
  begin(&s, "127.0.0.1", 8);
  ask(&s, "07_fetch_req");
  uint32_t turns = 0;
  while (!turn(&s, 0.05))
    cr_assert_lt(++turns, 1000);
  cr_assert_geq(turns, 2);
  cr_assert_eq(s.answers, 1);
  cr_assert(strstr(s.why, "no answer within") != NULL, "%s", s.why);
  end(&s);
}

/* A full queue of connections: the system drops further ones, as a network that is gone does. */
Test(nws_socket, a_connection_that_never_comes) {
  stage s;
  int filler[8];
  begin(&s, "127.0.0.1", 0);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(s.to.port)};
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (size_t i = 0; i < 8; i++) {
    filler[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    (void)connect(filler[i], (struct sockaddr *)&at, sizeof at);
  }
  ask(&s, "07_fetch_req");
  cr_assert(!turn(&s, SOON));
  cr_assert(turn(&s, GENEROUS));
  cr_assert(strstr(s.why, "no connection within") != NULL, "%s", s.why);
  for (size_t i = 0; i < 8; i++)
    (void)close(filler[i]);
  end(&s);
}

static void reset(stage *s) {
  struct linger now = {1, 0};
  (void)setsockopt(s->peer, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  (void)close(s->peer);
  s->peer = -1;
}

/* `half_closed`: it closes its end before, and the system calls that a broken pipe. */
static void reset_within_a_request(bool half_closed, int reason) {
  stage s;
  begin(&s, "127.0.0.1", 8);
  gb_client_init(&s.client, 5, NULL, NULL);
  char *names = calloc(1, 30 << 20);
  memset(names, 'n', (30 << 20) - 1);
  gb_nws_message big = {.number = GB_NWS_AUTOFETCH_BEGIN, .text = {names, (30 << 20) - 1}};
  cr_assert(gb_client_ask(&s.client, &s.to, &big, answer, &s));
  for (uint32_t i = 0; i < 20; i++)
    cr_assert(!turn(&s, SOON)); /* until nothing more goes */
  s.peer = accept(s.listening, NULL, NULL);
  if (half_closed)
    cr_assert_eq(shutdown(s.peer, SHUT_WR), 0);
  reset(&s);
  cr_assert(turn(&s, GENEROUS));
  cr_assert_eq(s.answers, 1);
  cr_assert_eq(s.replies, 0);
  cr_assert(strstr(s.why, strerror(reason)) != NULL, "%s", s.why);
  free(names);
  end(&s);
}

Test(nws_socket, a_peer_that_resets_the_connection_in_the_middle_of_a_request) {
  reset_within_a_request(false, ECONNRESET);
}

/* Sending into it would end a program that leaves SIGPIPE as it is. */
Test(nws_socket, a_broken_pipe_is_no_signal) {
  (void)signal(SIGPIPE, SIG_DFL);
  reset_within_a_request(true, EPIPE);
}

Test(nws_socket, names) {
  stage s;
  gb_bytes reply = vector("09_memory_failed_rep");
  begin(&s, "localhost", 8);
  gb_client_init(&s.client, 5, NULL, NULL);
  ask(&s, "07_fetch_req");
  for (uint32_t i = 0; s.socket.fd < 0; i++) {
    (void)turn(&s, SOON);
    cr_assert_lt(i, 1000);
  }
  hear(&s, "07_fetch_req");
  say(&s, reply.data, reply.size);
  cr_assert(turn(&s, GENEROUS));
  cr_assert_eq(s.replies, 1);
  gb_bytes_release(&reply);
  end(&s);
}

/* However long the resolver takes: the call ends in time, and releasing the socket waits for nobody. */
Test(nws_socket, a_name_that_nobody_knows) {
  stage s;
  begin(&s, "no-such-host.invalid", 8);
  ask(&s, "07_fetch_req");
  (void)turn(&s, 0);
  cr_assert(turn(&s, GENEROUS));
  cr_assert_eq(s.answers, 1);
  cr_assert_eq(s.replies, 0);
  ask(&s, "07_fetch_req");
  (void)turn(&s, 0);
  end(&s);
}

Test(nws_socket, several_at_once) {
  stage s[3];
  gb_socket sockets[3];
  gb_bytes reply = vector("09_memory_failed_rep");
  for (size_t i = 0; i < 3; i++) {
    begin(&s[i], "127.0.0.1", 8);
    gb_socket_init(&sockets[i], &s[i].client);
    ask(&s[i], "07_fetch_req");
  }
  cr_assert(!gb_sockets_serve(sockets, 3, gb_clock_now() + SOON));
  for (size_t i = 0; i < 3; i++) {
    s[i].peer = accept(s[i].listening, NULL, NULL);
    if (i != 1) /* which stays silent */
      say(&s[i], reply.data, reply.size);
  }
  cr_assert(gb_sockets_serve(sockets, 3, gb_clock_now() + GENEROUS));
  cr_assert(s[0].replies == 1 && s[1].replies == 0 && s[1].answers == 1 && s[2].replies == 1);
  for (size_t i = 0; i < 3; i++) {
    gb_socket_release(&sockets[i]);
    end(&s[i]);
  }
  gb_bytes_release(&reply);
}
