/* Who of a clique may measure, without I/O. A token travels round the members by number, and only its holder
 * measures: it begins experiments for at most `slot` seconds, goes on at its next turn where it stopped, and
 * hands the token to the next member that takes it. A turn begins at least `period` after the one before.
 *
 *      away --known token--> resting --period--> measuring --slot--> passing --taken--> away
 *        \---------------------------- new token ---------------------^  ^
 *         \--- no token for much longer than rounds took: a new one -----/
 *
 * A hand-over is token, answer, go-ahead: whoever gets no answer keeps the token, whoever gets no go-ahead
 * has not got it. So a message that is lost may lose the token, but never doubles it.
 *
 * A token that is new to a member is handed on at once, or when the member's own experiment is over. When it
 * comes back to its maker everybody who can be reached has seen it, takes no older one, and measures nothing:
 * there is never more than one experiment at a time among members that reach each other, whoever stops,
 * restarts or makes a token without need.
 *
 * A member that has never seen a token makes one that loses against every other, so a restart disturbs
 * nobody. One whose token nobody takes keeps it and measures all the same: its peers may be sensors that
 * answer experiments but know nothing of the clique. */
#ifndef GB_NWS_SENSE_CLIQUE_H
#define GB_NWS_SENSE_CLIQUE_H

#include "nws/sense/token.h"

typedef struct gb_clique_rules { /* s */
  double period;                 /* from turn to turn of one member, at least */
  double slot;                   /* of a turn, in which experiments begin; one always may */
  double experiment, hand_over;  /* the longest that each takes: the caller's to keep */
} gb_clique_rules;

typedef struct gb_clique {
  gb_clique_rules rules;
  uint32_t count, self; /* members are 0 to count - 1 */
  enum { GB_CLIQUE_AWAY, GB_CLIQUE_RESTING, GB_CLIQUE_MEASURING, GB_CLIQUE_PASSING } state;
  bool begun;              /* the experiment or hand-over that the state is about */
  bool renewed;            /* a new token came meanwhile */
  gb_token_id seen;        /* the newest; the one that is held, unless away */
  bool held;               /* it has been here: when it comes, it comes back */
  double until;            /* away: then the token is lost; resting: then the turn begins */
  double began;            /* the latest turn; -INFINITY: none */
  double came;             /* when this token came back; -INFINITY: not yet */
  double round;            /* s, the longest that it took to come back, of late; 0: not known */
  uint32_t peer, measured; /* to be measured next, or now; how many were, or left out, in this turn */
  unsigned char pause[GB_CLIQUE_MOST]; /* turns in which a peer that did not answer is left out */
  uint32_t to;                         /* whom it is handed to */
} gb_clique;

/* At least two members. `born`: s since 1970, by which the tokens of a member differ from those that it made
 * before it was restarted. */
void gb_clique_start(gb_clique *c, const gb_clique_rules *rules, uint32_t count, uint32_t self, double born,
                     double now);

/* The longest that a round can take. */
double gb_clique_round_most(const gb_clique *c);

/* What there is to do; to be asked after every call below and at `deadline`. An experiment with, or a
 * hand-over to, `member` is named once and runs until its end is told. */
typedef struct gb_clique_action {
  enum { GB_CLIQUE_WAIT, GB_CLIQUE_MEASURE, GB_CLIQUE_HAND_OVER } what;
  uint32_t member;
  gb_token_id token; /* to hand over */
  double deadline;   /* of WAIT; INFINITY: none */
} gb_clique_action;
gb_clique_action gb_clique_next(gb_clique *c, double now);

/* The experiment is over; not `good`: the peer did not answer. */
void gb_clique_measured(gb_clique *c, bool good, double now);

/* A token is offered. What to answer: the same, when it would be taken, or a newer one. */
gb_token_id gb_clique_offered(const gb_clique *c, const gb_token_id *token);
/* The go-ahead for it has come. */
void gb_clique_take(gb_clique *c, const gb_token_id *token, double now);

/* The answer to a hand-over. True: the go-ahead is to be sent, the token is gone. */
bool gb_clique_answered(gb_clique *c, const gb_token_id *answer, double now);
/* There is none, and there was no go-ahead. */
void gb_clique_refused(gb_clique *c, double now);

#endif
