/* Decides which member of a clique may measure. No I/O. A token travels round the members by number, and only
 * its holder measures: it begins experiments for at most `slot` seconds, goes on at its next turn where it
 * stopped, and hands the token to the next member that takes it. A turn begins at least `period` after the
 * one before.
 *
 *      away --token--> resting --period--> measuring --slot--> passing --taken--> away
 *        \------------ new token, or one in place of a lost one -------^
 *
 * A hand-over is the token and its acknowledgement, as in NWS 2.0.5. A member that was not reached does
 * not have it. A member that was reached and did not answer may have it, so a newer token goes to the next
 * one: no token is ever in two places, and an older one is dropped by whoever has seen a newer one.
 *
 * A token that is new to a member is handed on at once: when it comes back, all have seen it and measure by
 * no older one. Sensors of NWS measure when they first see it, so a member measures at once, too, when the
 * token before was also new to it, or when it is the first that it sees of a clique that somebody has
 * defined.
 *
 * A member that has never seen a token makes one that loses against every other, so a restart disturbs
 * nobody. When a token that it made did not come back, it makes one that wins against every older one: the
 * other may have met a member that knew a newer one. A member whose token nobody takes keeps it and measures
 * all the same: its peers may be programs that answer experiments but know nothing of cliques. */
#ifndef GB_NWS_SENSE_CLIQUE_H
#define GB_NWS_SENSE_CLIQUE_H

#include "nws/wire/wire.h"

/* ---- The members of a clique, sorted, so that all members have the same list ---- */

enum { GB_MEMBER_NAME = 72 }; /* machine:port, of at most 69 bytes */

typedef struct gb_members { /* starts as zeros */
  uint32_t count;
  char name[GB_CLIQUE_MOST][GB_MEMBER_NAME]; /* machine:port */
} gb_members;

/* Adds `HOST[:PORT]`, unless it is a member already. False, with a reason: it is invalid, or there are too
 * many members. */
bool gb_members_add(gb_members *m, gb_view host, const char **why);

/* Index of a name, or count. */
uint32_t gb_members_find(const gb_members *m, const char *name);

/* ---- The token of a clique, as sensors hand it on ----
 *
 * CLIQUE_TOKEN_FWD and, back, CLIQUE_TOKEN_ACK with the same token. CLIQUE_DIE, which nobody answers, ends
 * the clique. */

#define GB_CLIQUE_SKILL "tcpMessageMonitor" /* what its members do: the experiment of experiment.h */
enum { GB_CLIQUE_NAME_MOST = 31 };
#define GB_TOKEN_TIME_OUT 2.5 /* periods after which it is lost: the most that sensors of NWS wait */

/* Of two tokens of a clique, the older one is dropped, in the order of NWS 2.0.5. Below 0: a is older than b;
 * 0: the same token. */
int gb_token_compare(const gb_token_id *a, const gb_token_id *b);

/* Whether both say the same of the clique: its members, in any order, period, skill and options. */
bool gb_token_same_clique(const gb_token *a, const gb_token *b);

/* Index of the member at this address, in host order; count: none. */
uint32_t gb_token_find(const gb_token *token, uint32_t address, uint32_t port);

/* ---- One member's part ---- */

typedef struct gb_clique_rules { /* s */
  double period;                 /* from turn to turn of one member, at least */
  double slot;                   /* of a turn, in which experiments begin; one always may */
  double experiment, hand_over;  /* the longest that each takes: the caller's to keep */
} gb_clique_rules;

typedef struct gb_clique {
  gb_clique_rules rules;
  uint32_t count, self; /* members are 0 to count - 1 */
  enum { GB_CLIQUE_AWAY, GB_CLIQUE_RESTING, GB_CLIQUE_MEASURING, GB_CLIQUE_PASSING } state;
  bool begun;       /* the experiment or hand-over that the state is about, in which */
  bool renewed;     /* a newer token came, or */
  bool returned;    /* the one that is handed over came back, faster than its acknowledgement */
  bool seen_any;    /* a token came or was made; */
  gb_token_id seen; /* the newest; the one that is held, unless away */
  bool made;        /* here, and it has not come back */
  bool unmeasured;  /* the latest token was handed on before a turn */
  double born;      /* s since 1970, at time 0 of `now` */
  double part;      /* of an instance: no token has the id of one made before this sensor was restarted */
  double until;     /* away: then the token is lost; resting: then the turn begins */
  double began;     /* the latest turn; -INFINITY: none */
  double came;      /* when this token came back; -INFINITY: not yet */
  double round;     /* s, the longest that it took to come back, of late; 0: not known */
  uint32_t peer, measured; /* to be measured next, or now; how many were, or left out, in this turn */
  /* Turns in which a peer that did not answer is left out: an experiment, a token. */
  unsigned char pause[GB_CLIQUE_MOST], silence[GB_CLIQUE_MOST];
  uint32_t to; /* whom it is handed to */
} gb_clique;

/* At least two members. `wall`: s since 1970. */
void gb_clique_start(gb_clique *c, const gb_clique_rules *rules, uint32_t count, uint32_t self, double wall,
                     double now);

/* The members or rules have changed: what has begun counts no more. A token is made that defines the clique
 * anew, or `token`, which does so, has come. Turns keep their distance. */
void gb_clique_redefine(gb_clique *c, const gb_clique_rules *rules, uint32_t count, uint32_t self,
                        const gb_token_id *token, double now);

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

/* A token has come, of which the sender holds no copy. False: it is older than one seen before, and lost. */
bool gb_clique_take(gb_clique *c, const gb_token_id *token, double now);

/* How a hand-over ended: the member has the token; it certainly has not; it may have it. */
enum gb_hand_over { GB_HAND_OVER_TAKEN, GB_HAND_OVER_REFUSED, GB_HAND_OVER_UNKNOWN };
void gb_clique_handed_over(gb_clique *c, enum gb_hand_over how, double now);

#endif
