/* Headers of calls that this rank has not come to yet, in the order in which they came. */
#ifndef GB_MPI_EXEC_EARLY_H
#define GB_MPI_EXEC_EARLY_H

#include "mpi/exec/header.h"

typedef struct gb_early gb_early;
struct gb_early {
  gb_early *next;
  gb_header header;
  int source;
};

/* At the end of the list. An error class. */
int gb_early_keep(gb_early **list, const gb_header *header, int source);
void gb_early_release(gb_early *list);

#endif
