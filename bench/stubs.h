/* What overhead.c compares gbcast() with. */
#ifndef GB_BENCH_STUBS_H
#define GB_BENCH_STUBS_H

#include <mpi.h>
#include <stddef.h>

typedef int broadcast(void *buf, size_t n, int root, MPI_Comm comm); /* as gbcast() */

/* Does nothing. */
__attribute__((visibility("default"))) broadcast stub_empty;

/* Sends the one message of a plan for two ranks, with the calls of MPI that the executor makes. */
__attribute__((visibility("default"))) broadcast stub_by_hand;

#endif
