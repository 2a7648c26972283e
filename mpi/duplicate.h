/* The duplicate of a communicator that all traffic of the library goes through. */
#ifndef GB_MPI_DUPLICATE_H
#define GB_MPI_DUPLICATE_H

#include "mpi/comm.h"

#if defined MPICH_NUMVERSION && (MPICH_NUMVERSION < 40100000 || MPICH_NUMVERSION >= 50001000)
#define GB_DUPLICATES_BESIDES 1 /* it is made while other calls are */
#else
#define GB_DUPLICATES_BESIDES 0
#endif

typedef struct gb_duplicate {
  MPI_Request request;
  MPI_Errhandler handler; /* of the user's communicator, which returns errors meanwhile */
  int code;               /* of what has failed */
} gb_duplicate;

/* Begins to make c->dup of c->user; `c` knows its rank and overrides. Collective; other calls on c->user may
 * come before the end. */
void gb_duplicate_begin(gb_comm *c, gb_duplicate *d);

/* c->dup is there, and returns errors; or MPI_COMM_NULL. An error class, the same on every rank. */
int gb_duplicate_end(gb_comm *c, gb_duplicate *d);

#endif
