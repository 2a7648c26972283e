/* The wide-area links of a grid where the kernel has no netem: carries packets between TUN devices in network
 * namespaces, all links in one process.
 *
 *     grid-wan LINKS
 *
 * LINKS is as in ways.h. Prints a line when it carries packets. SIGHUP reads LINKS again; SIGTERM ends it,
 * and it tells what each way carried. */
#define _GNU_SOURCE
#include "ways.h"

#include <event2/event.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum {
  LONGEST = 2048, /* bytes; the devices' packets have 1500 */
  BURST = 64,     /* packets that are read before others have their turn */
  REST = 50000    /* ns between two rounds: one waking serves several packets at high rates */
};

typedef struct carrier {
  const char *path;
  ways ways;
  struct entrance *entrances; /* as many */
  struct event_base *base;
  int timer;
  uint64_t armed, late;
} carrier;

typedef struct entrance { /* what an event of one way needs */
  carrier *carrier;
  route *route;
} entrance;

static uint64_t clock_ns(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t); /* cannot fail */
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void arm(carrier *c, uint64_t due) {
  if (due >= c->armed)
    return;
  struct itimerspec at = {.it_value = {(time_t)(due / 1000000000u), (long)(due % 1000000000u)}};
  if (timerfd_settime(c->timer, TFD_TIMER_ABSTIME, &at, NULL) != 0)
    perror("grid-wan: timer");
  c->armed = due;
}

static void take(evutil_socket_t fd, short what, void *context) {
  (void)what;
  entrance *e = context;
  unsigned char data[LONGEST];
  ssize_t length;
  for (int i = 0; i < BURST && (length = read(fd, data, sizeof data)) > 0; i++)
    if (!way_take(&e->route->way, data, (size_t)length, clock_ns()))
      e->route->way.dropped++;
  arm(e->carrier, way_next(&e->route->way));
}

static void give(evutil_socket_t fd, short what, void *context) {
  (void)what;
  carrier *c = context;
  uint64_t times, next = WAY_FOREVER, now = clock_ns();
  if (read(fd, &times, sizeof times) < 0)
    return; /* was set to a later time meanwhile */
  for (size_t i = 0; i < c->ways.count; i++) {
    route *r = &c->ways.route[i];
    for (packet *p; (p = way_give(&r->way, now)) != NULL; free(p)) {
      c->late = now - p->due > c->late ? now - p->due : c->late;
      if (write(r->out, p->data, p->length) < 0) /* the device is down, or its queue full */
        r->way.dropped++;
    }
    uint64_t due = way_next(&r->way);
    next = due < next ? due : next;
  }
  c->armed = WAY_FOREVER;
  if (next != WAY_FOREVER)
    arm(c, next > now + REST ? next : now + REST);
}

static void stop(evutil_socket_t number, short what, void *context) {
  (void)number, (void)what;
  (void)event_base_loopbreak(((carrier *)context)->base);
}

static void change(evutil_socket_t number, short what, void *context) {
  (void)number, (void)what;
  carrier *c = context;
  if (ways_change(&c->ways, c->path))
    printf("changed\n");
  (void)fflush(stdout);
}

static void tell(const carrier *c) {
  for (size_t i = 0; i < c->ways.count; i++) {
    const route *r = &c->ways.route[i];
    printf("%s %s: %" PRIu64 " packets, %" PRIu64 " bytes, %" PRIu64 " dropped, %" PRIu64 " lost\n",
           r->from.space, r->from.device, r->way.packets, r->way.bytes, r->way.dropped, r->way.lost);
  }
  printf("latest by %" PRIu64 " us\n", c->late / 1000);
}

static bool listen_to(carrier *c, evutil_socket_t fd, short what, event_callback_fn call, void *context) {
  struct event *e = event_new(c->base, fd, (short)(what | EV_PERSIST), call, context);
  return e != NULL && event_add(e, NULL) == 0; /* until the process ends */
}

static bool prepare(carrier *c) {
  c->base = event_base_new();
  c->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  c->entrances = calloc(c->ways.count, sizeof *c->entrances);
  bool fine = c->base != NULL && c->timer >= 0 && c->entrances != NULL &&
              listen_to(c, c->timer, EV_READ, give, c) && listen_to(c, SIGTERM, EV_SIGNAL, stop, c) &&
              listen_to(c, SIGINT, EV_SIGNAL, stop, c) && listen_to(c, SIGHUP, EV_SIGNAL, change, c);
  for (size_t i = 0; fine && i < c->ways.count; i++) {
    c->entrances[i] = (entrance){c, &c->ways.route[i]};
    fine = listen_to(c, c->ways.route[i].in, EV_READ, take, &c->entrances[i]);
  }
  if (!fine)
    perror("grid-wan");
  return fine;
}

static int carry(carrier *c) {
  /* Ranks that poll must not keep packets waiting. */
  struct sched_param priority = {.sched_priority = 10};
  if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0)
    perror("grid-wan: no priority, delays may be longer");
  printf("carrying packets\n");
  (void)fflush(stdout);
  int status = event_base_dispatch(c->base);
  tell(c);
  return status < 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: grid-wan LINKS\n");
    return 2;
  }
  carrier c = {.path = argv[1], .armed = WAY_FOREVER};
  if (!ways_read(c.path, &c.ways) || !ways_open(&c.ways))
    return 1;
  int status = prepare(&c) ? carry(&c) : 1;
  free(c.entrances);
  return status;
}
