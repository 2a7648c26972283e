/* gbcast-cp: copies a file or a folder to the hosts of all ranks of a job. */
#include "cp_args.h"

int main(int argc, char **argv) {
  int rank;
  gb_cp_options options;
  if (!gb_rank_start(GBCAST_PROGRAM, &argc, &argv, &rank))
    return 1;
  const enum gb_rank_action action = parse_cp_args(argc, argv, rank == 0, &options);
  return gb_rank_finish(GBCAST_PROGRAM, action,
                        action == GB_RANK_RUN && gb_cp_run(MPI_COMM_WORLD, &options) == 0);
}
