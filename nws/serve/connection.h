/* Clients' connections: between sockets and sessions. */
#ifndef GB_NWS_SERVE_CONNECTION_H
#define GB_NWS_SERVE_CONNECTION_H

#include "nws/serve/session.h"

#include <event2/event.h>

typedef struct gb_connections gb_connections;

typedef struct gb_connection {
  gb_session session;
  gb_connections *all;
  int file;
  struct event *readable, *writable;
  bool reads, writes;                  /* which of them are waited for */
  bool ended;                          /* the client sends no more */
  struct gb_connection *newer, *older; /* by when something last went over it */
} gb_connection;

struct gb_connections {
  struct event_base *base;
  gb_service *service;
  gb_connection *newest, *oldest;
  size_t count, most;
};

/* Takes a connected socket, and closes it if it cannot. When there are too many, the one goes on which
 * nothing has happened for the longest time. */
void gb_connection_open(gb_connections *all, int file, bool is_memory);
void gb_connection_close(gb_connection *c);

/* Answers requests for one turn; first those of whom nothing has come from or gone to for longest. */
void gb_connections_work(gb_connections *all);

/* Sends what waits. When the last changes are not `safe` on the disk, those who would be sent anything are
 * disconnected instead, as it may tell of these changes. */
void gb_connections_send(gb_connections *all, bool safe);

/* Whether some requests can be answered now: nothing else will wake the loop for them. */
bool gb_connections_have_work(const gb_connections *all);

/* Once a second: disconnects who is too slow. */
void gb_connections_tick(gb_connections *all);

#endif
