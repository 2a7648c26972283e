/* The first use of a plan: ranks that do not agree on it, or on the size, find out and all come back. See
 * header.h.
 *
 * - A sender announces each stream. A receiver starts its part when the announcement from its parent fits its
 * own plan.
 * - A rank that hears of another plan or size takes that stream in and forgets it, tells every other rank
 * that nothing comes from it, and stops sending. A rank whose parent says so does the same.
 * - Each rank leaves when it has from every parent the whole stream or an ABORT. */
#ifndef GB_MPI_AGREE_H
#define GB_MPI_AGREE_H

#include "mpi/engine.h"

typedef struct gb_early gb_early;
void gb_early_release(gb_early *list);

/* Starts the flows that wait for nobody, and listens for the others. */
int gb_agree_begin(gb_run *run);

/* A header has come from `source`. */
int gb_agree_heard(gb_run *run, gb_header h, int source);
int gb_agree_listen(gb_run *run);

/* Stops listening in this call. *heard: a header came in the last moment and was dealt with; still listening.
 */
int gb_agree_stop(gb_run *run, bool *heard);

/* A message that was taken in to be forgotten has come. */
int gb_agree_drained(gb_run *run, const gb_slot *slot, void *buffer);

/* Tells all others that nothing more comes from this rank. */
void gb_agree_fail(gb_run *run, int code);

#endif
