/* What one rank does in a plan, as channels. A channel carries bytes from or to one other rank, in messages
 * of at most a segment. It begins when all channels that it comes after are over:
 *
 *   a broadcast      receive from the parent     |0|1|2|3|
 *                    send to child a               |0|1|2|3|        no further than what has arrived
 *                    send to child b               |0|1|2|3|
 *
 *   an all-to-all    send to b  --->  send to c  --->  (step over)  --->  synchronisation to d
 *                    receive from d  --->  receive from c
 *
 * Channels are what the executor (mpi/exec) runs. They are the same in each call; where the bytes lie, and
 * how far each channel has got, is known to the run. */
#ifndef GB_MPI_SCHEDULE_SCHEDULE_H
#define GB_MPI_SCHEDULE_SCHEDULE_H

#include "mpi/job/job.h"
#include "plan/core/core.h"
#include <stdatomic.h>
#include <stddef.h>

/* Which edges share a window of sends in flight. A WAN edge has a window of its own, and so has a LAN edge
 * that is paced or carries several messages. The other edges of a rank inside its site share one window, and
 * those inside its host another, so that earlier children are served before later ones. */
enum { GB_WINDOW_NODE, GB_WINDOW_LAN, GB_WINDOW_OWN };

/* Tags of one run. Messages from one rank to another with the same tag are matched in order, so both ends
 * post them in the same order. */
enum { GB_TAGS = 128 };

/* Shares and segments of messages that are combined are multiples of so many bytes, so that none ends within
 * an operand: of all types that MPI's operators know. */
enum { GB_OPERANDS = 64 };

enum gb_direction { GB_SEND, GB_RECEIVE, GB_COPY };

enum gb_memory { GB_MEMORY_SEND, GB_MEMORY_RECEIVE, GB_MEMORY_SCRATCH };

typedef struct gb_extent { /* of an all-to-all: some blocks in a row */
  enum gb_memory memory;   /* the caller's buffers, or memory of the run */
  uint32_t block;          /* the first one, from the beginning of that */
} gb_extent;

typedef struct gb_channel {
  enum gb_direction direction;
  int rank;         /* at the other end */
  unsigned tag;     /* from the run's first, below GB_TAGS */
  uint64_t segment; /* bytes of each message but the last */
  uint64_t ahead;   /* received: bytes for which receives are posted before they come */
  gb_pacing pacing; /* the plan's, adapted to this machine */

  unsigned window_kind; /* GB_WINDOW_...; of an all-to-all GB_WINDOW_OWN */

  /* of a tree's edge; all 0 otherwise */
  uint32_t tree;
  bool wan;                      /* to another site */
  uint32_t to_receiver, to_site; /* the first channel of this rank to the same receiver, and to the same site
                                    if that is another one */

  /* of an all-to-all; all 0 otherwise */
  bool sync;          /* one message of no bytes */
  uint32_t blocks;    /* which it carries */
  gb_extent at, from; /* where they lie; GB_COPY: to where, and from where they are copied. A copy of no
                         blocks does nothing: others come after it */
  double pace;       /* GB_COPY that begins a step: s per byte of a block until the next step on its track may
                        begin; 0: not paced */
  uint32_t track;    /* ... the first such channel of the track */
  bool synchronised; /* ... the step waits for synchronisation messages, and its pace starts with the last */
  uint32_t predecessors;                     /* channels that are over before it begins ... */
  uint32_t first_successor, successor_count; /* ... and those that come after it: in schedule->successor */
} gb_channel;

/* This rank in one tree. Data that go down come from its parent, those that go up from its children. */
typedef struct gb_rank_tree {
  uint32_t sender_count, receiver_count;
  const gb_channel *sender; /* sender_count, from which its data come */
  gb_channel *receiver;     /* receiver_count, in sending order */
  bool scatters;            /* each receiver gets a part of its own */
  bool combines;            /* what the senders send is combined with what this rank has */
  bool collects;            /* it comes behind what this rank has, sender after sender */
  uint32_t own_at;          /* combines: this rank comes after so many senders in the order of operands;
                               otherwise this rank's index in `order` */
  uint32_t feeds;           /* the tree whose data on this rank are those of this one, as they get ready; or
                               GB_NONE */
  bool far;                 /* some receiver is in another site */
  uint32_t stage;           /* as in gb_tree */
  uint32_t weight_before, weight; /* it carries the share from weight_before to weight_before + weight, of
                                     weight_total (gb_share_begin) */
  /* Blocks: the `subtree` ranks of this rank's subtree in the order of its stream. Down: child after child,
   * this rank last; up: this rank, then sender after sender. The subtree of child or sender i is
   * order[child_first[i]] .. order[child_first[i + 1] - 1]. Where an edge carries all blocks, those of the
   * rank at the top; those that are combined are in the order in which they go down from there. */
  uint32_t subtree, *order, *child_first;
} gb_rank_tree;

typedef struct gb_rank_schedule {
  atomic_uint references;
  struct gb_rank_schedule *chain, *newer, *older; /* links in the cache of schedules */
  uint64_t bytes_estimate; /* about the memory of one rank's part of this plan, the same on every rank */
  enum gbcast_operation operation;
  int root;             /* rank */
  uint64_t class_bytes; /* as in gbcast_plan */
  double predicted;     /* s, of the whole plan */
  bool used_before;     /* ranks have compared it, or do so in a call that is under way */
  bool native;          /* MPI's own collective runs */
  bool one_site;        /* all ranks are in one; there, an all-to-all may pass on blocks of others */
  bool rendezvous;      /* as in gbcast_plan */
  uint64_t hash;        /* of the plan at class_bytes, so the same for all sizes of the class */
  double pace;          /* at the root of a scatter as in gb_schedule; otherwise 1 */
  double efficiency[2]; /* as in gb_schedule */
  bool in_stages;       /* some trees follow others */
  bool one_uplink;      /* of this rank's site, as in gb_site */
  uint32_t channel_count;
  gb_channel *channel; /* of a tree: those from its senders before those to its receivers */
  uint32_t *successor;
  uint32_t weight_total, tree_count;
  gb_rank_tree *tree; /* tree_count; an all-to-all has none. Where data go both ways, all trees once up and
                         once more down, each with the same share; where leaders exchange: exchange.c */
  uint32_t scratch_blocks; /* of an all-to-all: GB_MEMORY_SCRATCH */
  uint32_t used;           /* rank 0: uses since it last looked for live values ... */
  gbcast_plan *plan;       /* ... and the whole plan, if it looks for them; NULL for all-to-alls */
} gb_rank_schedule;

/* The bytes of a message of `bytes` that go down one tree. *begin: where they begin in the message. */
static inline size_t gb_rank_share(const gb_rank_schedule *schedule, uint32_t tree, uint64_t bytes,
                                   size_t *begin) {
  const gb_rank_tree *t = &schedule->tree[tree];
  const uint64_t unit = gb_combines(schedule->operation) ? GB_OPERANDS : 1, whole = bytes / unit;
  const uint32_t end = t->weight_before + t->weight;
  *begin = 0;
  if (t->weight == schedule->weight_total)
    return bytes;
  *begin = gb_share_begin(whole, t->weight_before, schedule->weight_total) * unit;
  return (end == schedule->weight_total ? bytes : gb_share_begin(whole, end, schedule->weight_total) * unit) -
         *begin;
}

/* Sets *out to this rank's part of a plan for `bytes` from rank `root`; native: MPI's own collective runs. To
 * be given to gb_rank_schedule_free. MPI_SUCCESS or an error class. */
int gb_rank_schedule_make(const gb_wire *w, const gbcast_plan *plan, size_t bytes, int root, bool native,
                          gb_rank_schedule **out);

/* One more reference, and one less; the last one frees it. NULL is allowed. */
gb_rank_schedule *gb_rank_schedule_keep(gb_rank_schedule *schedule);
void gb_rank_schedule_free(gb_rank_schedule *schedule);

#endif
