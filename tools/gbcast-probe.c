/* gbcast-probe: measures the network of a job, and writes the hosts file that gbcast plans from. */
#include "probe_args.h"

int main(int argc, char **argv) {
  int rank;
  gb_probe_options options;
  if (!gb_rank_start(GBCAST_PROGRAM, &argc, &argv, &rank))
    return 1;
  const enum gb_rank_action action = parse_probe_args(argc, argv, rank == 0, &options);
  return gb_rank_finish(GBCAST_PROGRAM, action,
                        action == GB_RANK_RUN && gb_probe_run(MPI_COMM_WORLD, &options) == 0);
}
