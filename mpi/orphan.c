/* Buffers of sends that were given up: MPI may still read them, so they live as long as the communicator. */
#include "mpi/orphan.h"
#include <stdlib.h>

struct gb_orphan {
  gb_orphan *next;
  void *buffer;
};

void gb_orphan_keep(gb_orphan **list, void *buffer) {
  gb_orphan *orphan = buffer != NULL ? malloc(sizeof *orphan) : NULL;
  if (orphan == NULL)
    return;
  *orphan = (gb_orphan){*list, buffer};
  *list = orphan;
}

void gb_orphans_release(gb_orphan *list) {
  while (list != NULL) {
    gb_orphan *next = list->next;
    free(list->buffer);
    free(list);
    list = next;
  }
}
