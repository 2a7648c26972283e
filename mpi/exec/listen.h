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

/* Deals with the header that has come, and listens on. */
int gb_listen_heard(gb_run *run, unsigned ear, const MPI_Status *status);

/* At the end of a call. *heard: a header came in the last moment, of a call that has failed or moves much,
 * and was dealt with; still listening. Otherwise what has come since this rank last waited is heard before or
 * in the next call. */
int gb_listen_stop(gb_run *run, bool *heard);

/* For good. */
void gb_listen_end(gb_wire *w);

#endif
