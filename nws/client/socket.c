#define _GNU_SOURCE /* getaddrinfo_a; strerror_r that returns the text */
#include "nws/client/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CHUNK = 16384, RESOLVE_MS = 2 }; /* bytes of one read; between two looks at the resolver */

/* ---- Addresses of a host ----
 *
 * getaddrinfo has no timeout, so the C library's threads run it (getaddrinfo_a). A lookup that is dropped
 * while it runs keeps its memory: some 200 bytes, and the addresses that it finds. */

typedef struct gb_resolver {
  struct gaicb request;
  struct addrinfo wanted;
  char host[];
} gb_resolver;

/* NULL: no resources. */
static gb_resolver *start_resolver(const char *host) {
  size_t length = strlen(host);
  gb_resolver *r = calloc(1, sizeof *r + length + 1);
  if (r == NULL)
    return NULL;
  memcpy(r->host, host, length + 1);
  r->wanted = (struct addrinfo){.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
  r->request = (struct gaicb){.ar_name = r->host, .ar_request = &r->wanted};
  struct gaicb *all[] = {&r->request};
  if (getaddrinfo_a(GAI_NOWAIT, all, 1, NULL) == 0)
    return r;
  free(r);
  return NULL;
}

/* False: not yet. out->count 0: there is no address, and *why says why. */
static bool is_resolved(gb_resolver *r, gb_host_addresses *out, const char **why) {
  int status = gai_error(&r->request);
  out->count = 0;
  if (status == EAI_INPROGRESS)
    return false;
  *why = status != 0 ? gai_strerror(status) : "no IPv4 address";
  for (const struct addrinfo *a = status == 0 ? r->request.ar_result : NULL;
       a != NULL && out->count < GB_HOST_ADDRESSES; a = a->ai_next) {
    struct sockaddr_in in;
    memcpy(&in, a->ai_addr, sizeof in);
    out->at[out->count++] = in.sin_addr;
  }
  return true;
}

static void drop_resolver(gb_resolver **resolver) {
  gb_resolver *r = *resolver;
  *resolver = NULL;
  if (r == NULL || gai_cancel(&r->request) == EAI_NOTCANCELED)
    return; /* the C library still writes to it, and cannot be stopped */
  if (r->request.ar_result != NULL)
    freeaddrinfo(r->request.ar_result);
  free(r);
}

/* ---- Connections ---- */

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
  drop_resolver(&s->resolver);
}

static void closed(gb_socket *s, int reason) {
  char text[128];
  const char *why =
      reason != 0 ? strerror_r(reason, text, sizeof text) : "the connection was closed before an answer";
  hang_up(s);
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
  s->address.count = inet_pton(AF_INET, host, &s->address.at[0]) == 1;
  if (s->address.count > 0)
    return RESOLVED;
  if (s->resolver != NULL && !is_resolved(s->resolver, &s->address, why))
    return PENDING;
  bool mine = s->resolver != NULL && strcmp(s->resolving, host) == 0;
  drop_resolver(&s->resolver);
  if (mine)
    return s->address.count > 0 ? RESOLVED : UNKNOWN;
  *why = "no resources to look up its address";
  (void)snprintf(s->resolving, sizeof s->resolving, "%s", host);
  s->resolver = start_resolver(host);
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

bool gb_socket_prepare(gb_socket *s, struct pollfd *p, double *wake) {
  bool busy = prepare(s);
  p->fd = s->fd;
  p->revents = 0;
  p->events = s->connecting ? POLLOUT : POLLIN;
  if (!s->connecting && s->fd >= 0 && gb_client_output(s->client).length > 0)
    p->events |= POLLOUT;
  *wake = fmin(*wake, gb_client_due(s->client));
  if (s->resolver != NULL && s->client->state == GB_CLIENT_OPENING) /* not in a pause */
    *wake = fmin(*wake, gb_clock_now() + 1e-3 * RESOLVE_MS);
  return busy;
}

void gb_socket_handle(gb_socket *s, const struct pollfd *p) {
  if (p->fd >= 0 && p->revents != 0) {
    if (s->connecting)
      connected(s);
    else
      move(s, p->revents);
  }
  gb_client_time(s->client, gb_clock_now()); /* after the received bytes, which may have been waiting */
}

static int milliseconds(double seconds) {
  return (int)(1e3 * fmin(fmax(seconds, 0), 3600));
}

bool gb_sockets_serve(gb_socket *sockets, size_t count, double until) {
  struct pollfd few[8], *p = count <= 8 ? few : malloc(count * sizeof *p);
  bool busy = true, out_of_time = p == NULL;
  while (!out_of_time) {
    double wake = until;
    busy = false;
    for (size_t i = 0; i < count; i++)
      busy = gb_socket_prepare(&sockets[i], &p[i], &wake) || busy;
    if (!busy)
      break;
    if (poll(p, (nfds_t)count, milliseconds(wake - gb_clock_now())) < 0)
      for (size_t i = 0; i < count; i++)
        p[i].revents = 0; /* a signal, or no memory: looked at again until the time is up */
    for (size_t i = 0; i < count; i++)
      gb_socket_handle(&sockets[i], &p[i]);
    out_of_time = gb_clock_now() >= until;
  }
  if (p != few)
    free(p);
  return !busy;
}
