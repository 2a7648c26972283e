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
} gb_registry;

/* Where a communicator that cannot be freed is kept; NULL for others. */
gb_comm **gb_registry_slot(gb_registry *list, MPI_Comm comm);

/* How many were made before this one. */
uint32_t gb_registry_number(gb_registry *list);

void gb_registry_add(gb_registry *list, gb_comm *c);
void gb_registry_remove(gb_comm *c);

#endif
