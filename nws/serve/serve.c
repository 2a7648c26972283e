#include "nws/serve/serve.h"

#include "nws/client/client.h"
#include "nws/serve/connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define HELD_MOST ((size_t)256 << 20) /* bytes in the buffers of all connections */
#define OWN_FILES 64u                 /* descriptors that are not connections, with some to spare */
#define WANTED_CONNECTIONS 500u
#define ACCEPTS_A_TURN 64

enum { NAME_SERVER, MEMORY, DOORS };

typedef struct server server;

typedef struct door { /* where clients come in */
  server *server;
  int file;
  uint16_t port;
  struct event *event;
} door;

struct server {
  const gb_serve_options *options;
  FILE *report;
  gb_depot depot;
  gb_machine machine;
  gb_bytes own;
  gb_service service;
  gb_connections connections;
  struct event_base *base;
  struct event *tick, *interrupt, *terminate;
  door doors[DOORS];
  bool stops, told_refusal;
};

/* A socket for each client, up to the hard limit. */
static size_t connections_most(FILE *report) {
  struct rlimit limit = {0};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    limit.rlim_cur = 1024;
  rlim_t soft = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
    limit.rlim_cur = soft;
  size_t most = limit.rlim_cur > 65536 ? 65536 : (size_t)limit.rlim_cur;
  most = most > OWN_FILES ? most - OWN_FILES : 1;
  if (most < WANTED_CONNECTIONS)
    fprintf(report, "gbcast-nws: only %zu clients at a time, as few files may be open; raise 'ulimit -n'\n",
            most);
  return most;
}

static bool may_enter(server *s, int file, const struct sockaddr_in *peer) {
  struct sockaddr_in own = {0};
  socklen_t size = sizeof own;
  if (getsockname(file, (struct sockaddr *)&own, &size) != 0)
    return false;
  if (gb_may_connect(s->options->allowed, s->options->allowed_count, ntohl(peer->sin_addr.s_addr),
                     ntohl(own.sin_addr.s_addr)))
    return true;
  char text[INET_ADDRSTRLEN] = "";
  (void)inet_ntop(AF_INET, &peer->sin_addr, text, sizeof text);
  if (!s->told_refusal)
    fprintf(s->report, "gbcast-nws: refused %s; --allow=%s lets it in (further ones are refused silently)\n",
            text, text);
  s->told_refusal = true;
  return false;
}

static void on_client(evutil_socket_t listener, short what, void *context) {
  door *d = context;
  (void)what;
  for (int i = 0; i < ACCEPTS_A_TURN; i++) {
    struct sockaddr_in peer = {0};
    socklen_t size = sizeof peer;
    int file = accept(listener, (struct sockaddr *)&peer, &size);
    if (file < 0) {
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
        (void)event_del(d->event); /* until the next tick, instead of asking without end */
      return;
    }
    if (may_enter(d->server, file, &peer))
      gb_connection_open(&d->server->connections, file, d == &d->server->doors[MEMORY]);
    else
      (void)close(file);
  }
}

static void on_tick(evutil_socket_t file, short what, void *context) {
  server *s = context;
  (void)file;
  (void)what;
  gb_connections_tick(&s->connections);
  gb_registry_expire(&s->depot.registry, gb_clock_wall());
  for (int i = 0; i < DOORS; i++)
    (void)event_add(s->doors[i].event, NULL);
}

static void on_signal(evutil_socket_t number, short what, void *context) {
  (void)number;
  (void)what;
  ((server *)context)->stops = true;
}

static int open_doors(server *s, gbcast_error *err) {
  static const char *const option[] = {"--ns-port", "--memory-port"};
  int status = gb_machine_find(s->options->listen, &s->machine, err);
  for (int i = 0; i < DOORS && status == GBCAST_OK; i++) {
    s->doors[i].file = gb_listen(&s->machine, &s->doors[i].port, option[i], err);
    status = s->doors[i].file < 0 ? GBCAST_EINPUT : GBCAST_OK;
  }
  return status;
}

static struct event *added(struct event *event, const struct timeval *period) {
  if (event != NULL && event_add(event, period) != 0) {
    event_free(event);
    return NULL;
  }
  return event;
}

static bool make_events(server *s) {
  const struct timeval second = {.tv_sec = 1};
  bool made = (s->base = event_base_new()) != NULL;
  for (int i = 0; made && i < DOORS; i++) {
    door *d = &s->doors[i];
    made = evutil_make_socket_nonblocking(d->file) == 0 && evutil_make_socket_closeonexec(d->file) == 0;
    d->event = made ? added(event_new(s->base, d->file, EV_READ | EV_PERSIST, on_client, d), NULL) : NULL;
    made = d->event != NULL;
  }
  if (!made)
    return false;
  s->tick = added(event_new(s->base, -1, EV_PERSIST, on_tick, s), &second);
  s->interrupt = added(evsignal_new(s->base, SIGINT, on_signal, s), NULL);
  s->terminate = added(evsignal_new(s->base, SIGTERM, on_signal, s), NULL);
  return s->tick != NULL && s->interrupt != NULL && s->terminate != NULL;
}

/* A write to a file that may not grow, or to nobody, is an error like others. */
static bool ignore_signals(void) {
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  return sigaction(SIGPIPE, &ignore, NULL) == 0 && sigaction(SIGXFSZ, &ignore, NULL) == 0;
}

static int start(server *s, gbcast_error *err) {
  const gb_serve_options *o = s->options;
  int status = open_doors(s, err);
  if (status == GBCAST_OK)
    status = gb_depot_open(&s->depot, o->folder, &o->limits, gb_clock_wall(), s->report, err);
  if (status != GBCAST_OK)
    return status;
  s->service = (gb_service){.depot = &s->depot, .held_most = HELD_MOST};
  gb_host_name(s->service.name_server, &s->machine, s->doors[NAME_SERVER].port);
  gb_host_name(s->service.memory, &s->machine, s->doors[MEMORY].port);
  gb_host_object(&s->own, "memory", s->service.memory, &s->machine, s->doors[MEMORY].port);
  if (s->own.failed || !make_events(s) || !ignore_signals())
    return gb_no_memory(err);
  s->service.own = (gb_text){(const char *)s->own.data, s->own.size};
  s->connections =
      (gb_connections){.base = s->base, .service = &s->service, .most = connections_most(s->report)};
  return GBCAST_OK;
}

static int run(server *s, gbcast_error *err) {
  for (bool more = false; !s->stops;) {
    if (event_base_loop(s->base, EVLOOP_ONCE | (more ? EVLOOP_NONBLOCK : 0)) < 0)
      return gb_fail(err, GBCAST_EINPUT, "cannot wait for events: %s", strerror(errno));
    gb_connections_work(&s->connections);
    double now = gb_clock_wall();
    gb_connections_send(&s->connections, gb_depot_commit(&s->depot, now));
    more = gb_connections_have_work(&s->connections) || gb_depot_is_busy(&s->depot, now);
  }
  return GBCAST_OK;
}

static void free_event(struct event *event) {
  if (event != NULL)
    event_free(event);
}

static void stop(server *s) {
  while (s->connections.newest != NULL)
    gb_connection_close(s->connections.newest);
  free_event(s->tick);
  free_event(s->interrupt);
  free_event(s->terminate);
  for (int i = 0; i < DOORS; i++) {
    free_event(s->doors[i].event);
    if (s->doors[i].file >= 0)
      (void)close(s->doors[i].file);
  }
  if (s->base != NULL)
    event_base_free(s->base);
  gb_depot_close(&s->depot);
  gb_bytes_release(&s->own);
}

int gb_serve(const gb_serve_options *options, FILE *out, FILE *report, gbcast_error *err) {
  server s = {.options = options,
              .report = report,
              .depot.log = {.folder = -1, .lock = -1, .file = -1},
              .doors = {{&s, -1, options->name_server_port, NULL}, {&s, -1, options->memory_port, NULL}}};
  int status = start(&s, err);
  if (status == GBCAST_OK) {
    fprintf(out, "gbcast-nws: name server at %s, memory at %s, data in %s\n", s.service.name_server,
            s.service.memory, options->folder);
    status = fflush(out) == 0
                 ? run(&s, err)
                 : gb_fail(err, GBCAST_EINPUT, "cannot write to standard output: %s", strerror(errno));
  }
  stop(&s);
  return status;
}
