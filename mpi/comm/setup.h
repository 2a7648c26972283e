/* Setting a communicator up: rank 0 reads the settings and the hosts file, and every rank gets the same
 * inputs. */
#ifndef GB_MPI_COMM_SETUP_H
#define GB_MPI_COMM_SETUP_H

#include "mpi/comm/state.h"

/* Local: makes a gb_comm that knows its rank and size. number: how many this process has made before. */
int gb_setup_new(MPI_Comm comm, gb_preload *preload, uint32_t number, gb_comm **out);

/* Collective: fills in all but the duplicate, or c->left. *alike: every rank returns the same error class,
 * and rank 0 has printed what is wrong; other errors are this rank's alone. An MPI error code. */
int gb_setup_make(gb_comm *c, bool *alike);

/* Collective: returns to what gb_setup_new() made. */
void gb_setup_reset(gb_comm *c);

/* Frees all of it, the duplicate too. NULL is allowed. */
void gb_setup_free(gb_comm *c);

#endif
