/* Keeps receives for headers from any rank posted, one for each kind of tag ("ear"): between calls the
 * communicator holds them, in a call they are requests of the run. */
#ifndef GB_MPI_EXEC_LISTEN_H
#define GB_MPI_EXEC_LISTEN_H

#include "mpi/exec/run.h"

/* Between calls: posts the receive, if it is not posted. An MPI error code. */
int gb_listen_post(gb_wire *w, unsigned ear);

/* Before call number `sequence`: keeps the headers that have arrived for the call to handle, but notes at
 * once which earlier call has failed (w->doubt). hellos: also looks for HELLOs. These do not tell of
 * failures: a rank that waits for something in the call receives them there, others look for them here. An
 * MPI error code. */
int gb_listen_peek(gb_wire *w, uint64_t sequence, bool hellos);

/* In a call: posts the receive, or takes it over from between calls. An MPI error code. */
int gb_listen(gb_run *run, unsigned ear);

/* Ends the receives, when the communicator is closed. */
void gb_listen_end(gb_wire *w);

#endif
