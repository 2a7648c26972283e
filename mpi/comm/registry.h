/* The communicators of a process: where what is known about each is found, and the list of them all, in the
 * order in which MPI_Finalize closes them. */
#ifndef GB_MPI_COMM_REGISTRY_H
#define GB_MPI_COMM_REGISTRY_H

#include "mpi/comm/state.h"
#include "mpi/report/report.h"
#include <stdatomic.h>

typedef struct gb_comm_registry {
  atomic_flag busy; /* set while the list changes: threads may set up and free communicators at once */
  atomic_uint made; /* so many until now */
  gb_comm *first, *last;
  gb_comm *self, *world;                          /* also in the list */
  unsigned duplicates;                            /* that the listed communicators have */
  atomic_bool printed;                            /* unknown GBCAST_ variables have been printed */
  MPI_Comm local;                                 /* of this process alone; returns errors */
  struct gbcast_call *first_handle, *last_handle; /* non-blocking calls (handles.c) ... */
  struct gbcast_call *first_ended;   /* those of which somebody is to be told that they are over */
  atomic_uint under_way;             /* ... and how many of them are not over, or not ended */
  struct gb_progress_thread *thread; /* or NULL */
  atomic_flag working;               /* set while a thread lets them get on, or changes their list */
  gb_job_report *report;             /* what calls did; NULL: no memory ... */
  bool owns_report;                  /* ... not the preloaded library's */
} gb_comm_registry;

/* The entry of MPI_COMM_WORLD or MPI_COMM_SELF, which cannot be freed; NULL for other communicators. */
gb_comm **gb_registry_entry(gb_comm_registry *list, MPI_Comm comm);

void gb_registry_add(gb_comm_registry *list, gb_comm *c);
void gb_registry_remove(gb_comm *c);

/* Moves it to where its new close_order says. */
void gb_registry_move(gb_comm *c, uint64_t close_order);

/* Counts one more duplicate; false: there are GB_DUPLICATES_MOST. */
bool gb_registry_reserve(gb_comm_registry *list);
void gb_registry_give_back(gb_comm_registry *list);

/* This process's list of communicators; made when there is none. An MPI error code. */
int gb_attach_registry(gb_comm_registry **list);

/* The gb_comm of `comm`, or NULL. An MPI error code. */
int gb_attach_find(MPI_Comm comm, gb_comm **out);

/* The same, NULL where that fails. */
gb_comm *gb_comm_known(MPI_Comm comm);

/* Hangs `c` off `comm`, and adds it to the list. */
int gb_attach(gb_comm_registry *list, MPI_Comm comm, gb_comm *c);

/* Drops a reference; the last one frees it. */
void gb_comm_release(gb_comm *c);

/* MPI_Finalize has closed all of them: no other may be made. */
bool gb_attach_has_ended(void);

#endif
