/* A client of the Network Weather Service without I/O: a queue of questions, each to one daemon. Its owner
 * connects, moves the bytes and tells the time (gb_socket does); whoever asks gets an answer, or learns why
 * there is none.
 *
 *      ask ──► question, question, ... ──► output ──► socket
 *                 ▲ in flight: up to 16                  │
 *      answer ◄───┘ ◄── whole messages ◄── came ◄────────┘
 *
 * Neighbours in the queue that go to the same daemon share a connection. One that breaks after an answer is
 * made anew and the rest is asked again; one that breaks before any fails the question that waited first; a
 * daemon that cannot be reached, is silent, or breaks three times in a row fails all that waits for it. So
 * every question ends, whatever the peer does. */
#ifndef GB_NWS_CLIENT_REQUEST_QUEUE_H
#define GB_NWS_CLIENT_REQUEST_QUEUE_H

#include "nws/wire/wire.h"

#define GB_CLIENT_SEARCHED_MOST (4u << 20) /* bytes that are taken of a name server's answer */
#define GB_CLIENT_MESSAGE_MOST (1u << 20)  /* of any other */

/* What became of a question: the reply that fits it, which may be a refusal (199, 299, ...), or NULL and why
 * there is none ("HOST:PORT: ..."). The reply's texts last until the return. May ask further questions. */
typedef void gb_nws_answer(void *context, const gb_nws_message *reply, const char *why);

enum gb_client_state { GB_CLIENT_IDLE, GB_CLIENT_OPENING, GB_CLIENT_OPEN };

typedef struct gb_client { /* not to be moved: `end` may point into it */
  double patience;         /* s without a byte, before a daemon counts as silent */
  struct gb_client_request *first, **end;
  uint32_t in_flight;  /* of them, from the first */
  uint32_t connection; /* goes up by one when a new connection is wanted */
  enum gb_client_state state;
  gb_nws_address to;
  uint32_t answered; /* on this connection */
  uint32_t broken;   /* connections in a row that ended without an answer */
  double now;        /* the last that was told */
  double due;        /* when the silence is too long; INFINITY when nothing is awaited */
  double resume;     /* no connection before this */
  gb_bytes out, in;
  size_t sent;     /* of out */
  bool subscribed; /* the peer may send STATE_FETCHED unasked */
  gb_nws_answer *pushed;
  void *pushed_context;
} gb_client;

/* `pushed` (may be NULL) gets what a memory sends after a subscription (AUTOFETCH_BEGIN) has been
 * acknowledged, and NULL when that connection has ended. */
void gb_client_init(gb_client *c, double patience, gb_nws_answer *pushed, void *context);

/* Drops all questions and the subscription, and tells nobody; at the end, too. */
void gb_client_forget(gb_client *c);

/* False: out of memory, or a request that no daemon answers. */
bool gb_client_ask(gb_client *c, const gb_nws_address *to, const gb_nws_message *request,
                   gb_nws_answer *answer, void *context);

/* Puts nothing into flight for `seconds`: a pause before the next attempt. */
void gb_client_pause(gb_client *c, double seconds);

/* --- for who moves the bytes; `now` in s, never going back --- */

/* The daemon to be connected with, on a connection of its own for each number c->connection; NULL: none. */
const gb_nws_address *gb_client_wants(gb_client *c, double now);
void gb_client_dialled(gb_client *c, double now); /* its address is known, and now the patience counts */
void gb_client_opened(gb_client *c, double now);
void gb_client_closed(gb_client *c, const char *why, double now); /* by the peer, or never opened */
gb_view gb_client_output(const gb_client *c);                     /* to be sent */
void gb_client_sent(gb_client *c, size_t size);
void gb_client_came(gb_client *c, const void *bytes, size_t size, double now);

/* When gb_client_wants and gb_client_time want to be called next, after the bytes that have come; INFINITY:
 * never. */
double gb_client_due(const gb_client *c);
void gb_client_time(gb_client *c, double now);

#endif
