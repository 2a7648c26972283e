#include "nws/client/socket.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CHUNK = 16384, RESOLVE_MS = 2 }; /* bytes of one read; between two looks at the resolver */

void gb_socket_init(gb_socket *s, gb_client *client) {
  *s = (gb_socket){.client = client, .fd = -1};
}

static void hang_up(gb_socket *s) {
  if (s->fd >= 0)
    (void)close(s->fd);
  s->fd = -1;
  s->connecting = false;
}

void gb_socket_release(gb_socket *s) {
  hang_up(s);
  if (s->resolver != NULL)
    gb_resolver_drop(s->resolver);
  s->resolver = NULL;
}

static void closed(gb_socket *s, int reason) {
  char text[128];
  const char *why = "the connection was closed before an answer";
  hang_up(s);
  if (reason != 0)
    why = strerror_r(reason, text, sizeof text) == 0 ? text : "the connection failed";
  gb_client_closed(s->client, why, gb_clock_now());
}

/* Begins to connect to the next address. False, with errno of the last: none is left. */
static bool dial(gb_socket *s, uint16_t port) {
  while (s->address.count > 0) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    to.sin_addr = s->address.at[--s->address.count];
    s->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s->fd < 0)
      return false;
    s->connecting = true;
    if (connect(s->fd, (const struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS ||
        errno == EINTR) {
      gb_client_dialled(s->client, gb_clock_now());
      return true; /* POLLOUT tells how it went */
    }
    int reason = errno;
    hang_up(s);
    errno = reason;
  }
  return false;
}

/* The addresses of the host that the client wants. */
enum resolving { PENDING, RESOLVED, UNKNOWN };

static enum resolving resolve(gb_socket *s, const char *host, const char **why) {
  if (gb_resolve_number(host, &s->address))
    return RESOLVED;
  if (s->resolver != NULL && !gb_resolver_done(s->resolver, &s->address, why))
    return PENDING;
  bool mine = s->resolver != NULL && strcmp(s->resolving, host) == 0;
  if (s->resolver != NULL)
    gb_resolver_drop(s->resolver);
  s->resolver = NULL;
  if (mine)
    return s->address.count > 0 ? RESOLVED : UNKNOWN;
  *why = "no resources to look up its address";
  (void)snprintf(s->resolving, sizeof s->resolving, "%s", host);
  s->resolver = gb_resolver_start(host);
  return s->resolver != NULL ? PENDING : UNKNOWN;
}

/* Brings the socket into the state that the client needs. False: the client needs nothing. */
static bool prepare(gb_socket *s) {
  gb_client *c = s->client;
  for (;;) { /* a failed connection ends a request, and the next may need another daemon */
    const char *why = NULL;
    const gb_nws_address *to = gb_client_wants(c, gb_clock_now());
    if (to == NULL || s->connection != c->connection) {
      hang_up(s);
      s->resolved = false;
      s->connection = c->connection;
    }
    if (to == NULL)
      return c->first != NULL; /* a pause */
    if (s->fd >= 0)
      return true;
    enum resolving r = s->resolved ? RESOLVED : resolve(s, to->host, &why);
    s->resolved = r == RESOLVED;
    if (r == PENDING || (r == RESOLVED && dial(s, to->port)))
      return true;
    if (r == RESOLVED)
      closed(s, errno);
    else
      gb_client_closed(c, why, gb_clock_now());
  }
}

static void connected(gb_socket *s) {
  int reason = 0;
  socklen_t size = sizeof reason;
  if (getsockopt(s->fd, SOL_SOCKET, SO_ERROR, &reason, &size) != 0)
    reason = errno;
  if (reason == 0) {
    s->connecting = false;
    gb_client_opened(s->client, gb_clock_now());
    return;
  }
  hang_up(s);
  if (!dial(s, s->client->to.port))
    closed(s, reason);
}

static bool would_wait(int reason) {
  return reason == EAGAIN || reason == EWOULDBLOCK || reason == EINTR;
}

static void move(gb_socket *s, short events) {
  unsigned char chunk[CHUNK];
  gb_view out = gb_client_output(s->client);
  if (out.length > 0 && (events & POLLOUT) != 0) {
    ssize_t n = send(s->fd, out.at, out.length, MSG_NOSIGNAL);
    if (n > 0)
      gb_client_sent(s->client, (size_t)n);
    else if (n < 0 && !would_wait(errno)) {
      closed(s, errno);
      return;
    }
  }
  if ((events & (POLLIN | POLLHUP | POLLERR)) == 0)
    return;
  ssize_t n = recv(s->fd, chunk, sizeof chunk, 0);
  if (n > 0)
    gb_client_came(s->client, chunk, (size_t)n, gb_clock_now());
  else if (n == 0)
    closed(s, 0);
  else if (!would_wait(errno))
    closed(s, errno);
}

/* Sets the events for poll; returns the time at which the socket must be served again. */
static double watch(const gb_socket *s, struct pollfd *p) {
  p->fd = s->fd;
  p->revents = 0;
  p->events = s->connecting ? POLLOUT : POLLIN;
  if (!s->connecting && s->fd >= 0 && gb_client_output(s->client).length > 0)
    p->events |= POLLOUT;
  double due = gb_client_due(s->client);
  return s->resolver != NULL ? fmin(due, gb_clock_now() + 1e-3 * RESOLVE_MS) : due;
}

static void handle(gb_socket *s, const struct pollfd *p) {
  if (p->fd >= 0 && p->revents != 0) {
    if (s->connecting)
      connected(s);
    else
      move(s, p->revents);
  }
  gb_client_time(s->client, gb_clock_now()); /* after the received bytes, which may have been waiting */
}

static int milliseconds(double seconds) {
  if (!(seconds > 0))
    return 0;
  return seconds < 3600 ? (int)(1e3 * seconds) : 3600 * 1000;
}

bool gb_sockets_serve(gb_socket *sockets, size_t count, double until) {
  struct pollfd few[8], *p = count <= 8 ? few : malloc(count * sizeof *p);
  bool busy = true, out_of_time = p == NULL;
  while (!out_of_time) {
    double wake = until;
    busy = false;
    for (size_t i = 0; i < count; i++) {
      busy = prepare(&sockets[i]) || busy;
      wake = fmin(wake, watch(&sockets[i], &p[i]));
    }
    if (!busy)
      break;
    if (poll(p, (nfds_t)count, milliseconds(wake - gb_clock_now())) < 0)
      for (size_t i = 0; i < count; i++)
        p[i].revents = 0; /* a signal, or no memory: looked at again until the time is up */
    for (size_t i = 0; i < count; i++)
      handle(&sockets[i], &p[i]);
    out_of_time = gb_clock_now() >= until;
  }
  if (p != few)
    free(p);
  return !busy;
}
