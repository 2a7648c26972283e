/* An all-to-all as it will be run: the contention-free phases of each cluster, all at the same time, what
 * keeps them apart, and what the clusters send each other.
 *
 * Source: Faraj, Yuan and Patarasuk, A Message Scheduling Scheme for All-to-all Personalized Communication on
 * Ethernet Switched Clusters; its Table 5 names the schemes. */
#ifndef GB_PLAN_ALLTOALL_ALLTOALL_H
#define GB_PLAN_ALLTOALL_ALLTOALL_H

#include "intra/intra.h"
#include "plan/alltoall/exchange.h"
#include "plan/alltoall/site_transfers.h"
#include "plan/core/core.h"

/* Who signals to the sender of a later message that an earlier one, with which it shares a link, is over. */
enum gb_signaller { GB_SIGNALLER_NONE, GB_SIGNALLER_SENDER, GB_SIGNALLER_RECEIVER };

/* A scheme of Table 5. Those without a parameter are those with blocks of one phase. */
typedef struct gb_sync {
  const char *name;
  const char *summary; /* one line, for --list */
  bool blocks;         /* --sync=NAME:BLOCK: has the number of phases in a block, or of hosts in a group */
  enum gb_signaller signaller;
  bool within;  /* signals within blocks, otherwise between them */
  bool barrier; /* between blocks all hosts wait for all */
  bool dummies; /* idle hosts send, too: see gb_alltoall_dummies */
  bool at_once; /* there are no phases: each host sends all without waiting */
  bool groups;  /* blocks are passed on, see plan/alltoall/groups.c; the parameter is the hosts in a group */
  bool paced;   /* the signal comes when the earlier message begins, and the later one waits as long as a
                   message takes */
  bool native;  /* MPI's own collective is run */
} gb_sync;

static inline bool gb_sync_in_phases(const gb_sync *sync) {
  return !sync->at_once && !sync->groups;
}

extern const gb_sync gb_sync_table[];
extern const size_t gb_sync_count;

/* A scheme and its parameter; 1 where it has none. */
typedef struct gb_sync_choice {
  const gb_sync *sync; /* NULL: for the planner to choose */
  uint32_t block;
} gb_sync_choice;

#define GB_EAGER_MOST 16384u /* bytes: larger blocks are long, which for MPI means that it asks first */
#define GB_SYNC_BLOCK 8u     /* when the request does not say it */
#define GB_SYNC_BEST 0u      /* the same, of groups, until the plan is made */

/* NAME or NAME:BLOCK, NULL or "auto". GBCAST_EUSAGE. */
int gb_sync_read(const char *text, gb_sync_choice *choice, gbcast_error *err);

/* Inside one site of the plan. */
typedef struct gb_alltoall_site {
  uint32_t *host; /* machines.count: of the platform */
  uint32_t *ranks;
  uint64_t all_ranks;
  gb_machines machines;
  gb_phases phases;
  gb_dependences order;
  double seconds_a_byte; /* of block: what the busiest link needs at least */
  uint64_t messages;     /* the most that a rank has for other hosts */
  double farthest;       /* s: of cables between switches, on the longest path between two hosts */
  double slowest_a_byte; /* s of block: what all blocks from one host to another need at most */
  double own_seconds;    /* a byte: what the busiest host's own link needs with all for other sites */
} gb_alltoall_site;

typedef struct gb_alltoall {
  uint32_t site_count;
  gb_alltoall_site *site;      /* as in the plan */
  uint64_t bytes;              /* of a block, for which it is made */
  gb_site_transfers transfers; /* what they send to each other; zeros for one */
  gb_sync_choice sync;         /* of them all */
  bool forced;                 /* the request names it */
  double
      inside_a_byte; /* of block: what the busiest link of a cluster, hosts' own ones too, needs at least */
  double seconds_a_byte; /* the same of all links, when blocks go straight between clusters */
  double peak;           /* bytes/s over all hosts, with that link never idle */
} gb_alltoall;

/* Makes the plan's all-to-all, all but its bound; its endpoints are there. GBCAST_EUSAGE, GBCAST_EINPUT,
 * GBCAST_EMEMORY. */
int gb_alltoall_make(gbcast_plan *plan, const gbcast_request *request, gbcast_error *err);
void gb_alltoall_free(gb_alltoall *a); /* NULL is allowed */
/* GBCAST_EINPUT: phases, dependences or transfers are not what they should be. GBCAST_EMEMORY. */
int gb_alltoall_check(const gb_alltoall *a, gbcast_error *err);
uint64_t gb_alltoall_hash(uint64_t hash, const gb_alltoall *a); /* goes on from `hash` */

/* Whether a signal has to come from the earlier message before the later one starts. */
bool gb_alltoall_needs_signal(const gb_alltoall_site *site, gb_sync_choice choice,
                              const gb_dependence *dependence);
size_t gb_alltoall_signals(const gb_alltoall_site *site, gb_sync_choice choice);    /* how many of these */
uint32_t gb_alltoall_barriers(const gb_alltoall_site *site, gb_sync_choice choice); /* the same */

/* Messages that keep hosts busy that neither send nor receive in a phase, to or from another host on their
 * switch (section 5). Fills out[machines.count]; returns how many. Hosts without such a partner stay idle: a
 * message to oneself would cross no link. busy: 2 x machines.count, scratch. */
uint32_t gb_alltoall_dummies(const gb_alltoall_site *site, uint32_t phase, bool *busy, gb_message *out);

/* Whether the scheme can be run: GBCAST_EUSAGE when not. */
int gb_alltoall_fits(const gb_alltoall *a, gb_sync_choice choice, gbcast_error *err);
/* The same scheme, with the fastest group where the choice leaves the group to the planner. */
gb_sync_choice gb_alltoall_with_group(const gb_alltoall *a, gb_sync_choice choice, uint64_t bytes);

/* Seconds for blocks of so many bytes: inside one site, in the slowest of them, and in all. Formulas:
 * plan/alltoall/time.c. */
double gb_alltoall_site_time(const gb_alltoall_site *site, gb_sync_choice choice, uint64_t bytes);
double gb_alltoall_inside_time(const gb_alltoall *a, gb_sync_choice choice, uint64_t bytes);
double gb_alltoall_time(const gb_alltoall *a, gb_sync_choice choice, uint64_t bytes);
/* s from the beginning of one phase to that of the next where they are paced. */
double gb_alltoall_pace(const gb_alltoall_site *site, uint64_t bytes);
/* s of one of the two steps with groups of so many hosts, a divisor of the site's: inside groups, or across.
 */
double gb_alltoall_step_time(const gb_alltoall_site *site, uint32_t group, uint64_t bytes, bool inside);
/* What the hosts file says that contention costs at most, as a part of the time without it. */
double gb_alltoall_contention(const gb_alltoall_site *site);

#endif
