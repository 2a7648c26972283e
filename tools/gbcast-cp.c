/* gbcast-cp: copies a file or a folder to the hosts of all ranks of a job. */
#include "tools/cp_args.h"

#include <stdio.h>

enum { EXIT_DONE = 0, EXIT_CANNOT = 1, EXIT_USAGE = 2 };

int main(int argc, char **argv) {
  int provided, rank = 0;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
    fputs("gbcast-cp: MPI does not start\n", stderr);
    return EXIT_CANNOT;
  }
  (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  gb_cp_options options;
  int status = EXIT_DONE;
  switch (parse_cp_args(argc, argv, rank == 0, &options)) {
  case GB_CP_USAGE:
    status = EXIT_USAGE;
    break;
  case GB_CP_RUN:
    status = gb_cp_run(MPI_COMM_WORLD, &options) == 0 ? EXIT_DONE : EXIT_CANNOT;
    break;
  case GB_CP_SAID:
    break;
  }
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fputs("gbcast-cp: cannot write to standard output\n", stderr);
    status = EXIT_CANNOT;
  }
  (void)MPI_Finalize();
  return status;
}
