/* Moves a client's bytes over a socket, and never waits longer than it may. Used by the tools, with long
 * deadlines, and by libgbcast, with a few milliseconds; needs only poll(). */
#ifndef GB_NWS_CLIENT_SOCKET_H
#define GB_NWS_CLIENT_SOCKET_H

#include "nws/client/request_queue.h"

#include <netinet/in.h>
#include <poll.h>
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

/* ---- Sockets ---- */

enum { GB_HOST_ADDRESSES = 4 };

typedef struct gb_host_addresses {
  struct in_addr at[GB_HOST_ADDRESSES];
  unsigned count;
} gb_host_addresses;

typedef struct gb_socket {
  gb_client *client;
  int fd; /* -1: none */
  bool connecting;
  uint32_t connection;          /* the client's number of the connection in fd */
  gb_host_addresses address;    /* addresses of the daemon that are not tried yet */
  struct gb_resolver *resolver; /* at most one lookup at a time */
  bool resolved;                /* address is that of the current connection */
  char resolving[GB_MAX_NAME + 1];
} gb_socket;

void gb_socket_init(gb_socket *s, gb_client *client);
void gb_socket_release(gb_socket *s); /* not the client */

/* Serves the clients until none has a request or a subscription. False: until gb_clock_now() is `until`; the
 * next call continues from there. */
bool gb_sockets_serve(gb_socket *sockets, size_t count, double until);

/* The same for a loop of the caller's: what to wait for, at most until *wake (gb_clock_now()), which may
 * become earlier; and what to do then. False: the client has no request. */
bool gb_socket_prepare(gb_socket *s, struct pollfd *p, double *wake);
void gb_socket_handle(gb_socket *s, const struct pollfd *p);

#endif
