/* Where what is known about a communicator is found, and what all of them share. */
#ifndef GB_MPI_COMM_ATTACH_H
#define GB_MPI_COMM_ATTACH_H

#include "mpi/comm/registry.h"
#include <stdbool.h>

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
