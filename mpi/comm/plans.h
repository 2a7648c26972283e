/* Which plan a call runs: one that was made before (GBCAST_PLAN), one that is kept from an earlier call, or
 * one that is decided now. */
#ifndef GB_MPI_COMM_PLANS_H
#define GB_MPI_COMM_PLANS_H

#include "mpi/comm/inputs.h"
#include "mpi/comm/settings.h"
#include "mpi/schedule/schedule.h"
#include "plan/core/core.h"
#include "plan/show/show.h"

struct gb_comm;

/* GBCAST_PLAN: plans that are run whatever the hosts file and the weather say now. Rank 0 reads their files
 * and sends the text with the other inputs; every rank puts the same text over the same platform. */
typedef struct gb_plans {
  uint32_t count;
  gb_saved *saved;
} gb_plans;

/* Rank 0, where the ranks have their hosts: reads the files that the settings name into inputs->plans, and
 * makes sure that they are for these ranks. In a communicator that is not the whole job, unless
 * gbcast_setup() has named them, those for other ranks are left out. A gbcast_status; GBCAST_EINPUT names
 * file, place and host. */
int gb_plans_read(const gb_overrides *overrides, int size, gb_inputs *inputs, gbcast_error *err);

/* What is in the inputs. A gbcast_status. */
int gb_plans_take(const gb_inputs *inputs, gb_plans *out, gbcast_error *err);
void gb_plans_release(gb_plans *plans);

/* The first plan for this, from this root or, if `host` is NULL, from any; or NULL: for sizes that would be
 * planned alike. */
const gb_saved *gb_plans_find(const gb_plans *plans, enum gbcast_operation operation, uint64_t bytes,
                              const char *host, uint32_t k);

/* The plans that a communicator has used, found by operation, size class and root. Every rank makes the same
 * calls, so every rank keeps the same plans. */

/* Plans are kept as long as they fit into GB_CACHE_BYTES on every rank. GB_CACHE_LEAST plans are kept even if
 * the ranks are so many that these take more. */
enum { GB_CACHE_BYTES = 64 << 20, GB_CACHE_LEAST = 64 };

typedef struct gb_cache {
  size_t count;
  uint64_t bytes;            /* an upper bound for all schedules on any rank; the same on every rank */
  size_t buckets;            /* 0, or a power of two */
  gb_rank_schedule **bucket; /* lists of schedules, linked by gb_rank_schedule.chain */
  gb_rank_schedule *newest, *oldest; /* by last use, linked by gb_rank_schedule.older and .newer */
} gb_cache;

/* The schedule for a size, root and operation, which counts as used now; NULL: none is kept. */
gb_rank_schedule *gb_cache_find(gb_cache *cache, enum gbcast_operation operation, size_t bytes, int root);

/* Takes one over; what was used least recently may be dropped for it. MPI_ERR_NO_MEM. */
int gb_cache_add(gb_cache *cache, gb_rank_schedule *schedule);

void gb_cache_release(gb_cache *cache);

/* The plan of the whole communicator. The error class; rank 0 has said what is wrong. */
int gb_decide(const struct gb_comm *c, enum gbcast_operation operation, size_t bytes, int root,
              gbcast_plan **out);

/* The same over other inputs for the same hosts, without a message on stderr. *without: which of the forced
 * algorithms are left out, as they are not for this operation. A gbcast_status. */
int gb_decide_over(const struct gb_comm *c, const gbcast_platform *p, enum gbcast_operation operation,
                   size_t bytes, int root, int *without, gbcast_plan **out, gbcast_error *err);

/* Whether a plan is what MPI_Bcast does anyway. Then that is called: the same messages to the same ranks in
 * the same order, with less around them.
 *
 * Of a plan from rank `root`. The same on every rank. False for what somebody has asked for (GBCAST_INTRA,
 * GBCAST_PLAN and others), and where it is not known what the MPI library does. */
bool gb_same_as_mpi(const struct gb_comm *c, const gbcast_plan *plan, int root);

#endif
