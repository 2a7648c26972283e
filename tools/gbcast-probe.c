/* gbcast-probe: measures the network of a job, and writes the hosts file that gbcast plans from. */
#include "probe_args.h"

#include <stdlib.h>

enum { EXIT_DONE = 0, EXIT_CANNOT = 1, EXIT_USAGE = 2 };

int main(int argc, char **argv) {
  int provided, rank = 0;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
    fputs("gbcast-probe: MPI does not start\n", stderr);
    return EXIT_CANNOT;
  }
  (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  gb_probe_options options;
  int status = EXIT_DONE;
  switch (parse_probe_args(argc, argv, rank == 0, &options)) {
  case GB_PROBE_USAGE:
    status = EXIT_USAGE;
    break;
  case GB_PROBE_RUN:
    status = gb_probe_run(MPI_COMM_WORLD, &options) == 0 ? EXIT_DONE : EXIT_CANNOT;
    break;
  case GB_PROBE_SAID:
    break;
  }
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fputs("gbcast-probe: cannot write to standard output\n", stderr);
    status = EXIT_CANNOT;
  }
  (void)MPI_Finalize();
  return status;
}
