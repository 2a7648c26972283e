/* A TCP connection of a handler: between libevent and gb_handler. */
#ifndef GB_NWS_SENSE_TCP_CONNECTION_H
#define GB_NWS_SENSE_TCP_CONNECTION_H

#include "nws/sense/handler.h"

#include <event2/event.h>
#include <netinet/in.h>

/* The handler is over and the connection closed. Called from the event loop, never from a function below; the
 * gb_tcp_connection may be used again, or freed. */
typedef void gb_tcp_connection_ended(void *context);

typedef struct gb_tcp_connection { /* starts as zeros, not open */
  struct event *event[2];          /* readable, which also keeps the deadline, and writable */
  gb_handler *handler;
  gb_tcp_connection_ended *ended;
  void *context;
  int file;
  bool open, connecting;
} gb_tcp_connection;

/* Adds the event with this timeout; INFINITY: none. */
int gb_event_wait(struct event *event, double seconds);

/* `buffer`: bytes of the socket buffers; 0: the system's default. False, with nothing open: no resources. A
 * connection that fails later ends the handler. */
bool gb_tcp_connection_connect(gb_tcp_connection *c, struct event_base *base, const struct sockaddr_in *to,
                               int buffer, gb_handler *handler, gb_tcp_connection_ended *ended,
                               void *context);
/* Takes over a connected socket, also when it fails. */
bool gb_tcp_connection_adopt(gb_tcp_connection *c, struct event_base *base, int file, gb_handler *handler,
                             gb_tcp_connection_ended *ended, void *context);

/* Continues with another handler; may be called by the present one. */
void gb_tcp_connection_switch(gb_tcp_connection *c, gb_handler *handler, int buffer);

/* The handler has new output, or a new deadline. */
void gb_tcp_connection_wake(gb_tcp_connection *c);

/* Closes without calling the handler or `ended`. Does nothing when not open. */
void gb_tcp_connection_close(gb_tcp_connection *c);

#endif
