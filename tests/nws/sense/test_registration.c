/* A sensor and its name server, over sockets of the loopback, played from both ends by one thread, in turn.
 */
#include "nws/sense/sensor.h"

#include <criterion/criterion.h>
#include <sys/socket.h>
#include <unistd.h>

#define GENEROUS 20.0 /* s, against hangs only */

static bool no_memory;

/* The program is linked with --wrap for it. */
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size) {
  return no_memory ? NULL : __real_calloc(count, size);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

typedef struct stage {
  int listening, peer; /* the name server's; -1: none */
  gb_sensor sensor;
} stage;

static void add(gb_sensor *s, const char *object) {
  gb_bytes bytes = {0};
  gb_put(&bytes, object, strlen(object));
  gb_registration_add(s, &bytes);
}

/* A sensor that has two objects to register and needs no memory. */
static void begin(stage *g) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof at;
  g->peer = -1;
  g->listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  cr_assert_eq(bind(g->listening, (struct sockaddr *)&at, sizeof at), 0);
  cr_assert_eq(listen(g->listening, 8), 0);
  cr_assert_eq(getsockname(g->listening, (struct sockaddr *)&at, &size), 0);
  gb_sensor *s = &g->sensor;
  s->base = event_base_new();
  s->name_server = (gb_nws_address){.host = "127.0.0.1", .port = ntohs(at.sin_port)};
  (void)snprintf(s->memory_name, sizeof s->memory_name, "m:8050");
  add(s, "name:a:1\tobjectclass:nwsHost\t\t");
  add(s, "name:b:1\tobjectclass:nwsHost\t\t");
  cr_assert(gb_registration_start(s));
}

static void end(stage *g) {
  gb_registration_stop(&g->sensor);
  event_base_free(g->sensor.base);
  (void)close(g->listening);
  if (g->peer >= 0)
    (void)close(g->peer);
}

static void turn(stage *g) {
  cr_assert_geq(event_base_loop(g->sensor.base, EVLOOP_NONBLOCK), 0);
  (void)poll(NULL, 0, 1);
}

static void meet(stage *g) {
  for (double limit = gb_clock_now() + GENEROUS; g->peer < 0 && gb_clock_now() < limit;) {
    turn(g);
    g->peer = accept(g->listening, NULL, NULL);
  }
  cr_assert_geq(g->peer, 0, "the sensor does not connect");
}

/* Waits for the next registration, of the object that begins so. */
static void hear(stage *g, const char *object) {
  unsigned char bytes[256];
  ssize_t size = -1;
  for (double limit = gb_clock_now() + GENEROUS; size < 0 && gb_clock_now() < limit;) {
    turn(g);
    size = recv(g->peer, bytes, sizeof bytes, MSG_DONTWAIT);
  }
  cr_assert_gt(size, GB_NWS_HEADER_BYTES + (ssize_t)strlen(object), "the sensor does not ask");
  cr_assert_arr_eq(bytes + GB_NWS_HEADER_BYTES, object, strlen(object));
}

static void confirm(stage *g) {
  gb_bytes reply = {0};
  gb_nws_encode(&reply, &(gb_nws_message){.number = GB_NWS_NS_REGISTERED});
  cr_assert_eq(send(g->peer, reply.data, reply.size, MSG_NOSIGNAL), (ssize_t)reply.size);
  gb_bytes_release(&reply);
}

/* A name server, or something before it, that serves one request a connection. */
Test(registration, pauses_when_a_connection_ends_after_an_answer) {
  static stage g;
  const gb_client *c = &g.sensor.to_name_server.client;
  begin(&g);
  for (uint32_t connection = 1; connection <= 3; connection++) {
    meet(&g);
    hear(&g, "name:a");
    confirm(&g);
    hear(&g, "name:b");
    const double before = gb_clock_now();
    (void)close(g.peer);
    g.peer = -1;
    while (c->state == GB_CLIENT_OPEN && c->connection == connection)
      turn(&g);
    cr_assert_eq(c->connection, connection, "it connects again at once");
    cr_assert_geq(c->resume, before + 0.25);
  }
  end(&g);
}

Test(registration, asks_again_when_there_is_memory_again) {
  static stage g;
  no_memory = true;
  begin(&g);
  for (int i = 0; i < 5; i++)
    turn(&g);
  no_memory = false;
  meet(&g);
  hear(&g, "name:a");
  no_memory = true; /* now for the request behind an answer */
  confirm(&g);
  while (g.sensor.to_name_server.asked)
    turn(&g);
  no_memory = false;
  hear(&g, "name:b");
  end(&g);
}
