/* Sends that a failed call has given up. */
#include "mpi/exec/orphan.h"
#include <stdlib.h>

struct gb_orphan {
  gb_orphan *next;
  MPI_Request request;
  void *buffer;
};

void gb_orphan_keep(gb_orphan **list, MPI_Request *request, void *buffer) {
  gb_orphan *orphan = malloc(sizeof *orphan);
  if (orphan == NULL) {
    if (*request != MPI_REQUEST_NULL)
      (void)MPI_Request_free(request);
    return;
  }
  *orphan = (gb_orphan){*list, *request, buffer};
  *request = MPI_REQUEST_NULL;
  *list = orphan;
}

void gb_orphans_end(gb_orphan **list) {
  while (*list != NULL) {
    gb_orphan *orphan = *list;
    *list = orphan->next;
    (void)MPI_Wait(&orphan->request, MPI_STATUS_IGNORE);
    free(orphan->buffer);
    free(orphan);
  }
}
