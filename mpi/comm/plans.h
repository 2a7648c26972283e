/* GBCAST_PLAN: plans that were made before, to be run whatever the hosts file and the weather say now. Rank 0
 * reads their files and sends the text with the other inputs; every rank puts the same text over the same
 * platform. */
#ifndef GB_MPI_COMM_PLANS_H
#define GB_MPI_COMM_PLANS_H

#include "mpi/comm/inputs.h"
#include "mpi/comm/settings.h"
#include "plan/show/show.h"

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

#endif
