/* gbcast-probe measures the network between the ranks of a job and writes a hosts file. */
#ifndef GB_PROBE_PROBE_H
#define GB_PROBE_PROBE_H

#include "probe/analysis.h"
#include <mpi.h>

typedef struct gb_probe_options {
  const char *hosts;  /* the hosts file whose sites are measured; NULL: find the sites */
  const char *output; /* NULL: standard output */
  bool merge;         /* update the numbers in the text of `hosts`, and write that to `output` */
  bool check;         /* write no file, but say which lines of `hosts` are wrong */
  uint64_t size[GB_PROBE_SIZES];
  uint32_t size_count;
  double budget; /* seconds; INFINITY: as long as enough samples of everything take */
  bool quiet;
  const char *version;
} gb_probe_options;

/* Collective. Returns the exit status, which is the same on every rank: 0, or 1 if the network cannot be
 * measured, the file cannot be written, or `check` has found a wrong line. Rank 0 has printed the reason. An
 * MPI error ends the job. */
int gb_probe_run(MPI_Comm comm, const gb_probe_options *options);

#endif
