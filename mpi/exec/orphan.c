/* Keeps sends that a failed call has given up. */
#include "mpi/exec/orphan.h"
#include <stdlib.h>

struct gb_orphan {
  gb_orphan *next;
  MPI_Request handle;
  void *buffer;
};

void gb_orphan_keep(gb_orphan **list, MPI_Request *handle, void *buffer) {
  gb_orphan *orphan = malloc(sizeof *orphan);
  if (orphan == NULL) {
    if (*handle != MPI_REQUEST_NULL)
      (void)MPI_Request_free(handle);
    return;
  }
  *orphan = (gb_orphan){*list, *handle, buffer};
  *handle = MPI_REQUEST_NULL;
  *list = orphan;
}

void gb_orphans_end(gb_orphan **list) {
  while (*list != NULL) {
    gb_orphan *orphan = *list;
    *list = orphan->next;
    (void)MPI_Wait(&orphan->handle, MPI_STATUS_IGNORE);
    free(orphan->buffer);
    free(orphan);
  }
}
