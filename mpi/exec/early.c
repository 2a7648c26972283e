/* Headers of calls that this rank has not come to yet, in the order in which they came. */
#include "mpi/exec/early.h"
#include <mpi.h>
#include <stdlib.h>

int gb_early_keep(gb_early **list, const gb_header *header, int source) {
  gb_early *early = malloc(sizeof *early);
  if (early == NULL)
    return MPI_ERR_NO_MEM;
  *early = (gb_early){NULL, *header, source};
  while (*list != NULL)
    list = &(*list)->next;
  *list = early;
  return MPI_SUCCESS;
}

void gb_early_release(gb_early *list) {
  while (list != NULL) {
    gb_early *next = list->next;
    free(list);
    list = next;
  }
}
