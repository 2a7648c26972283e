/* Inside one cluster: cost models and trees, the ranks of one host, and the phases of an all-to-all. Every
 * algorithm is one line of the table in intra/table.c. Seconds and bytes throughout; parents are indices, and
 * GB_NONE stands for the root's. */
#ifndef GB_INTRA_INTRA_H
#define GB_INTRA_INTRA_H

#include "platform/cost/cost.h"

/* ---- A cluster as pLogP sees it ---- */

/* A homogeneous cluster as pLogP sees it. */
typedef struct gb_lan {
  const gb_plogp *plogp; /* measured, or NULL: then from the three below */
  double latency, bandwidth, overhead;
} gb_lan;

gb_lan gb_lan_of(const gbcast_platform *p, uint32_t cluster);
double gb_lan_gap(const gb_lan *lan, uint64_t bytes);     /* g(m); o + m / bandwidth without plogp */
double gb_lan_latency(const gb_lan *lan, uint64_t bytes); /* L(m), the receiver's o included without plogp */
/* Seconds for a short message (1 byte) from host to host. */
static inline double gb_lan_short_message(const gb_lan *lan) {
  return gb_lan_gap(lan, 1) + gb_lan_latency(lan, 1);
}

/* The size that stands for `bytes`: nothing is known below the first that was measured (gbcast-hosts(5)). */
uint64_t gb_lan_known_size(const gb_lan *lan, uint64_t bytes);

/* ceil(log2 x), and 0 for 0. */
uint32_t gb_ceil_log2(uint32_t x);

/* ---- Trees over the hosts of a cluster ---- */

enum { GB_BCAST = 0, GB_SCATTER = 1 };

/* Closed formula: seconds for `hosts` processes, `bytes` (message, or block of a scatter), `segment` (ignored
 * by models that do not cut). */
typedef double gb_intra_model(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment);

/* What a tree is for: hosts of one cluster, the root first, and the message that all of them are to get. */
typedef struct gb_intra_job {
  const gbcast_platform *p;
  const uint32_t *host; /* count */
  uint32_t count;
  uint64_t bytes;
} gb_intra_job;

/* Fills parent[count]: indices into `host` (GB_NONE for host[0], the root of the tree). Algorithms that make
 * several trees fill so many times `count`, tree after tree. */
typedef int gb_intra_build(const gb_intra_job *job, uint32_t *parent, gbcast_error *err);

typedef struct gb_intra_algorithm {
  const char *name;
  const char *summary; /* one line, for --list */
  unsigned operations; /* 1 << GB_BCAST | 1 << GB_SCATTER */
  bool segmented;      /* cuts the message; without it the segment is the whole message */
  bool rendezvous;     /* each hop is announced first: adds 2 g(1) + 2 L a hop to the first segment */
  bool native;    /* the MPI library's own collective runs inside the cluster; build gives a stand-in tree */
  bool automatic; /* auto considers it */
  /* Where auto leaves it out; without these it is a candidate everywhere. */
  bool cut_only; /* uncut: another algorithm makes the same tree, or one of several trees is the same */
  bool whole_over_switches; /* uncut, where all hosts are on one switch: others are as good there */
  bool one_lane;            /* in several lanes: it takes long to make */
  bool one_switch;          /* where they are not: it takes all hosts to be equally far */
  bool leaderless;          /* the hosts below the leader hang below whoever feeds the site instead */
  uint32_t trees;           /* that it makes, each for an equal share of the message; 0 means one */
  gb_intra_build *build;
  gb_intra_model *bcast_model;   /* Table 1, or NULL */
  gb_intra_model *scatter_model; /* Table 2, or NULL */
} gb_intra_algorithm;

extern const gb_intra_algorithm gb_intra_table[];
extern const size_t gb_intra_count;

static inline uint32_t gb_intra_trees(size_t intra) {
  return gb_intra_table[intra].trees > 1 ? gb_intra_table[intra].trees : 1;
}

size_t gb_intra_find(const char *name, int operation); /* index, or SIZE_MAX */

/* The segment (bytes, at least `least`, at most `bytes`) that minimises a segmented model; never more than 1
 * % from the best power of two. */
uint64_t gb_intra_best_segment(gb_intra_model *model, const gb_lan *lan, uint32_t hosts, uint64_t bytes,
                               uint64_t least);

/* Whether the MPI library is taken to broadcast that in a binomial tree (intra/native.c). */
bool gb_intra_native_is_tree(uint32_t hosts, uint64_t bytes);

/* ---- Trees measured on their own, as the papers do ---- */

/* Seconds: the largest A L + B g over the hosts, with the children of each host served in the best order.
 * parent[count] is a tree of at least one host; *degree gets the most children of a host. L = 1 and g = 0
 * give the height. */
int gb_tree_time(const uint32_t *parent, uint32_t count, double latency, double gap, double *seconds,
                 uint32_t *degree, gbcast_error *err);

/* Fills parent[count] with the binary tree whose senders may share links (intra/binary_shared_links.c) for
 * any L and g (s); L = 1 and g = 0 make it as low as possible. */
int gb_shared_links_tree(const gb_intra_job *job, double latency, double gap, uint32_t *parent,
                         gbcast_error *err);

/* ---- Inside a host ----
 *
 * How its ranks pass the message on, and which of them sends to other hosts of the site. Ranks count from 0,
 * the one that the message reaches first. */

typedef struct gb_node_tree {
  const char *name;
  uint32_t (*parent)(uint32_t i); /* of rank i > 0 */
  bool relay; /* what goes to other hosts of the site does so from a rank that has nothing else to do */
} gb_node_tree;

extern const gb_node_tree gb_node_table[]; /* the first is for sites with one rank on each host */
extern const size_t gb_node_count;

/* The rank that a host's LAN edges leave from. */
uint32_t gb_node_sender(size_t tree, uint32_t ranks);

/* From whom rank i > 0 hears; `sends` tells whether its host has LAN edges that leave it. */
uint32_t gb_node_parent(size_t tree, bool sends, uint32_t i);

/* ---- Hosts in the order of a depth-first walk over the switches ----
 *
 * All contention-free trees follow this order. It begins at the switch of the root. Hosts get positions
 * 0 .. count - 1 and nodes (switches and the core) get numbers, both in the order in which the walk meets
 * them. So what lies below a node, away from the root, is a run of positions and a run of numbers. */

typedef struct gb_switch_order {
  uint32_t count, node_count;
  uint32_t *host;  /* count: who is at a position, by index into the list given; the root at position 0 */
  uint32_t *node;  /* count: the node that the host at a position is on */
  uint32_t *from;  /* node_count: the node from which the walk came, a smaller number; GB_NONE for node 0 */
  uint32_t *first; /* node_count: positions on or below a node are first .. end - 1, its own come first */
  uint32_t *end;
  uint32_t *sw;    /* node_count: the node's switch; GB_NONE for the core */
  uint32_t *words; /* owns the six above */
} gb_switch_order;

/* host[count]: hosts of one cluster, the root first. GBCAST_EUSAGE when they are of several. */
int gb_switch_order_new(const gbcast_platform *p, const uint32_t *host, uint32_t count,
                        gb_switch_order *order, gbcast_error *err);
void gb_switch_order_free(gb_switch_order *order);

/* The lowest common ancestor of two nodes, seen from node 0. */
uint32_t gb_switch_order_ancestor(const gb_switch_order *order, uint32_t a, uint32_t b);

/* ---- All-to-all in contention-free phases ----
 *
 * After Faraj, Yuan and Patarasuk, "A Message Scheduling Scheme for All-to-all Personalized Communication on
 * Ethernet Switched Clusters" (numbers of sections, figures and tables are theirs). Machines are hosts,
 * numbered by their position in a list. */

/* The directed links: of machine m, 2 m up and 2 m + 1 down; then of the cable between node v of the walk and
 * the one nearer to node 0, 2 (count + v) towards that and 2 (count + v) + 1 back. */
typedef struct gb_machines {
  const gbcast_platform *p;
  const uint32_t *host; /* count: of the platform; not owned */
  uint32_t count;
  gb_switch_order order;
  uint32_t *node; /* count: of the order, where the machine is */
  /* order.node_count: the next node towards node 0 that has machines or a fork; owned by node */
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
