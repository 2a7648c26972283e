/* A client of the Network Weather Service without I/O: a queue of requests, each to one daemon. Its owner
 * connects, moves the bytes and passes the time (gb_socket does). Each request ends with a reply, or with the
 * reason why there is none.
 *
 *      ask ──► request, request, ... ──► output ──► socket
 *                 ▲ in flight: up to 16                │
 *      answer ◄───┘ ◄── whole messages ◄── came ◄──────┘
 *
 * Consecutive requests to one daemon share a connection. If it breaks after a reply, the client reconnects
 * and repeats the rest; if it breaks before any, the first request fails. When a daemon cannot be reached, is
 * silent, or breaks three connections in a row, all requests to it fail. So every request ends, whatever the
 * peer does. */
#ifndef GB_NWS_CLIENT_REQUEST_QUEUE_H
#define GB_NWS_CLIENT_REQUEST_QUEUE_H

#include "nws/wire/wire.h"

#define GB_CLIENT_SEARCHED_MOST (4u << 20) /* greatest size of a name server's answer, in bytes */
#define GB_CLIENT_MESSAGE_MOST (1u << 20)  /* of any other message */

/* The end of a request: the matching reply, which may be a refusal (199, 299, ...), or NULL and the reason
 * ("HOST:PORT: ..."). The reply is valid until the function returns. May send further requests. */
typedef void gb_nws_answer(void *context, const gb_nws_message *reply, const char *why);

enum gb_client_state { GB_CLIENT_IDLE, GB_CLIENT_OPENING, GB_CLIENT_OPEN };

typedef struct gb_client { /* not to be moved: `end` may point into it */
  double patience;         /* s without a byte until a daemon counts as silent; see also `stays` */
  struct gb_client_request *first, **end;
  uint32_t in_flight;  /* of them, from the first */
  uint32_t connection; /* incremented when a new connection is needed */
  enum gb_client_state state;
  gb_nws_address to;
  uint32_t answered; /* on this connection */
  uint32_t broken;   /* connections in a row that ended without an answer */
  double now;        /* the latest time given */
  double due;        /* when the daemon counts as silent; INFINITY: nothing is awaited */
  double resume;     /* no connection before this time */
  gb_bytes out, in;
  bool subscribed; /* the peer may push STATE_FETCHED */
  /* Set by the owner: a connection is kept when nothing is asked, as with a subscription. `patience` then is
   * the time for the whole answer. */
  bool stays;
  gb_nws_answer *pushed;
  void *pushed_context;
} gb_client;

/* `pushed` (may be NULL) gets what a memory pushes after a subscription (AUTOFETCH_BEGIN), and NULL when that
 * connection has ended, or one that stays has without failing a request. */
void gb_client_init(gb_client *c, double patience, gb_nws_answer *pushed, void *context);

/* Drops all requests and the subscription, without calling anybody; also releases the memory. */
void gb_client_forget(gb_client *c);

/* False: out of memory, or a request that no daemon answers. */
bool gb_client_ask(gb_client *c, const gb_nws_address *to, const gb_nws_message *request,
                   gb_nws_answer *answer, void *context);

/* Sends nothing for `seconds`. */
void gb_client_pause(gb_client *c, double seconds);

/* --- for the owner of the connection; `now` in s, monotonic --- */

/* The daemon to connect to, with a new connection for each value of c->connection; NULL: none. */
const gb_nws_address *gb_client_wants(gb_client *c, double now);
void gb_client_dialled(gb_client *c, double now); /* the address is known, connecting begins */
void gb_client_opened(gb_client *c, double now);
void gb_client_closed(gb_client *c, const char *why, double now); /* by the peer, or cannot be opened */
gb_view gb_client_output(const gb_client *c);                     /* bytes to send */
void gb_client_sent(gb_client *c, size_t size);
void gb_client_came(gb_client *c, const void *bytes, size_t size, double now);

/* When gb_client_wants and gb_client_time must be called next, after received bytes were passed on; INFINITY:
 * never. */
double gb_client_due(const gb_client *c);
void gb_client_time(gb_client *c, double now);

/* ---- Unregistering objects ---- */

typedef struct gb_unregister {
  gb_client *client;
  gb_nws_address name_server;
  const char *filter;
  gb_nws_answer *answer; /* gets the last reply: NS_SEARCHED with nothing found when all went well */
  void *context;
  uint32_t rounds;
} gb_unregister;

/* Unregisters what the filter finds, until a search finds nothing: a name server may skip the object behind
 * one that it deletes. The caller sets all of *u but `rounds`, and keeps it until the answer. False: out of
 * memory. */
bool gb_unregister_begin(gb_unregister *u);

#endif
