/* The communicators of a process that are alive, in the order in which MPI_Finalize closes them. */
#ifndef GB_MPI_REGISTRY_H
#define GB_MPI_REGISTRY_H

#include "mpi/comm.h"
#include <stdatomic.h>

typedef struct gb_registry {
  atomic_flag busy; /* while the list changes: several threads may each set a communicator up, or free one */
  uint32_t made;
  gb_comm *first, *last;
  gb_comm *self, *world; /* also in the list */
  unsigned duplicates;   /* of those in the list */
  atomic_bool told;      /* which variables are no settings */
  MPI_Comm local;        /* a duplicate of MPI_COMM_SELF that returns errors */
} gb_registry;

/* Duplicates that a process has at most. MPICH has 2,048 communicators for a process: what the program can
 * make is hardly less with these. A job has one for all ranks, one for each site and a few of its own where
 * broadcasts are long. */
enum { GB_DUPLICATES_MOST = 64 };

/* Where a communicator that cannot be freed is kept; NULL for others. */
gb_comm **gb_registry_slot(gb_registry *list, MPI_Comm comm);

/* How many were made before this one. */
uint32_t gb_registry_number(gb_registry *list);

void gb_registry_add(gb_registry *list, gb_comm *c);
void gb_registry_remove(gb_comm *c);

/* Its turn has changed. */
void gb_registry_sort(gb_comm *c);

/* Takes one of the duplicates that there may be; false: none is left. */
bool gb_registry_reserve(gb_registry *list);
void gb_registry_give_back(gb_registry *list);

#endif
