/* One client's session with the name server or the memory: bytes in, bytes out. No sockets, no clock.
 *
 * A client may send many requests at once. They are answered in order, some in each turn that the session has
 * (below), and none while the client does not read the answers. Searches wait until there is room for all
 * that they may find. */
#ifndef GB_NWS_SERVE_SESSION_H
#define GB_NWS_SERVE_SESSION_H

#include "nws/store/store.h"

#include <sys/queue.h>

#define GB_SESSION_OUT_PAUSE (64u << 10) /* pending bytes at which no further request is answered */
#define GB_SESSION_PUSH_MOST (1u << 20)  /* pending bytes at which a slow subscriber is dropped */
#define GB_SESSION_TICKS 60u             /* for a request to arrive, or for answers to be read */
#define GB_ITERATION_COST (8u << 20)     /* 0.8 ms: costs are in units of about 0.1 ns */
#define GB_REQUEST_COST 50000u           /* of a request, or of a change in the log */
#define GB_BYTE_COST 20u                 /* of a byte that is received, found or sent */

typedef struct gb_session gb_session;

typedef struct gb_service { /* shared by all sessions */
  gb_store *store;
  char name_server[GB_NWS_HOST_MOST + 1], memory[GB_NWS_HOST_MOST + 1]; /* machine:port */
  gb_view own;                                        /* the memory's object, which is always registered */
  LIST_HEAD(gb_session_list, gb_session) subscribers; /* all with a subscription */
  size_t held, held_most; /* bytes in the buffers and subscriptions of all sessions */
  size_t spent, most;     /* cost of the turn that a session has now */
} gb_service;

struct gb_session {
  gb_service *service;
  bool is_memory;
  gb_bytes in, out;
  size_t sent_then; /* bytes sent since out_ticks was 0 */
  unsigned in_ticks, out_ticks;
  bool closing;              /* nothing more is read or answered */
  bool unlooked;             /* `in` may hold whole requests */
  size_t held;               /* what it adds to service->held */
  uint64_t cost;             /* of its turns */
  struct gb_session_search { /* under way: NS_SEARCH or NS_UNREGISTER */
    bool on, unregister, failed;
    size_t room;        /* bytes set aside for what is found; 0: it has not begun */
    uint64_t next, end; /* numbers of objects; 0 is the memory's own */
    gb_filter_match match;
    bool matching; /* the next object: `match` has begun */
    gb_bytes filter, found;
  } search;
  struct gb_subscription {
    char *text;    /* where the names are */
    gb_view *name; /* sorted */
    size_t count;
    size_t bytes;                  /* of both */
    LIST_ENTRY(gb_session) others; /* in service->subscribers */
  } subscription;
};

void gb_session_start(gb_session *s, gb_service *service, bool is_memory);
void gb_session_end(gb_session *s);

/* Takes bytes from the client. gb_session_work answers the requests, in as many turns as gb_session_has_work.
 * A turn ends when it costs `most`, which the last request, the last term of a filter, or the answer of a
 * search may exceed. Returns what it cost. */
void gb_session_take(gb_session *s, const void *bytes, size_t size);
size_t gb_session_work(gb_session *s, double now, size_t most);
bool gb_session_has_work(const gb_session *s);
bool gb_session_wants_input(const gb_session *s);
bool gb_session_is_idle(const gb_session *s); /* all requests are answered, all answers sent */

/* Pending output; `size` bytes of it have been sent. */
gb_view gb_session_output(const gb_session *s);
void gb_session_sent(gb_session *s, size_t size);

/* Once a second. True: the client is too slow, in sending a request or in reading its answers. */
bool gb_session_tick(gb_session *s);

/* Appends a message to the output. */
void gb_session_say(gb_session *s, const gb_nws_message *message);

/* ---- Who works in an iteration of the server's loop ----
 *
 * Start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996) of sessions, by the cost of their work.
 *
 * Sessions have turns in the order of what they cost so far. When an iteration has cost enough, those that
 * are left come first in the next one. A session that uses less than its share would build up credit
 * without limit, so there is a floor: two credits below what the session cost that had the last turn.
 * Sessions at the floor are answered before all that ask for more, however many these are.
 *
 *      floor: sessions that ask little | + 1 credit: new ones | + 2 credits: those that always have work
 *
 * New sessions without end would keep the last kind from its turns. So the floor also rises by half the fair
 * share of each iteration. */

#define GB_TURN_COST (GB_ITERATION_COST / 32)       /* a turn may cost more when few sessions have work */
#define GB_CREDIT ((uint64_t)GB_ITERATION_COST / 8) /* few terms of a filter cost more */

typedef struct gb_turns {
  struct gb_waiting {
    gb_session *session;
    size_t place;
  } * waiting;
  size_t count;
  uint32_t capacity;
  uint64_t floor; /* no session with work has cost less */
} gb_turns;

void gb_turns_release(gb_turns *t);

void gb_turns_join(const gb_turns *t, gb_session *s); /* a new session */

/* A session for the next iteration, if it has work. Those of the same cost have turns in the order in which
 * they are added. Out of memory: it has to wait for the iteration after that. */
void gb_turns_add(gb_turns *t, gb_session *s);

/* The iteration. It ends when it has cost GB_ITERATION_COST, or with the turn that exceeds this. Returns what
 * it cost. */
size_t gb_turns_work(gb_turns *t, double now);

/* ---- Answers to requests ---- */

/* False: not a request to this daemon; the session ends without an answer. */
bool gb_answer(gb_session *s, const gb_nws_message *request, double now);

/* Of a name server. False: not a request to it. */
bool gb_answer_name_server(gb_session *s, const gb_nws_message *request, double now);

/* Searches and unregistrations look at some of the objects in each turn, and may pause in the middle of a
 * filter, as objects may be many and filters long. They start when there is room for all that they may find.
 */
size_t gb_session_search_room(const gb_session *s); /* bytes; 0: none now */
void gb_session_search_step(gb_session *s, double now);

/* Ends the session's autofetch. */
void gb_unsubscribe(gb_session *s);

/* Appends a message without a body. */
void gb_say_number(gb_session *s, uint32_t number);

#endif
