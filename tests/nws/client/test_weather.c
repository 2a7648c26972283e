/* Live values from a weather service on the loopback, in looks of a few milliseconds, whatever the service
 * does. It is a process of its own, which answers as the world of nws_world.h and misbehaves. */
#include "nws/client/client.h"
#include "nws/client/socket.h"
#include "tests/support/nws/world.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CLOCK 1795228500.0
#define LOOK 0.05    /* s */
#define GENEROUS 5.0 /* s, for a machine that does something else */

enum manner { GOOD, DRIPS, SILENT, GARBAGE, CLOSES, ENDLESS, MANNERS };

static const char *ab[] = {"a.x:8060", "b.y:8060"};

/* Sends in the manner; false: hangs up. */
static bool send_all(int to, const gb_bytes *out, enum manner manner) {
  static const unsigned char garbage[65536] = "HTTP/1.1 200 OK";
  struct timespec nap = {.tv_nsec = 300000};
  if (manner == SILENT)
    return true;
  if (manner == GARBAGE)
    return send(to, garbage, sizeof garbage, MSG_NOSIGNAL) > 0;
  while (manner == ENDLESS)
    if (send(to, garbage, sizeof garbage, MSG_NOSIGNAL) < 0)
      return false;
  size_t step = manner == DRIPS ? 7 : out->size;
  for (size_t at = 0; at < out->size; at += step) {
    if (send(to, out->data + at, least(step, out->size - at), MSG_NOSIGNAL) < 0)
      return false;
    if (manner == DRIPS)
      (void)nanosleep(&nap, NULL);
  }
  return manner != CLOSES;
}

static void converse(int with, peer *p, enum manner manner) {
  unsigned char chunk[4096];
  gb_nws_address here = address("127.0.0.1:1");
  gb_bytes_clear(&p->in);
  for (ssize_t n; (n = recv(with, chunk, sizeof chunk, 0)) > 0;) {
    gb_put(&p->in, chunk, (size_t)n);
    gb_bytes_clear(&p->out);
    peer_think(p, &here);
    if (p->out.size > 0 && !send_all(with, &p->out, manner))
      break;
  }
  (void)close(with);
}

/* A name server and a memory at one port; returns the process that plays them. */
static pid_t start(enum manner manner, char source[64]) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof at;
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  cr_assert_eq(bind(listening, (struct sockaddr *)&at, sizeof at), 0);
  cr_assert_eq(listen(listening, 16), 0);
  cr_assert_eq(getsockname(listening, (struct sockaddr *)&at, &size), 0);
  (void)snprintf(source, 64, "nws://127.0.0.1:%u", (unsigned)ntohs(at.sin_port));
  pid_t child = fork();
  if (child == 0) {
    world w = {0};
    world_series *s = world_add(&w, "lat", ab, "latencyTcp", source + strlen("nws://"), "");
    s->memory = "127.0.0.1:1"; /* as converse() calls itself */
    for (int i = 0; i < 60; i++)
      world_measure(s, CLOCK - 600 + 10 * i, 12);
    peer p = world_peer(&w);
    for (int with; (with = accept(listening, NULL, NULL)) >= 0;)
      converse(with, &p, manner);
    _exit(0);
  }
  cr_assert_gt(child, 0);
  (void)close(listening);
  return child;
}

static void stop(pid_t child) {
  (void)kill(child, SIGKILL);
  (void)waitpid(child, NULL, 0);
}

/* One look; whether there were values. */
static bool look(gb_nws_weather *w, double clock, gbcast_error *err) {
  gb_live live = {.source = "test"};
  double start = gb_clock_now();
  int status = gb_nws_weather_look(w, LOOK, clock, &live, err);
  cr_assert_lt(gb_clock_now() - start, LOOK + GENEROUS);
  cr_assert_eq(status == GBCAST_OK, live.count > 0);
  if (live.count > 0) {
    cr_assert_eq(live.count, 1);
    cr_assert_float_eq(live.value[0].latency, 6e-3, 1e-9);
    cr_assert_float_eq(live.value[0].age, clock - (CLOCK - 10), 1e-6);
    cr_assert_str_eq(live.value[0].from, "a.x:8060");
  }
  gb_live_release(&live);
  return status == GBCAST_OK;
}

Test(nws_weather, looks) {
  for (enum manner manner = GOOD; manner < MANNERS; manner++) {
    char source[64];
    pid_t child = start(manner, source);
    gb_nws_weather *w = NULL;
    gbcast_error err = {""};
    cr_assert_eq(gb_nws_weather_open(source, NULL, NULL, &w, &err), GBCAST_OK, "%s", err.message);
    bool found = false;
    for (uint32_t i = 0; i < (manner == GOOD || manner == DRIPS ? 400 : 6) && !found; i++)
      found = look(w, CLOCK + i, &err);
    cr_assert_eq(found, manner == GOOD || manner == DRIPS || manner == CLOSES, "%d: %s", (int)manner,
                 err.message);
    stop(child);
    if (found) { /* what is known is known, and older */
      cr_assert(look(w, CLOCK + 1000, &err));
      cr_assert(look(w, CLOCK + 2000, &err));
      cr_assert_not_null(strstr(gb_nws_weather_trouble(w), "refused"), "%s", gb_nws_weather_trouble(w));
    } else {
      cr_assert_neq(err.message[0], '\0');
    }
    gb_nws_weather_close(w);
  }
}

/* One byte a look could go on for ever. */
Test(nws_weather, a_round_that_does_not_end_is_given_up) {
  char source[64];
  pid_t child = start(SILENT, source);
  gb_nws_weather *w = NULL;
  gb_live live = {.source = "test"};
  gbcast_error err = {""};
  uint32_t looks = 0;
  cr_assert_eq(gb_nws_weather_open(source, NULL, NULL, &w, &err), GBCAST_OK);
  for (; strstr(err.message, "too slowly") == NULL && looks < 1000; looks++)
    cr_assert_eq(gb_nws_weather_look(w, 0, CLOCK, &live, &err), GBCAST_EINPUT);
  cr_assert_eq(looks, 101, "%s", err.message);
  cr_assert_eq(gb_nws_weather_look(w, 0, CLOCK, &live, &err), GBCAST_EINPUT);
  cr_assert(strstr(err.message, "not everything has come in time") != NULL, "%s", err.message);
  gb_nws_weather_close(w);
  stop(child);
}

Test(nws_weather, sources) {
  static const char *const bad[] = {"",          "nws://",    "nws:/host", "http://host", "nws://host:0",
                                    "nws://a b", "nws://:80", "nws:///",   "nws://h/x",   "host"};
  gb_nws_weather *w = NULL;
  gbcast_error err;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    cr_assert_eq(gb_nws_weather_open(bad[i], NULL, NULL, &w, &err), GBCAST_EUSAGE, "%s", bad[i]);
    cr_assert(strstr(err.message, "expected nws://HOST[:PORT]") != NULL, "%s", err.message);
  }
  static const char *const good[] = {"nws://host", "nws://10.0.0.1:8090/", "nws://Host.Example:1"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    cr_assert_eq(gb_nws_weather_open(good[i], NULL, NULL, &w, &err), GBCAST_OK, "%s", err.message);
    gb_nws_weather_close(w);
  }
}
