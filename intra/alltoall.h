/* All-to-all inside one cluster in contention-free phases, after Faraj, Yuan and Patarasuk, "A Message
 * Scheduling Scheme for All-to-all Personalized Communication on Ethernet Switched Clusters" (numbers of
 * sections, figures and tables are theirs). Machines are hosts, numbered by their position in a list. */
#ifndef GB_INTRA_ALLTOALL_H
#define GB_INTRA_ALLTOALL_H

#include "intra/switch_walk.h"

/* The directed links: of machine m, 2 m up and 2 m + 1 down; then of the cable between node v of the walk and
 * the one nearer to node 0, 2 (count + v) towards that and 2 (count + v) + 1 back. */
typedef struct gb_machines {
  const gbcast_platform *p;
  const uint32_t *host; /* count: of the platform; not owned */
  uint32_t count;
  gb_switch_walk walk;
  uint32_t *node; /* count: of the walk, where the machine is */
  /* walk.node_count: the next node towards node 0 that has machines or a fork; owned by node */
  uint32_t *above;
} gb_machines;

/* host[count]: different hosts of one cluster, at least one; they outlive the result. GBCAST_EUSAGE when they
 * are of several clusters. */
int gb_machines_new(const gbcast_platform *p, const uint32_t *host, uint32_t count, gb_machines *machines,
                    gbcast_error *err);
void gb_machines_free(gb_machines *machines);

uint32_t gb_machines_links(const gb_machines *machines); /* how many directed links there are */
double gb_machines_bandwidth(const gb_machines *machines, uint32_t link); /* bytes/s, as the file says */
/* s: the latency of the cables between switches on the way between the two machines that are farthest apart.
 */
double gb_machines_farthest(const gb_machines *machines);
/* The directed links from one machine to another, in no order. Of cables in a row without machines or forks
 * between them the one farthest from node 0 stands for all, as they carry the same messages. Returns how
 * many; never more than node_count + 1. */
uint32_t gb_machines_path(const gb_machines *machines, uint32_t from, uint32_t to, uint32_t *link);

/* What is left in pieces when the root is taken away (section 4.1): T_0, T_1 ..., the largest first, of equal
 * ones that with the first machine of the list first. */
typedef struct gb_subtrees {
  uint32_t root; /* node of the walk */
  uint32_t count;
  uint32_t *start;  /* count + 1 */
  uint32_t *member; /* machines, subtree after subtree, as in the list within each */
} gb_subtrees;

int gb_subtrees_new(const gb_machines *machines, gb_subtrees *subtrees, gbcast_error *err);
void gb_subtrees_free(gb_subtrees *subtrees);

typedef struct gb_message {
  uint32_t from, to; /* machines */
} gb_message;

typedef struct gb_phases {
  uint32_t root;       /* its switch in the platform; GB_NONE: the core */
  uint32_t *subtree;   /* by machine: messages within a subtree are local, the others global */
  uint32_t count;      /* of phases: |M_0| (|M| - |M_0|), the load of the busiest link, so the least */
  uint32_t *start;     /* count + 1: into message */
  gb_message *message; /* |M| (|M| - 1); within a phase by the sender's subtree, global before local */
  uint32_t *phase;     /* of each message */
  uint32_t message_count;
} gb_phases;

#define GB_ALLTOALL_MACHINES 1024u /* at most */

/* The schedule of Fig. 4. At most GB_ALLTOALL_MACHINES machines. Time and memory in proportion to the
 * messages. */
int gb_phases_new(const gb_machines *machines, gb_phases *phases, gbcast_error *err);
void gb_phases_free(gb_phases *phases);

/* GBCAST_EINPUT unless every machine sends to every other once, no directed link is used twice in a phase,
 * and there are as many phases as the busiest link has messages. Looks at the links of every message. */
int gb_phases_check(const gb_machines *machines, const gb_phases *phases, gbcast_error *err);

/* One message must be over before another begins. */
typedef struct gb_dependence {
  uint32_t before, after; /* messages */
} gb_dependence;

typedef struct gb_dependences {
  size_t count;
  gb_dependence *dependence; /* by `after`, then by `before` */
} gb_dependences;

/* Messages that share a directed link must not overlap: the later phase's waits for the earlier one's. What
 * is left of these pairs when those that follow from others are taken out (section 5): the transitive
 * reduction. Pairs of the same sender are among them; a host that sends one message after the other keeps
 * these by itself. */
int gb_dependences_new(const gb_machines *machines, const gb_phases *phases, gb_dependences *dependences,
                       gbcast_error *err);
void gb_dependences_free(gb_dependences *dependences);

#endif
