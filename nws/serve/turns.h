/* Who works in an iteration of the server's loop: start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM
 * 1996) of sessions, by the cost of their work.
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
#ifndef GB_NWS_SERVE_TURNS_H
#define GB_NWS_SERVE_TURNS_H

#include "nws/serve/session.h"

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

#endif
