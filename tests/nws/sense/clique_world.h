/* A clique in a simulated network on a simulated clock: members of gbcast and of NWS 2.0.5 that stop,
 * restart, freeze and are cut off, and messages that get lost. */
#ifndef GB_TESTS_NWS_SENSE_CLIQUE_WORLD_H
#define GB_TESTS_NWS_SENSE_CLIQUE_WORLD_H

#include "nws/sense/clique.h"

enum { WORLD_MOST = 6, LETTERS = 512 };

/* What a sensor of NWS 2.0.5 keeps of a clique, as its clique control does. */
typedef struct nws_member {
  bool known, held;
  gb_token_id token;
  double time_out, cycle, deviation; /* s */
  double cycle_start, next_run;      /* cycle_start: 0 before the first */
  uint32_t tried;
} nws_member;

typedef struct member {
  bool nws, alive, frozen;
  gb_clique clique; /* of gbcast */
  nws_member old;   /* of NWS */
  enum { IDLE, MEASURING, PASSING } doing;
  uint32_t with;     /* whom */
  double ends;       /* the experiment; the wait for an acknowledgement */
  bool reached;      /* the token has left */
  gb_token_id token; /* by which it measures, or which it hands over */
  unsigned exchange; /* number of its latest hand-over */
  double turn;       /* when the present one began; -INFINITY: none yet */
} member;

typedef struct letter { /* a token or its acknowledgement on its way; at INFINITY: none */
  double at;
  uint32_t from, to;
  unsigned exchange;
  bool acknowledges;
  gb_token_id token;
} letter;

typedef struct world {
  gb_clique_rules rules;
  member m[WORLD_MOST];
  uint32_t count;
  letter letters[LETTERS]; /* the first `used` */
  uint32_t used;
  bool cut[WORLD_MOST][WORLD_MOST]; /* from, to: unreachable */
  double now, wall;                 /* s; wall: what the clocks are ahead of it */
  uint64_t seed;
  uint32_t loss;                           /* of 1000 messages */
  unsigned made;                           /* tokens of gbcast in place of lost ones */
  unsigned overlaps;                       /* moments with two experiments at once */
  unsigned experiments;                    /* that were good */
  double measured[WORLD_MOST][WORLD_MOST]; /* when last; 0: never */
} world;

/* `nws`: a bit for each member that is a sensor of NWS. Nobody runs yet. */
world *world_new(uint32_t count, unsigned nws, uint64_t seed);
void world_free(world *w);

double world_some(world *w, double most); /* s, above 0 */
void world_stop(world *w, uint32_t i);
void world_start(world *w, uint32_t i);  /* as with --clique; a sensor of NWS waits for a token */
void world_define(world *w, uint32_t i); /* as with start_activity; the member runs */
void world_start_all(world *w);
void world_run(world *w, double seconds);

/* Members stop, freeze and are started again, for so many seconds. */
void world_shake(world *w, double seconds);
/* The failures end; `all`: members that are stopped start. Returns how many run. */
uint32_t world_heal(world *w, bool all);

/* Nobody reaches this member, and it reaches nobody; `cut` false: they do again. */
void world_isolate(world *w, uint32_t i, bool cut);

/* The longest that a pair may go unmeasured: rounds until each of a member's peers had its turn. */
double world_bound(const world *w);
/* Every pair of members that run has been measured in the last so many seconds. */
void world_check_measured(const world *w, double seconds);

#endif
