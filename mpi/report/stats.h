/* GBCAST_STATS: writes what the calls of a job did to a file for other programs. */
#ifndef GB_MPI_REPORT_STATS_H
#define GB_MPI_REPORT_STATS_H

#include "mpi/report/tally.h"

/* Writes the tally of rank 0 to `path`, as by gb_write_file(): in the text format of Prometheus if the name
 * ends in .prom, otherwise as JSON (gbcast(7) lists the members). ranks: the size of MPI_COMM_WORLD. Returns
 * 0, or an errno. */
int gb_stats_write(const char *path, const gb_tally *tally, int ranks);

#endif
