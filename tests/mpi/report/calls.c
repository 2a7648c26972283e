/* A program that calls functions of gbcast.h and of MPI, each a known number of times, for run.sh:
 *
 *   calls        on MPI_COMM_WORLD and others
 *   calls apart  on halves of it alone
 *   calls many   more than a trace keeps
 *   calls set    with settings from gbcast_setup() */
#include "tests/support/mpi/check.h"

enum { LONG = 100000, SHORT = 5000, BLOCK = 1000, RANKS_MOST = 16, MANY = 30000 };

static char buffer[LONG], blocks[2][BLOCK * RANKS_MOST];

enum { THREE = 3 }; /* numbers of an operand: 12 bytes, of which no part of a message is a multiple */

static void first(void *in, void *inout, int *length, MPI_Datatype *type) {
  (void)type;
  memcpy(inout, in, (size_t)*length * THREE * sizeof(int));
}

/* 8 that run plans */
static void call_own(MPI_Comm comm) {
  gbcast_handle handle = GBCAST_HANDLE_NULL;
  for (int i = 0; i < 3; i++)
    MUST(gbcast(buffer, sizeof buffer, 0, comm));
  MUST(gbcast_ibcast(buffer, SHORT, MPI_BYTE, 1, comm, &handle));
  MUST(gbcast_wait(&handle));
  MUST(gbcast_bcast_init(buffer, SHORT, MPI_BYTE, 1, comm, &handle));
  for (int i = 0; i < 2; i++) {
    MUST(gbcast_start(&handle));
    MUST(gbcast_wait(&handle));
  }
  MUST(gbcast_handle_free(&handle));
  MUST(gbcast_alltoall(blocks[0], BLOCK, MPI_BYTE, blocks[1], BLOCK, MPI_BYTE, comm));
  MUST(gbcast_barrier(comm));
}

/* 3 that are passed on: on one rank, and with an operator that gbcast does not combine with */
static void pass_on(MPI_Comm comm) {
  MPI_Datatype three;
  MPI_Op op;
  int given[THREE] = {1, 2, 3}, got[THREE];
  MUST(gbcast(buffer, SHORT, 0, MPI_COMM_SELF));
  MUST(gbcast_bcast(buffer, SHORT, MPI_BYTE, 0, MPI_COMM_SELF));
  MUST(MPI_Type_contiguous(THREE, MPI_INT, &three));
  MUST(MPI_Type_commit(&three));
  MUST(MPI_Op_create(first, 0, &op));
  MUST(gbcast_allreduce(given, got, 1, three, op, comm));
  MUST(MPI_Op_free(&op));
  MUST(MPI_Type_free(&three));
}

/* 4 of MPI's, and a non-blocking one */
static void call_mpi(MPI_Comm comm) {
  MPI_Request request;
  for (int i = 0; i < 4; i++)
    MUST(MPI_Bcast(buffer, SHORT, MPI_BYTE, 0, comm));
  MUST(MPI_Ibcast(buffer, SHORT, MPI_BYTE, 0, comm, &request));
  MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void use_files(const char *stats, const char *trace) {
  MPI_Info info;
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "gbcast_stats", stats));
  MUST(MPI_Info_set(info, "gbcast_trace", trace));
  MUST(gbcast_setup(MPI_COMM_WORLD, NULL, info));
  MUST(MPI_Info_free(&info));
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  int rank, level;
  MPI_Comm comm = MPI_COMM_WORLD;
  MUST(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
  MUST(MPI_Comm_rank(comm, &rank));
  if (strcmp(mode, "apart") == 0)
    MUST(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &comm));
  if (strcmp(mode, "set") == 0)
    use_files(argv[2], argv[3]);
  for (int i = 0; strcmp(mode, "many") == 0 && i < MANY; i++)
    MUST(gbcast(buffer, 1, 0, comm));
  call_own(comm);
  pass_on(comm);
  call_mpi(comm);
  if (comm != MPI_COMM_WORLD)
    MUST(MPI_Comm_free(&comm));
  MUST(MPI_Finalize());
  return 0;
}
