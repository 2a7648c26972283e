/* GBCAST_STATS: what the calls of a job did, in a file for other programs. */
#ifndef GB_MPI_REPORT_STATS_H
#define GB_MPI_REPORT_STATS_H

#include "mpi/report/tally.h"

/* Writes the tally of rank 0 to `path`: in the text format of Prometheus where the name ends in .prom,
 * otherwise as JSON (gbcast(7) has the members). The file appears complete, as in file.h. ranks: of
 * MPI_COMM_WORLD. Returns 0, or an errno. */
int gb_stats_write(const char *path, const gb_tally *tally, int ranks);

#endif
