/* Setting a communicator up: rank 0 reads the settings and the hosts file, and every rank gets the same
 * inputs. */
#ifndef GB_MPI_SETUP_H
#define GB_MPI_SETUP_H

#include "mpi/comm.h"

/* Collective. Takes the overrides over. number: how many this process has set up before. The same error class
 * on every rank; rank 0 says on stderr what is wrong. */
int gb_setup_make(MPI_Comm comm, gb_overrides *overrides, uint32_t number, gb_comm **out);

/* Frees all of it, the duplicate too. NULL is allowed. */
void gb_setup_free(gb_comm *c);

#endif
