/* Moves a client's bytes over a socket of the machine, and never waits longer than told. Serves the tools,
 * with long deadlines, and libgbcast, with a few milliseconds: so there is only this one, and it needs
 * nothing but poll(). */
#ifndef GB_NWS_CLIENT_SOCKET_H
#define GB_NWS_CLIENT_SOCKET_H

#include "nws/client/request_queue.h"
#include "nws/client/resolve.h"

typedef struct gb_socket {
  gb_client *client;
  int fd; /* -1: none */
  bool connecting;
  uint32_t connection;       /* of the client, that is being made or that fd is */
  gb_host_addresses address; /* of the daemon; those not tried yet */
  gb_resolver *resolver;     /* never more than one thread each, however long it takes */
  bool resolved;             /* address is that of the present connection */
  char resolving[GB_MAX_NAME + 1];
} gb_socket;

void gb_socket_init(gb_socket *s, gb_client *client);
void gb_socket_release(gb_socket *s); /* not the client */

/* Serves the clients until no one has a question left or a subscription, or until the clock says `until`:
 * false. What is unfinished goes on at the next call, where it was. */
bool gb_sockets_serve(gb_socket *sockets, size_t count, double until);

#endif
