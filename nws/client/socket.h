/* Moves a client's bytes over a socket, and never waits longer than it may. Used by the tools, with long
 * deadlines, and by libgbcast, with a few milliseconds; needs only poll(). */
#ifndef GB_NWS_CLIENT_SOCKET_H
#define GB_NWS_CLIENT_SOCKET_H

#include "nws/client/request_queue.h"
#include "nws/client/resolve.h"

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
