/* GBCAST_PROGRESS=thread: a thread of this process that lets the calls in its list get on while the program
 * does something else. It sleeps while there are none. */
#ifndef GB_MPI_COMM_PROGRESS_THREAD_H
#define GB_MPI_COMM_PROGRESS_THREAD_H

#include "mpi/comm/registry.h"

/* Starts the thread, if it does not run. false: MPI has not been initialised with MPI_THREAD_MULTIPLE, or
 * there can be no thread. */
bool gb_progress_thread_start(gb_comm_registry *list);

/* A call has been put in the list. */
void gb_progress_thread_wake(gb_comm_registry *list);

/* Ends the thread, if it runs. */
void gb_progress_thread_end(gb_comm_registry *list);

#endif
