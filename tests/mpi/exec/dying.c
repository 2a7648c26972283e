/* A rank that dies in a broadcast: dying FOLDER VICTIM MESSAGE. The victim kills itself when it is about to
 * hand MPI the data message of that number, from 1, or has just asked for it. Each rank writes to FOLDER/RANK
 * its process number and, of each broadcast, whether it succeeded and the bytes are right. */
#include "tests/support/mpi/check.h"
#include <signal.h>

enum { BYTES = 1 << 20, SEGMENT = 1 << 14, CALLS = 2 };

static int left = -1; /* data messages until this rank dies */

static void count(int bytes) {
  if (bytes == SEGMENT && left > 0 && --left == 0)
    (void)raise(SIGKILL);
}

/* In the place of MPI's. */
#define SENDS(name)                                                                                          \
  int MPI_##name(const void *from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,                 \
                 MPI_Request *request) {                                                                     \
    count(n);                                                                                                \
    return PMPI_##name(from, n, type, to, tag, comm, request);                                               \
  }
SENDS(Isend)
SENDS(Issend)
int MPI_Irecv(void *to, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
  int rc = PMPI_Irecv(to, n, type, from, tag, comm, request);
  count(n);
  return rc;
}

int main(int argc, char **argv) {
  char path[1024];
  MUST(MPI_Init(&argc, &argv));
  const int rank = rank_in(MPI_COMM_WORLD);
  CHECK(argc == 4, "expected a folder, a rank and a number");
  snprintf(path, sizeof path, "%s/%d", argv[1], rank);
  FILE *file = fopen(path, "w");
  CHECK(file != NULL, "cannot write %s", path);
  fprintf(file, "%ld\n", (long)getpid());
  fflush(file);
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  MUST(set_up(MPI_COMM_WORLD, "grid-mixed.txt", "chain", "binomial", "16k"));
  unsigned char *buffer = allocate(BYTES);
  if (rank == atoi(argv[2]))
    left = atoi(argv[3]);
  for (uint64_t call = 0; call < CALLS; call++) {
    fill(buffer, BYTES, rank == 0 ? call : ~call);
    int rc = gbcast(buffer, BYTES, 0, MPI_COMM_WORLD);
    fprintf(file, "%s\n",
            rc != MPI_SUCCESS                       ? "error"
            : differs(buffer, BYTES, call) == BYTES ? "right"
                                                    : "wrong");
    fflush(file);
    if (rc != MPI_SUCCESS)
      MPI_Abort(MPI_COMM_WORLD, 2);
  }
  free(buffer);
  (void)fclose(file);
  MUST(MPI_Finalize());
  return 0;
}
