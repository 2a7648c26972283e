/* A TCP connection that one party of a conversation talks over: between libevent and gb_handler. */
#ifndef GB_NWS_SENSE_TCP_CONNECTION_H
#define GB_NWS_SENSE_TCP_CONNECTION_H

#include "nws/sense/handler.h"

#include <event2/event.h>
#include <netinet/in.h>

/* The party is over and the connection closed. Called from the event loop, never from within a call below;
 * the channel may be used again, or freed. */
typedef void gb_tcp_connection_ended(void *context);

typedef struct gb_tcp_connection { /* starts as zeros, not open */
  struct event *event[2];          /* readable, which also keeps the deadline, and writable */
  gb_handler *handler;
  gb_tcp_connection_ended *ended;
  void *context;
  int file;
  bool open, connecting;
} gb_tcp_connection;

/* Waits that long; for ever when it is INFINITY. */
int gb_event_wait(struct event *event, double seconds);

/* `buffer` bytes for what is on its way; 0: as the system likes. False, with nothing open: no resources. A
 * connection that fails later ends the party. */
bool gb_tcp_connection_connect(gb_tcp_connection *c, struct event_base *base, const struct sockaddr_in *to,
                               int buffer, gb_handler *handler, gb_tcp_connection_ended *ended,
                               void *context);
/* Takes over a connected socket, also when it fails. */
bool gb_tcp_connection_adopt(gb_tcp_connection *c, struct event_base *base, int file, gb_handler *handler,
                             gb_tcp_connection_ended *ended, void *context);

/* Another party goes on; also from within a call of the one before. */
void gb_tcp_connection_switch(gb_tcp_connection *c, gb_handler *handler, int buffer);

/* The party has something new to say, or its deadline has changed, by itself. */
void gb_tcp_connection_wake(gb_tcp_connection *c);

/* Closes without a word to the party or to `ended`. Nothing happens when it is not open. */
void gb_tcp_connection_close(gb_tcp_connection *c);

#endif
