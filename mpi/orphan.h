/* Buffers of sends that were given up: MPI may still read them, so they live as long as the communicator. */
#ifndef GB_MPI_ORPHAN_H
#define GB_MPI_ORPHAN_H

typedef struct gb_orphan gb_orphan;

/* Takes `buffer` over. Without memory for the list it is lost, which is better than freed too early. */
void gb_orphan_keep(gb_orphan **list, void *buffer);
void gb_orphans_release(gb_orphan *list);

#endif
