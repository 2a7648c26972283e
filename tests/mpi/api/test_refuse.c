/* Arguments that MPI refuses, of every call, wrong on all ranks alike: the class, and that the next call
 * works. */
#include "tests/support/mpi/check.h"
#include <limits.h>

#define EXPECT(wanted, call)                                                                                 \
  do {                                                                                                       \
    int expect_class = class_of(call);                                                                       \
    CHECK(expect_class == (wanted), "%s: class %d, expected %d", #call, expect_class, (wanted));             \
  } while (0)

static void still_works(MPI_Comm comm) {
  int value = rank_in(comm) == 0 ? 5 : 0, mine = -1, size = size_of(comm);
  int *all = allocate(sizeof *all * (size_t)size);
  for (int r = 0; r < size; r++)
    all[r] = r;
  MUST(gbcast(&value, sizeof value, 0, comm));
  MUST(gbcast_scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, 0, comm));
  CHECK(value == 5 && mine == rank_in(comm), "after the errors: got %d and %d", value, mine);
  free(all);
}

static void scatter(MPI_Comm comm) {
  int size = size_of(comm), last = size - 1, mine = 0;
  int *all = calloc((size_t)size, sizeof *all);
  CHECK(all != NULL, "no memory");
  EXPECT(MPI_ERR_COUNT, gbcast_scatter(all, -1, MPI_INT, &mine, -1, MPI_INT, last, comm));
  EXPECT(MPI_ERR_COUNT, gbcast_scatter(all, (MPI_Count)INT_MIN - 1, MPI_INT, &mine, (MPI_Count)INT_MIN - 1,
                                       MPI_INT, 0, comm));
  EXPECT(MPI_ERR_TYPE, gbcast_scatter(all, 1, MPI_DATATYPE_NULL, &mine, 1, MPI_DATATYPE_NULL, 0, comm));
  EXPECT(MPI_ERR_ROOT, gbcast_scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, -1, comm));
  EXPECT(MPI_ERR_ROOT, gbcast_scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, size, comm));
  if (size > 1) /* alone it is MPI's, and Open MPI's does not look */
    EXPECT(MPI_ERR_BUFFER, gbcast_scatter(NULL, 1, MPI_INT, NULL, 1, MPI_INT, 0, comm));
  EXPECT(MPI_SUCCESS, gbcast_scatter(NULL, 0, MPI_INT, NULL, 0, MPI_INT, last, comm));
  still_works(comm);
  free(all);
}

static void scatterv(MPI_Comm comm) {
  int size = size_of(comm), last = size - 1, mine = 0;
  int *all = calloc((size_t)size, sizeof *all);
  MPI_Count *count = calloc((size_t)size, sizeof *count);
  MPI_Aint *place = calloc((size_t)size, sizeof *place);
  CHECK(all != NULL && count != NULL && place != NULL, "no memory");
  EXPECT(MPI_SUCCESS, gbcast_scatterv(all, count, place, MPI_INT, NULL, 0, MPI_INT, 0, comm));
  count[last] = -1;
  EXPECT(MPI_ERR_COUNT, gbcast_scatterv(all, count, place, MPI_INT, &mine, -1, MPI_INT, last, comm));
  EXPECT(MPI_ERR_TYPE,
         gbcast_scatterv(all, count, place, MPI_DATATYPE_NULL, &mine, 1, MPI_DATATYPE_NULL, 0, comm));
  EXPECT(MPI_ERR_ROOT, gbcast_scatterv(all, count, place, MPI_INT, &mine, 1, MPI_INT, size, comm));
  count[last] = 1;
  if (size > 1)
    EXPECT(MPI_ERR_BUFFER, gbcast_scatterv(NULL, count, place, MPI_INT, NULL, 1, MPI_INT, 0, comm));
  still_works(comm);
  free(all);
  free(count);
  free(place);
}

static void alltoall(MPI_Comm comm) {
  const int size = size_of(comm);
  int *send = calloc((size_t)size, sizeof *send), *receive = calloc((size_t)size, sizeof *receive);
  CHECK(send != NULL && receive != NULL, "no memory");
  EXPECT(MPI_ERR_COUNT, gbcast_alltoall(send, -1, MPI_INT, receive, -1, MPI_INT, comm));
  EXPECT(MPI_ERR_TYPE, gbcast_alltoall(send, 1, MPI_DATATYPE_NULL, receive, 1, MPI_DATATYPE_NULL, comm));
  if (size > 1) {
    EXPECT(MPI_ERR_BUFFER, gbcast_alltoall(NULL, 1, MPI_INT, NULL, 1, MPI_INT, comm));
    EXPECT(MPI_ERR_BUFFER, gbcast_alltoall(send, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm));
    EXPECT(MPI_ERR_TRUNCATE, gbcast_alltoall(send, 1, MPI_INT, receive, 1, MPI_CHAR, comm));
    EXPECT(MPI_ERR_COUNT,
           gbcast_alltoall(send, INT64_MAX / 2, MPI_DOUBLE, receive, INT64_MAX / 2, MPI_DOUBLE, comm));
  }
  EXPECT(MPI_SUCCESS, gbcast_alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm));
  still_works(comm);
  free(send);
  free(receive);
}

static void broadcast(MPI_Comm comm) {
  int value = 0, size = size_of(comm);
  EXPECT(MPI_ERR_COUNT, gbcast_bcast(&value, (MPI_Count)INT_MIN - 1, MPI_INT, 0, comm));
  EXPECT(MPI_ERR_COUNT, gbcast_bcast(&value, -1, MPI_INT, size - 1, comm));
  EXPECT(MPI_ERR_TYPE, gbcast_bcast(&value, 1, MPI_DATATYPE_NULL, 0, comm));
  EXPECT(MPI_ERR_ROOT, gbcast_bcast(&value, 1, MPI_INT, size, comm));
  EXPECT(MPI_ERR_COUNT, gbcast(&value, SIZE_MAX, 0, comm));
  if (size > 1) {
    EXPECT(MPI_ERR_BUFFER, gbcast_bcast(NULL, 1, MPI_INT, 0, comm));
    EXPECT(MPI_ERR_COUNT, gbcast_bcast(&value, INT64_MAX / 2, MPI_DOUBLE_COMPLEX, 0, comm));
  }
  EXPECT(MPI_ERR_COMM, gbcast(&value, sizeof value, 0, MPI_COMM_NULL));
  still_works(comm);
}

static void explain(MPI_Comm comm) {
  char *text = NULL;
  EXPECT(MPI_ERR_ARG, gbcast_explain(comm, 1, 0, NULL));
  EXPECT(MPI_ERR_ROOT, gbcast_explain(comm, 1, size_of(comm), &text));
  EXPECT(MPI_ERR_ROOT, gbcast_explain_scatter(comm, 1, -1, &text));
  EXPECT(MPI_ERR_ARG, gbcast_explain_alltoall(comm, 1, NULL));
  CHECK(text == NULL, "a text after an error");
  EXPECT(MPI_ERR_COMM, gbcast_explain(MPI_COMM_NULL, 1, 0, &text));
}

int main(int argc, char **argv) {
  static const char *const intra[] = {NULL, "flat", "chain", "native"};
  MPI_Comm comm;
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)); /* it hears of MPI_COMM_NULL */
  for (int i = 0; i < 5; i++) {
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    if (i < 4) /* else without a hosts file */
      MUST(set_up(comm, i < 2 ? "grid-mixed.txt" : "grid-flat.txt", NULL, intra[i], NULL));
    broadcast(comm);
    scatter(comm);
    scatterv(comm);
    alltoall(comm);
    explain(comm);
    MUST(MPI_Comm_free(&comm));
  }
  MUST(MPI_Finalize());
  return 0;
}
