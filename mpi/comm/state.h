/* All that the library knows about a communicator. It is an attribute of the communicator and is freed with
 * it. */
#ifndef GB_MPI_COMM_STATE_H
#define GB_MPI_COMM_STATE_H

#include "mpi/comm/inputs.h"
#include "mpi/comm/plans.h"
#include "mpi/comm/settings.h"
#include "mpi/job/job.h"
#include "mpi/report/report.h"
#include <stdatomic.h>

typedef struct gb_refresh gb_refresh;

typedef struct gb_comm {
  struct gb_comm_registry *registry; /* the list of the process's communicators */
  struct gb_comm *previous, *next;   /* in that list */
  uint64_t close_order; /* MPI_Finalize closes communicators in ascending order, the same on every rank */
  MPI_Comm user;
  atomic_uint references; /* 1 of the program's communicator, and 1 of each non-blocking call on it whose end
                             the program has not asked for */
  bool returns;           /* the program has freed its communicator, which returned errors, */
  atomic_bool gone;       /* or any other */
  gb_wire wire;           /* this and all that follows ends with the set-up */
  bool set_up;            /* what follows is known */
  enum gb_passed left;    /* why all calls are passed on to MPI, if they are */
  unsigned refused;       /* preloaded library: a bit for each operation that is passed on to MPI because the
                             settings or the hosts file cannot be used */
  gb_settings settings;   /* as in gb_inputs */
  gb_plans plans;         /* GBCAST_PLAN */
  gb_overrides overrides; /* rank 0: what gbcast_setup() was given */
  gbcast_platform *platform;      /* plans are made from it: `base` or a later version (version.h) */
  gbcast_platform *base;          /* of the set-up */
  gbcast_platform *next_platform; /* `platform` from the next call on, or NULL */
  struct gb_versions *versions;   /* GBCAST_REFRESH, or NULL */
  gb_refresh *refresh;            /* rank 0: GBCAST_REFRESH, or NULL */
  gb_cache cache;
} gb_comm;

/* In words, why all calls on a communicator are passed on to MPI. */
const char *gb_left_why(enum gb_passed left);

#endif
