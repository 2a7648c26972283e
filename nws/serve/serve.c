#include "nws/serve/serve.h"

#include "nws/client/client.h"
#include "nws/serve/connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/listener.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define HELD_MOST ((size_t)256 << 20) /* bytes in the buffers of all connections */
#define OWN_FILES 64u                 /* descriptors that are not connections, with some to spare */
#define WANTED_CONNECTIONS 500u

enum { NAME_SERVER, MEMORY, LISTENERS };

typedef struct server server;

typedef struct listener {
  server *server;
  uint16_t port;
  struct evconnlistener *socket;
} listener;

struct server {
  const gb_serve_options *options;
  FILE *report;
  gb_store store;
  gb_machine machine;
  gb_bytes own;
  gb_service service;
  gb_connections connections;
  struct event_base *base;
  struct event *tick, *interrupt, *terminate;
  listener listeners[LISTENERS];
  bool stops, told_refusal;
};

/* One connection for each descriptor that the hard limit allows. */
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

static bool may_enter(server *s, const struct sockaddr_in *peer) {
  if (gb_may_connect(s->options->allowed, s->options->allowed_count, ntohl(peer->sin_addr.s_addr)))
    return true;
  char text[INET_ADDRSTRLEN] = "";
  (void)inet_ntop(AF_INET, &peer->sin_addr, text, sizeof text);
  if (!s->told_refusal)
    fprintf(s->report, "gbcast-nws: refused %s; --allow=%s lets it in (further ones are refused silently)\n",
            text, text);
  s->told_refusal = true;
  return false;
}

static void on_client(struct evconnlistener *socket, evutil_socket_t file, struct sockaddr *peer, int size,
                      void *context) {
  listener *l = context;
  struct sockaddr_in from;
  (void)socket;
  (void)size;
  memcpy(&from, peer, sizeof from);
  if (may_enter(l->server, &from))
    gb_connection_open(&l->server->connections, file, l == &l->server->listeners[MEMORY]);
  else
    (void)close(file);
}

/* Too many open files, or no memory: the loop would spin until the next tick. */
static void on_refusal(struct evconnlistener *socket, void *context) {
  (void)context;
  (void)evconnlistener_disable(socket);
}

static void on_tick(evutil_socket_t file, short what, void *context) {
  server *s = context;
  (void)file;
  (void)what;
  gb_connections_tick(&s->connections);
  gb_nws_registry_expire(&s->store.registry, gb_clock_wall());
  for (int i = 0; i < LISTENERS; i++)
    (void)evconnlistener_enable(s->listeners[i].socket);
}

static void on_signal(evutil_socket_t number, short what, void *context) {
  (void)number;
  (void)what;
  ((server *)context)->stops = true;
}

static int open_listeners(server *s, gbcast_error *err) {
  static const char *const option[] = {"--ns-port", "--memory-port"};
  int status = gb_machine_find(s->options->listen, &s->machine, err);
  for (int i = 0; i < LISTENERS && status == GBCAST_OK; i++) {
    listener *l = &s->listeners[i];
    int file = gb_listen(&s->machine, &l->port, option[i], err);
    if (file < 0)
      return GBCAST_EINPUT;
    l->socket =
        evconnlistener_new(s->base, on_client, l, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, file);
    if (l->socket == NULL) {
      (void)close(file);
      return gb_no_memory(err);
    }
    evconnlistener_set_error_cb(l->socket, on_refusal);
  }
  return status;
}

static bool make_events(server *s) {
  const struct timeval second = {.tv_sec = 1};
  s->tick = event_new(s->base, -1, EV_PERSIST, on_tick, s);
  s->interrupt = evsignal_new(s->base, SIGINT, on_signal, s);
  s->terminate = evsignal_new(s->base, SIGTERM, on_signal, s);
  return s->tick != NULL && s->interrupt != NULL && s->terminate != NULL &&
         event_add(s->tick, &second) == 0 && event_add(s->interrupt, NULL) == 0 &&
         event_add(s->terminate, NULL) == 0;
}

/* A write beyond a file size limit, or to a closed socket, then returns an error like any other. */
static bool ignore_signals(void) {
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  return sigaction(SIGPIPE, &ignore, NULL) == 0 && sigaction(SIGXFSZ, &ignore, NULL) == 0;
}

static int start(server *s, gbcast_error *err) {
  const gb_serve_options *o = s->options;
  s->base = event_base_new();
  int status = s->base != NULL && ignore_signals() ? open_listeners(s, err) : gb_no_memory(err);
  if (status == GBCAST_OK)
    status = gb_store_open(&s->store, o->folder, &o->limits, gb_clock_wall(), s->report, err);
  if (status != GBCAST_OK)
    return status;
  s->service = (gb_service){.store = &s->store, .held_most = HELD_MOST};
  gb_host_name(s->service.name_server, &s->machine, s->listeners[NAME_SERVER].port);
  gb_host_name(s->service.memory, &s->machine, s->listeners[MEMORY].port);
  gb_host_object(&s->own, "memory", s->service.memory, &s->machine, s->listeners[MEMORY].port);
  if (s->own.failed || !make_events(s))
    return gb_no_memory(err);
  s->service.own = gb_bytes_view(&s->own);
  s->connections =
      (gb_connections){.base = s->base, .service = &s->service, .most = connections_most(s->report)};
  TAILQ_INIT(&s->connections.list);
  return GBCAST_OK;
}

static int run(server *s, gbcast_error *err) {
  for (bool more = false; !s->stops;) {
    if (event_base_loop(s->base, EVLOOP_ONCE | (more ? EVLOOP_NONBLOCK : 0)) < 0)
      return gb_fail(err, GBCAST_EINPUT, "cannot wait for events: %s", strerror(errno));
    gb_connections_work(&s->connections);
    double now = gb_clock_wall();
    gb_connections_send(&s->connections, gb_store_commit(&s->store, now));
    more = gb_connections_have_work(&s->connections) || gb_store_is_busy(&s->store, now);
  }
  return GBCAST_OK;
}

static void free_event(struct event *event) {
  if (event != NULL)
    event_free(event);
}

static void stop(server *s) {
  for (gb_connection *c = TAILQ_FIRST(&s->connections.list), *next; c != NULL; c = next) {
    next = TAILQ_NEXT(c, others);
    gb_connection_close(c);
  }
  free_event(s->tick);
  free_event(s->interrupt);
  free_event(s->terminate);
  for (int i = 0; i < LISTENERS; i++)
    if (s->listeners[i].socket != NULL)
      evconnlistener_free(s->listeners[i].socket);
  if (s->base != NULL)
    event_base_free(s->base);
  gb_store_close(&s->store);
  gb_bytes_release(&s->own);
}

int gb_serve(const gb_serve_options *options, FILE *out, FILE *report, gbcast_error *err) {
  server s = {.options = options,
              .report = report,
              .store.log = {.folder = -1, .lock = -1, .file = -1},
              .listeners = {{&s, options->name_server_port, NULL}, {&s, options->memory_port, NULL}}};
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
