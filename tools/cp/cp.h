/* gbcast-cp: copies a file or a folder from rank 0 of an MPI job to the hosts of all ranks. */
#ifndef GB_TOOLS_CP_CP_H
#define GB_TOOLS_CP_CP_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#define GB_CP_MEMORY_LEAST ((uint64_t)4 << 20)
#define GB_CP_MEMORY ((uint64_t)64 << 20)

typedef struct gb_cp_options {
  const char *source, *destination;
  uint64_t memory; /* bytes on each rank for data under way; GB_CP_MEMORY_LEAST at least */
  bool resume, replace, follow, compress, verify, json, quiet;
} gb_cp_options;

/* Collective. 0: the copy is on all hosts; 1: it is not, and rank 0 has said where and why on stderr. The
 * same on all ranks. MPI is to be initialized with MPI_THREAD_FUNNELED. */
int gb_cp_run(MPI_Comm comm, const gb_cp_options *options);

#endif
