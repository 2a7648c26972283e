/* Runs the cases: each rank writes its transcript to FOLDER/RANK, and rank 0 says how many calls it made that
 * a preloaded library has to take, how many that are MPI's in any case, and how many wrong ones that may go
 * either way. They leave with 77 where a group of cases cannot be run here.
 *
 *   conformance-mpi|conformance-api FOLDER cases|large */
#include "cases.h"
#include <stdlib.h>
#include <string.h>

static bool run(record *r, const char *what) {
  if (strcmp(what, "large") == 0)
    return large_cases(r);
  everywhere(r, bcast_cases);
  everywhere(r, scatter_cases);
  everywhere(r, scatterv_cases);
  everywhere(r, gather_cases);
  everywhere(r, allgather_cases);
  everywhere(r, alltoall_cases);
  everywhere(r, alltoallv_cases);
  everywhere(r, reduction_cases);
  inter_cases(r);
  error_cases(r);
  return true;
}

int main(int argc, char **argv) {
  char path[1024];
  int rank;
  record r = {0};
  must(MPI_Init(&argc, &argv), "MPI_Init");
  must(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  must(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  must(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  if (argc != 3)
    must(MPI_ERR_ARG, "arguments: FOLDER cases|large");
  snprintf(path, sizeof path, "%s/%d", argv[1], rank);
  r.out = fopen(path, "w");
  if (r.out == NULL)
    must(MPI_ERR_ARG, path);
  (void)setvbuf(r.out, NULL, _IOLBF, BUFSIZ); /* how far it came is there when it ends early */
  bool all = run(&r, argv[2]);
  if (fclose(r.out) != 0)
    must(MPI_ERR_OTHER, path);
  if (rank == 0)
    printf("%u %u %u\n", r.calls[OURS], r.calls[MPIS], r.calls[EITHER]);
  must(MPI_Finalize(), "MPI_Finalize");
  return all ? 0 : 77;
}
