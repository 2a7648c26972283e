/* Connections of clients: between sockets and sessions. */
#ifndef GB_NWS_SERVE_CONNECTION_H
#define GB_NWS_SERVE_CONNECTION_H

#include "nws/serve/session.h"

#include <event2/event.h>
#include <sys/queue.h>

typedef struct gb_connections gb_connections;

typedef struct gb_connection {
  gb_session session;
  gb_connections *all;
  int file;
  struct event *readable, *writable;
  bool reads, writes;                /* which events are enabled */
  bool ended;                        /* the client sends no more */
  TAILQ_ENTRY(gb_connection) others; /* in the order of last activity, the latest first */
} gb_connection;

struct gb_connections {
  struct event_base *base;
  gb_service *service;
  TAILQ_HEAD(gb_connection_list, gb_connection) list; /* TAILQ_INIT() before its use */
  size_t count, most;
  gb_turns turns;
};

/* Takes over a connected socket, which does not block; closes it on failure. When there are too many
 * connections, the least recently active one is closed. */
void gb_connection_open(gb_connections *all, int file, bool is_memory);
void gb_connection_close(gb_connection *c);

/* Answers requests for one iteration. */
void gb_connections_work(gb_connections *all);

/* Sends pending output, of each connection no more than its part of an iteration. When the last changes are
 * not `safe` on disk, connections with output are closed instead, as the output may acknowledge these
 * changes. */
void gb_connections_send(gb_connections *all, bool safe);

/* Whether requests can be answered now; no event will wake the loop for them. */
bool gb_connections_have_work(const gb_connections *all);

/* Once a second: closes connections that are too slow. */
void gb_connections_tick(gb_connections *all);

#endif
