/* Setting a communicator up: rank 0 reads the settings and the hosts file, and every rank gets the same
 * inputs. */
#ifndef GB_MPI_SETUP_H
#define GB_MPI_SETUP_H

#include "mpi/comm.h"

/* Local: nothing but rank and size is known. number: how many this process has made before. */
int gb_setup_new(MPI_Comm comm, gb_preload *preload, uint32_t number, gb_comm **out);

/* Collective: all that is known but the duplicate, or why all is left to MPI. The same error class on every
 * rank; rank 0 says on stderr what is wrong. */
int gb_setup_make(gb_comm *c);

/* Back to what gb_setup_new() made. */
void gb_setup_reset(gb_comm *c);

/* Frees all of it, the duplicate too. NULL is allowed. */
void gb_setup_free(gb_comm *c);

#endif
