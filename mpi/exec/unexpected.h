/* Headers of calls that this rank has not begun yet, in the order in which they arrived. */
#ifndef GB_MPI_EXEC_UNEXPECTED_H
#define GB_MPI_EXEC_UNEXPECTED_H

#include "mpi/exec/header.h"

typedef struct gb_unexpected gb_unexpected;
struct gb_unexpected {
  gb_unexpected *next;
  gb_header header;
  int source;
};

/* Adds a header at the end of the list. An error class. */
int gb_unexpected_add(gb_unexpected **list, const gb_header *header, int source);
void gb_unexpected_free(gb_unexpected *list);

#endif
