/* The roll of a job's ranks, of which some may not have the library: rank 0's. */
#ifndef GB_PMPI_ROLL_H
#define GB_PMPI_ROLL_H

#include "mpi/settings.h"

typedef struct gb_roll {
  int size;
  bool wanted; /* there is a hosts file, or something is wrong with the settings, which the set-up will say */
  bool by_name;                         /* ranks map to hosts by their names */
  bool *there;                          /* by rank: has answered; rank 0's own counts, too */
  char (*name)[MPI_MAX_PROCESSOR_NAME]; /* of each that has */
  gb_settings settings;
} gb_roll;

/* Reads the settings. false: no memory; to be closed in any case. */
bool gb_roll_open(int size, gb_roll *roll);
void gb_roll_close(gb_roll *roll);

/* Names on stderr the ranks that are not there after so many seconds and, by the hosts file, their hosts. */
void gb_roll_tell(const gb_roll *roll, double seconds);

/* On another rank, once on each host and by rank 1: rank 0 has not answered. */
void gb_roll_tell_first(int rank, double seconds);

#endif
