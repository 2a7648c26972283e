/* An all-to-all that gbcast-plan --emit-c wrote, next to MPI_Alltoall.
 *
 *   generated_alltoall WORDS BLOCKS [BLOCKS...]     that one call sends over all ranks; before each barrier
 */
#include "tests/plan/codegen/generated.h"

int gbcast_generated_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                              int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

typedef struct side {
  int count;
  MPI_Datatype type;
  size_t room; /* bytes for the blocks of all ranks, and some behind */
} side;

static side side_of(int count, MPI_Datatype type, MPI_Comm comm) {
  MPI_Aint lower, extent;
  int ranks;
  MUST(MPI_Type_get_extent(type, &lower, &extent));
  MUST(MPI_Comm_size(comm, &ranks));
  return (side){count, type, (size_t)extent * (size_t)count * (size_t)ranks + 16};
}

/* The same bytes in both buffers before and after, holes and what lies behind included. */
static void compare(side send, side receive, MPI_Comm comm) {
  char *data = allocate(send.room), *ours = allocate(receive.room), *theirs = allocate(receive.room);
  fill(data, send.room, rank);
  fill(ours, receive.room, 100 + rank);
  fill(theirs, receive.room, 100 + rank);
  forget();
  MUST(gbcast_generated_alltoall(data, send.count, send.type, ours, receive.count, receive.type, comm));
  MUST(MPI_Alltoall(data, send.count, send.type, theirs, receive.count, receive.type, comm));
  CHECK(memcmp(ours, theirs, receive.room) == 0, "rank %d: blocks of %d elements differ", rank,
        receive.count);
  free(data);
  free(ours);
  free(theirs);
}

static void compare_in_place(side both) {
  char *ours = allocate(both.room), *theirs = allocate(both.room);
  fill(ours, both.room, rank);
  fill(theirs, both.room, rank);
  forget();
  MUST(gbcast_generated_alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, ours, both.count, both.type,
                                 MPI_COMM_WORLD));
  MUST(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, theirs, both.count, both.type, MPI_COMM_WORLD));
  CHECK(memcmp(ours, theirs, both.room) == 0, "rank %d: blocks of %d elements in place differ", rank,
        both.count);
  free(ours);
  free(theirs);
}

static void compare_types(void) {
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Datatype holes = type_with_holes();
  compare(side_of(5, holes, world), side_of(5, holes, world), world);
  compare(side_of(15, MPI_INT, world), side_of(5, holes, world), world);
  compare(side_of(5, holes, world), side_of(15, MPI_INT, world), world);
  compare(rank % 2 == 0 ? side_of(5, holes, world) : side_of(15, MPI_INT, world),
          rank % 3 == 0 ? side_of(5, holes, world) : side_of(15, MPI_INT, world), world);
  compare_in_place(side_of(7, holes, world));
  MUST(MPI_Type_free(&holes));
}

/* Calls that the plan is not for, and one on a communicator that is freed. */
static void compare_others(void) {
  compare(side_of(0, MPI_INT, MPI_COMM_WORLD), side_of(0, MPI_INT, MPI_COMM_WORLD), MPI_COMM_WORLD);
  MPI_Comm comm = smaller_comm();
  if (comm != MPI_COMM_NULL) {
    compare(side_of(9, MPI_INT, comm), side_of(9, MPI_INT, comm), comm);
    MUST(MPI_Comm_free(&comm));
  }
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  compare(side_of(9, MPI_INT, comm), side_of(9, MPI_INT, comm), comm);
  MUST(MPI_Comm_free(&comm));
}

/* That the routine does what the plan says, and not only what MPI_Alltoall does. words: -1: not known. */
static void count_messages(long words, long blocks, char **at_barrier) {
  long sum[2];
  compare(side_of(9, MPI_INT, MPI_COMM_WORLD), side_of(9, MPI_INT, MPI_COMM_WORLD), MPI_COMM_WORLD);
  MUST(MPI_Allreduce((long[2]){seen.words, seen.blocks}, sum, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
  CHECK(sum[0] == words || words < 0, "%ld words, expected %ld", sum[0], words);
  CHECK(sum[1] == blocks, "%ld blocks, expected %ld", sum[1], blocks);
  long barriers = 0;
  for (; at_barrier[barriers] != NULL; barriers++) {
    CHECK(barriers < seen.barriers, "%ld barriers, expected more", barriers);
    MUST(MPI_Allreduce(&seen.sent[barriers], sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum[0] == atol(at_barrier[barriers]), "%ld blocks before barrier %ld, expected %s", sum[0],
          barriers, at_barrier[barriers]);
  }
  CHECK(barriers == seen.barriers, "%ld barriers, expected %ld", seen.barriers, barriers);
}

int main(int argc, char **argv) {
  static const int counts[] = {1, 3, 1000, 70001};
  int own;
  MPI_Request request;
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MUST(MPI_Comm_size(MPI_COMM_WORLD, &size));
  side_by_side = atol(argv[1]) < 0;
  if (size > 1) /* which MPI_Alltoall of MPICH 4.0 would take on one rank */
    begin_own_message(&own, &request);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    const side both = side_of(counts[i], MPI_BYTE, MPI_COMM_WORLD);
    compare(both, both, MPI_COMM_WORLD);
    compare_in_place(both);
  }
  if (size > 1)
    end_own_message(&own, &request);
  compare_types();
  compare_others();
  count_messages(atol(argv[1]), atol(argv[2]), argv + 3);
  MUST(MPI_Finalize());
  return 0;
}
