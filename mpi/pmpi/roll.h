/* Rank 0's list of the ranks that have the preloaded library. */
#ifndef GB_MPI_PMPI_ROLL_H
#define GB_MPI_PMPI_ROLL_H

#include "mpi/api/api.h"

typedef struct gb_roll {
  int size;
  bool wanted;  /* there is a hosts file, or a setting is wrong, which the set-up will print */
  bool by_name; /* ranks map to hosts by their names */
  bool *there;  /* by rank: has answered; true for rank 0 itself */
  char (*name)[MPI_MAX_PROCESSOR_NAME]; /* by rank: of those that have answered */
  gb_settings settings;
} gb_roll;

/* Makes the list and reads the settings. false: no memory. To be closed in any case. */
bool gb_roll_open(int size, gb_roll *roll);
void gb_roll_close(gb_roll *roll);

/* Prints the ranks that have not answered for so many seconds and, if there is a hosts file, their hosts. */
void gb_roll_tell(const gb_roll *roll, double seconds);

/* On another rank: prints that rank 0 has not answered. If the launcher tells which rank is the first on each
 * host, only these and rank 1 do so. */
void gb_roll_tell_first(int rank, double seconds);

#endif
