/* Headers of calls that this rank has not begun yet, in the order in which they arrived. */
#include "mpi/exec/unexpected.h"
#include <mpi.h>
#include <stdlib.h>

int gb_unexpected_add(gb_unexpected **list, const gb_header *header, int source) {
  gb_unexpected *unexpected = malloc(sizeof *unexpected);
  if (unexpected == NULL)
    return MPI_ERR_NO_MEM;
  *unexpected = (gb_unexpected){NULL, *header, source};
  while (*list != NULL)
    list = &(*list)->next;
  *list = unexpected;
  return MPI_SUCCESS;
}

void gb_unexpected_free(gb_unexpected *list) {
  while (list != NULL) {
    gb_unexpected *next = list->next;
    free(list);
    list = next;
  }
}
