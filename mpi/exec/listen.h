/* A receive for headers of each kind of tag, from any rank, is always posted: between calls it hangs off the
 * communicator, in a call it is one of the run's requests. */
#ifndef GB_MPI_EXEC_LISTEN_H
#define GB_MPI_EXEC_LISTEN_H

#include "mpi/exec/run.h"

/* Between calls; it may be posted already. */
int gb_listen_post(gb_wire *w, unsigned ear);

/* Before call number `sequence`: keeps the headers that have come for it to deal with, but takes from them at
 * once which earlier call has failed (w->doubt). HELLOs say nothing of that: whoever waits for something in
 * the call hears them there, and who does not looks for them here. */
int gb_listen_peek(gb_wire *w, uint64_t sequence, bool hellos);

int gb_listen(gb_run *run, unsigned ear);

/* For good. */
void gb_listen_end(gb_wire *w);

#endif
