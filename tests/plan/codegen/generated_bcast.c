/* A broadcast that gbcast-plan --emit-c wrote, next to MPI_Bcast.
 *
 *   generated_bcast ROOT */
#include "tests/plan/codegen/generated.h"

int gbcast_generated_bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

/* The same bytes in both buffers before and after, holes and what lies behind the message included. */
static void compare(int count, MPI_Datatype type, int root, MPI_Comm comm) {
  MPI_Aint lower, extent;
  int me;
  MUST(MPI_Type_get_extent(type, &lower, &extent));
  MUST(MPI_Comm_rank(comm, &me));
  const size_t room = (size_t)extent * (size_t)count + 16;
  char *ours = allocate(room), *theirs = allocate(room);
  fill(ours, room, me);
  fill(theirs, room, me);
  forget();
  MUST(gbcast_generated_bcast(ours, count, type, root, comm));
  MUST(MPI_Bcast(theirs, count, type, root, comm));
  CHECK(memcmp(ours, theirs, room) == 0, "rank %d: %d elements of %ld bytes from %d differ", me, count,
        (long)extent, root);
  free(ours);
  free(theirs);
}

/* Type signatures match, types and counts do not: ints one by one, or in pairs, or with holes. */
static void compare_mixed(int root) {
  enum { SIXES = 700 };
  MPI_Datatype holes = type_with_holes(), pair;
  MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
  MUST(MPI_Type_commit(&pair));
  const MPI_Datatype type = rank % 3 == 0 ? holes : rank % 3 == 1 ? pair : MPI_INT;
  const int count = rank % 3 == 0 ? SIXES * 2 : rank % 3 == 1 ? SIXES * 3 : SIXES * 6;
  static int ours[SIXES * 10], theirs[SIXES * 10];
  fill(ours, sizeof ours, rank);
  fill(theirs, sizeof theirs, rank);
  forget();
  MUST(gbcast_generated_bcast(ours, count, type, root, MPI_COMM_WORLD));
  MUST(MPI_Bcast(theirs, count, type, root, MPI_COMM_WORLD));
  CHECK(memcmp(ours, theirs, sizeof ours) == 0, "rank %d: mixed types differ", rank);
  MUST(MPI_Type_free(&pair));
  MUST(MPI_Type_free(&holes));
}

static void compare_bottom(int root) {
  int data[3] = {rank, rank + 1, rank + 2};
  MPI_Aint place;
  MPI_Datatype type;
  MUST(MPI_Get_address(data, &place));
  MUST(MPI_Type_create_hindexed_block(1, 3, &place, MPI_INT, &type));
  MUST(MPI_Type_commit(&type));
  forget();
  MUST(gbcast_generated_bcast(MPI_BOTTOM, 1, type, root, MPI_COMM_WORLD));
  CHECK(data[0] == root && data[2] == root + 2, "rank %d: MPI_BOTTOM: found %d", rank, data[0]);
  MUST(MPI_Type_free(&type));
}

/* Calls that the plan is not for, and one on a communicator that is freed. */
static void compare_others(int root) {
  compare(1000, MPI_INT, (root + 1) % size, MPI_COMM_WORLD);
  compare(0, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Comm comm = smaller_comm();
  if (comm != MPI_COMM_NULL) {
    compare(1000, MPI_INT, root < size - 1 ? root : 0, comm);
    MUST(MPI_Comm_free(&comm));
  }
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  compare(1000, MPI_INT, root, comm);
  MUST(MPI_Comm_free(&comm));
}

static void compare_errors(int root) {
  int code, class, data = 0;
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  code = gbcast_generated_bcast(&data, -1, MPI_INT, root, MPI_COMM_WORLD);
  MUST(MPI_Error_class(code, &class));
  CHECK(class == MPI_ERR_COUNT, "a negative count gives class %d", class);
  code = gbcast_generated_bcast(&data, 1, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
  MUST(MPI_Error_class(code, &class));
  CHECK(class == MPI_ERR_TYPE, "MPI_DATATYPE_NULL gives class %d", class);
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv) {
  static const int counts[] = {1, 2, 3, 17, 4095, 65537, 1 << 20, 3000001};
  int own;
  MPI_Request request;
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MUST(MPI_Comm_size(MPI_COMM_WORLD, &size));
  const int root = atoi(argv[1]);
  begin_own_message(&own, &request);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    compare(counts[i], MPI_BYTE, root, MPI_COMM_WORLD);
  for (int i = 0; i < 30; i++)
    compare(i * 3 + 1, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Datatype holes = type_with_holes();
  compare(1, holes, root, MPI_COMM_WORLD);
  compare(33333, holes, root, MPI_COMM_WORLD);
  compare(777, MPI_DOUBLE_INT, root, MPI_COMM_WORLD);
  MUST(MPI_Type_free(&holes));
  compare_mixed(root);
  compare_bottom(root);
  end_own_message(&own, &request);
  compare_others(root);
  compare_errors(root);
  MUST(MPI_Finalize());
  return 0;
}
