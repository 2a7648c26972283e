/* A buffer for elements of any datatype, with bytes around them that nobody may touch. */
#ifndef GB_CONFORMANCE_REGION_H
#define GB_CONFORMANCE_REGION_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

typedef struct region {
  unsigned char *memory; /* all of it, */
  size_t size;
  void *at; /* and what a call is given */
} region;

/* Room for elements first .. end - 1 of `type`, counted from `at` in its extents, filled with bytes that
 * follow from `key`. */
region region_new(MPI_Datatype type, MPI_Count first, MPI_Count end, uint64_t key);
void region_free(region *r);

/* Of all of its bytes: those of the elements, in their gaps and around them. FNV-1a. */
uint64_t region_digest(const region *r);

/* One element, to be sent from or received to MPI_BOTTOM, that is `count` of `type` at `at`. */
MPI_Datatype region_absolute(const region *r, int count, MPI_Datatype type);

#endif
