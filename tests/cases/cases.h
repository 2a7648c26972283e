/* Programs that run with MPI alone, and that a library in front of MPI can break. Each is built twice: as it
 * is, for the preloaded library, and with gbcast's calls in place of MPI's. */
#ifndef GB_CASES_H
#define GB_CASES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef GB_CASES_API
#include <gbcast/gbcast.h>
#define BCAST gbcast_bcast
#define SCATTER gbcast_scatter
#define ALLTOALL gbcast_alltoall
#else
#define BCAST MPI_Bcast
#define SCATTER MPI_Scatter
#define ALLTOALL MPI_Alltoall
#endif

enum { INTS = 60000 };

/* Broadcasts from every rank of `comm`, and returns how many numbers are wrong on this rank. */
static inline int broadcasts(MPI_Comm comm) {
  static int buffer[INTS];
  int rank, size, bad = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int root = 0; root < size; root++) {
    for (int i = 0; i < INTS; i++)
      buffer[i] = rank == root ? i + root : -1;
    if (BCAST(buffer, INTS, MPI_INT, root, comm) != MPI_SUCCESS)
      return INTS;
    for (int i = 0; i < INTS; i++)
      bad += buffer[i] != i + root;
  }
  return bad;
}

/* The exit status of this rank: 0 if `bad` is 0. Prints `bad` otherwise. */
static inline int verdict(const char *what, int bad) {
  if (bad != 0)
    fprintf(stderr, "%s: %d wrong\n", what, bad);
  return bad != 0;
}

#endif
