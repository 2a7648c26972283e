/* Who may connect, and connections. */
#include "nws/serve/connection.h"

#include "nws/client/client.h"
#include "nws/serve/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- Access ---- */

static bool read_length(const char *text, unsigned *length) {
  size_t digits = strspn(text, "0123456789");
  if (digits == 0 || digits > 2 || text[digits] != '\0' || (digits == 2 && text[0] == '0'))
    return false;
  *length = 0;
  for (; *text != '\0'; text++)
    *length = *length * 10 + (unsigned)(*text - '0');
  return *length <= 32;
}

bool gb_cidr_read(const char *text, gb_cidr *out, const char **why) {
  char address[INET_ADDRSTRLEN];
  struct in_addr read;
  unsigned length = 32;
  size_t size = strcspn(text, "/");
  *why = "an IPv4 address, with or without the length of a prefix behind it, like 10.1.0.0/16";
  if (size >= sizeof address)
    return false;
  memcpy(address, text, size);
  address[size] = '\0';
  if (inet_pton(AF_INET, address, &read) != 1 ||
      (text[size] == '/' && !read_length(text + size + 1, &length)))
    return false;
  gb_cidr cidr = {ntohl(read.s_addr), length > 0 ? UINT32_MAX << (32 - length) : 0};
  *why = "no bits set behind the prefix";
  if ((cidr.address & ~cidr.mask) != 0)
    return false;
  *out = cidr;
  return true;
}

bool gb_may_connect(const gb_cidr *allowed, size_t count, uint32_t peer) {
  for (size_t i = 0; i < count; i++)
    if ((peer & allowed[i].mask) == allowed[i].address)
      return true;
  struct ifaddrs *interfaces = NULL;
  (void)getifaddrs(&interfaces);
  bool own = gb_is_own_address(interfaces, peer);
  freeifaddrs(interfaces);
  return own;
}

/* ---- Connections ---- */

#define AT_ONCE_MOST (64u << 10)  /* bytes to receive from a client at once, or to send to it */
#define AT_ONCE_LEAST (4u << 10)  /* the same, if there are many clients */
#define ITERATION_MOST (2u << 20) /* bytes for all of them: about 1 ms */

static void is_alive(gb_connection *c) {
  TAILQ_REMOVE(&c->all->list, c, others);
  TAILQ_INSERT_HEAD(&c->all->list, c, others);
}

void gb_connection_close(gb_connection *c) {
  if (c->readable != NULL)
    event_free(c->readable);
  if (c->writable != NULL)
    event_free(c->writable);
  (void)close(c->file);
  TAILQ_REMOVE(&c->all->list, c, others);
  if (--c->all->count == 0)
    gb_turns_release(&c->all->turns);
  gb_session_end(&c->session);
  free(c);
}

static size_t at_once(const gb_connections *all) {
  size_t share = ITERATION_MOST / all->count;
  if (share > AT_ONCE_MOST)
    return AT_ONCE_MOST;
  return share > AT_ONCE_LEAST ? share : AT_ONCE_LEAST;
}

static void on_readable(evutil_socket_t file, short what, void *context) {
  gb_connection *c = context;
  char bytes[AT_ONCE_MOST];
  (void)what;
  ssize_t n = recv(file, bytes, at_once(c->all), 0);
  if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
    return;
  if (n < 0) {
    gb_connection_close(c);
    return;
  }
  is_alive(c);
  c->ended = n == 0;
  gb_session_take(&c->session, bytes, (size_t)n);
}

/* Only wakes the loop, which sends at the end of each iteration. */
static void on_writable(evutil_socket_t file, short what, void *context) {
  (void)file;
  (void)what;
  (void)context;
}

static bool prepare(int file) {
  return setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)) == 0 &&
         setsockopt(file, SOL_SOCKET, SO_KEEPALIVE, &(int){1}, sizeof(int)) == 0; /* hosts may vanish */
}

static bool enable(struct event *event, bool *is_on, bool on) {
  if (*is_on != on && (on ? event_add(event, NULL) : event_del(event)) != 0)
    return false;
  *is_on = on;
  return true;
}

void gb_connection_open(gb_connections *all, int file, bool is_memory) {
  if (all->count >= all->most && all->count > 0)
    gb_connection_close(TAILQ_LAST(&all->list, gb_connection_list));
  gb_connection *c = prepare(file) ? calloc(1, sizeof *c) : NULL;
  if (c == NULL) {
    (void)close(file);
    return;
  }
  c->all = all;
  c->file = file;
  gb_session_start(&c->session, all->service, is_memory);
  gb_turns_join(&all->turns, &c->session);
  TAILQ_INSERT_HEAD(&all->list, c, others);
  all->count++;
  c->readable = event_new(all->base, file, EV_READ | EV_PERSIST, on_readable, c);
  c->writable = event_new(all->base, file, EV_WRITE | EV_PERSIST, on_writable, c);
  if (c->readable == NULL || c->writable == NULL || !enable(c->readable, &c->reads, true))
    gb_connection_close(c);
}

void gb_connections_work(gb_connections *all) {
  double now = gb_clock_wall();
  for (gb_connection *c = TAILQ_LAST(&all->list, gb_connection_list); c != NULL;
       c = TAILQ_PREV(c, gb_connection_list, others))
    gb_turns_add(&all->turns, &c->session);
  (void)gb_turns_work(&all->turns, now);
}

/* Sends some of what the socket takes; false: the connection is lost. */
static bool send_some(gb_connection *c) {
  gb_view waiting = gb_session_output(&c->session);
  if (waiting.length == 0)
    return true;
  size_t most = at_once(c->all);
  ssize_t n = send(c->file, waiting.at, waiting.length < most ? waiting.length : most, MSG_NOSIGNAL);
  if (n < 0)
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  gb_session_sent(&c->session, (size_t)n);
  is_alive(c);
  return true;
}

/* Enables the events that the session needs. False: failed, or nothing more is to be read or written. */
static bool wait_for_more(gb_connection *c) {
  bool reads = !c->ended && gb_session_wants_input(&c->session);
  bool writes = gb_session_output(&c->session).length > 0;
  return enable(c->readable, &c->reads, reads) && enable(c->writable, &c->writes, writes) &&
         !(c->ended && gb_session_is_idle(&c->session));
}

void gb_connections_send(gb_connections *all, bool safe) {
  for (gb_connection *c = TAILQ_FIRST(&all->list), *next; c != NULL; c = next) {
    next = TAILQ_NEXT(c, others);
    bool unsafe = !safe && gb_session_output(&c->session).length > 0;
    if (unsafe || !send_some(c) || c->session.closing || !wait_for_more(c))
      gb_connection_close(c);
  }
}

bool gb_connections_have_work(const gb_connections *all) {
  const gb_connection *c = TAILQ_FIRST(&all->list);
  while (c != NULL && !gb_session_has_work(&c->session))
    c = TAILQ_NEXT(c, others);
  return c != NULL;
}

void gb_connections_tick(gb_connections *all) {
  for (gb_connection *c = TAILQ_FIRST(&all->list), *next; c != NULL; c = next) {
    next = TAILQ_NEXT(c, others);
    if (gb_session_tick(&c->session))
      gb_connection_close(c);
  }
}
