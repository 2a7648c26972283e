/* Moves a client's bytes over a socket, and never waits longer than it may. Used by the tools, with long
 * deadlines, and by libgbcast, with a few milliseconds; needs only poll(). */
#ifndef GB_NWS_CLIENT_SOCKET_H
#define GB_NWS_CLIENT_SOCKET_H

#include "nws/client/request_queue.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <time.h>

/* ---- Clocks ---- */

/* Seconds of the monotonic clock, for waiting and measuring. */
static inline double gb_clock_now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The wall clock of the records, s since 1970. */
static inline double gb_clock_wall(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_REALTIME, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- Addresses of a host, without blocking ----
 *
 * getaddrinfo has no timeout, so the C library's threads run it (getaddrinfo_a). A lookup that is dropped
 * while it runs keeps its memory: some 200 bytes, and the addresses that it finds. */

enum { GB_HOST_ADDRESSES = 4 };

typedef struct gb_host_addresses {
  struct in_addr at[GB_HOST_ADDRESSES];
  unsigned count;
} gb_host_addresses;

/* Reads dotted decimal numbers; false for everything else. */
bool gb_resolve_number(const char *host, gb_host_addresses *out);

typedef struct gb_resolver gb_resolver;

/* NULL: no resources. */
gb_resolver *gb_resolver_start(const char *host);

/* False: not yet. out->count 0: there is no address, and *why says why. */
bool gb_resolver_done(gb_resolver *r, gb_host_addresses *out, const char **why);
void gb_resolver_drop(gb_resolver *r);

/* ---- Sockets ---- */

typedef struct gb_socket {
  gb_client *client;
  int fd; /* -1: none */
  bool connecting;
  uint32_t connection;       /* the client's number of the connection in fd */
  gb_host_addresses address; /* addresses of the daemon that are not tried yet */
  gb_resolver *resolver;     /* at most one lookup at a time */
  bool resolved;             /* address is that of the current connection */
  char resolving[GB_MAX_NAME + 1];
} gb_socket;

void gb_socket_init(gb_socket *s, gb_client *client);
void gb_socket_release(gb_socket *s); /* not the client */

/* Serves the clients until none has a request or a subscription. False: until gb_clock_now() is `until`; the
 * next call continues from there. */
bool gb_sockets_serve(gb_socket *sockets, size_t count, double until);

#endif
