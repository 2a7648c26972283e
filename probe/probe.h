/* gbcast-probe: measures the network between the ranks of a job and writes a hosts file. */
#ifndef GB_PROBE_PROBE_H
#define GB_PROBE_PROBE_H

#include "probe/analysis.h"
#include <mpi.h>

typedef struct gb_probe_options {
  const char *hosts;  /* NULL: the sites are found */
  const char *output; /* NULL: standard output */
  bool merge;         /* the numbers of `hosts` are updated, and its text is written to `output` */
  bool check;         /* says what is wrong in `hosts` in place of writing a file */
  uint64_t size[GB_PROBE_SIZES];
  uint32_t size_count;
  double budget; /* seconds; INFINITY: as long as enough samples of everything take */
  bool quiet;
  const char *version;
} gb_probe_options;

/* Collective. Returns the exit status, the same on every rank; rank 0 has said what went wrong. An MPI error
 * in the middle ends the job. */
int gb_probe_run(MPI_Comm comm, const gb_probe_options *options);

#endif
