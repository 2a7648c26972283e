/* gbcast_handle_free() of calls that are under way, over, or not begun: each handle is freed once. */
#include "tests/support/mpi/calls.h"
#include <malloc.h>

/* What is freed must not be read any more. It is linked with --wrap. */
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block) {
  if (block != NULL)
    memset(block, 0xff, malloc_usable_size(block));
  __real_free(block);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

static void must_be_gone(gbcast_handle *handle) {
  MUST(gbcast_handle_free(handle));
  CHECK(*handle == GBCAST_HANDLE_NULL, "the handle is still there");
  const int class = class_of(gbcast_handle_free(handle));
  CHECK(class == MPI_ERR_REQUEST, "no handle: class %d", class);
}

static void check(size_t n, int root) {
  const MPI_Count count = (MPI_Count)n;
  char *buffer = allocate(n);
  gbcast_handle handle;
  for (int started = 0; started < 4; started++) {
    const bool persistent = started < 3;
    if (rank_in(MPI_COMM_WORLD) == root)
      fill(buffer, n, (uint64_t)started);
    if (persistent)
      MUST(gbcast_bcast_init(buffer, count, MPI_BYTE, root, MPI_COMM_WORLD, &handle));
    else
      MUST(gbcast_ibcast(buffer, count, MPI_BYTE, root, MPI_COMM_WORLD, &handle));
    for (int i = 1; persistent && i <= started; i++) {
      MUST(gbcast_start(&handle));
      if (i < started)
        MUST(gbcast_wait(&handle));
    }
    must_be_gone(&handle);
    CHECK(started == 0 || differs(buffer, n, (uint64_t)started) == n, "%zu bytes: some are wrong", n);
  }
  MUST(gbcast_bcast_init(buffer, count, MPI_BYTE, root, MPI_COMM_WORLD, &handle));
  MUST(gbcast_start(&handle));
  MUST(gbcast_wait(&handle));
  must_be_gone(&handle);
  free(buffer);
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  const int last = size_of(MPI_COMM_WORLD) - 1;
  check(1000, 0);
  MUST(set_up(MPI_COMM_WORLD, "grid-mixed.txt", NULL, "binomial", NULL));
  for (size_t n = 0; n < 300000; n = 10 * n + 1)
    check(n, n % 2 == 0 ? 0 : last);
  MUST(MPI_Finalize());
  return 0;
}
