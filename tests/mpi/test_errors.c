/* Errors: their classes, the handler, on all ranks alike, and nobody hangs. */
#include "check.h"

static MPI_Comm fresh(void) {
  MPI_Comm comm;
  MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  return comm;
}

static void expect(int code, int wanted, const char *what) {
  int class = code;
  if (code != MPI_SUCCESS)
    MUST(MPI_Error_class(code, &class));
  CHECK(class == wanted, "%s: class %d, expected %d", what, class, wanted);
}

static void arguments(void) {
  MPI_Comm comm = fresh();
  int value = 1, size = size_of(comm);
  MUST(set_up(comm, "grid.txt", NULL, NULL, NULL));
  expect(gbcast(&value, 4, size, comm), MPI_ERR_ROOT, "root too large");
  expect(gbcast(&value, 4, -1, comm), MPI_ERR_ROOT, "root below zero");
  expect(gbcast(NULL, 4, 0, comm), MPI_ERR_BUFFER, "no buffer");
  expect(gbcast(NULL, 0, 0, comm), MPI_SUCCESS, "no buffer for no bytes");
  expect(gbcast_bcast(&value, -1, MPI_INT, 0, comm), MPI_ERR_COUNT, "count below zero");
  expect(gbcast_bcast(&value, 1, MPI_DATATYPE_NULL, 0, comm), MPI_ERR_TYPE, "no type");
  expect(gbcast_scatter(NULL, 1, MPI_INT, NULL, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER,
         "scatter without buffers");
  expect(gbcast_scatter(&value, 1, MPI_INT, &value, 1, MPI_INT, size, comm), MPI_ERR_ROOT, "scatter, root");
  expect(gbcast_scatterv(NULL, NULL, NULL, MPI_INT, &value, 1, MPI_INT, size, comm), MPI_ERR_ROOT,
         "scatterv, root");
  expect(gbcast(&value, 4, 0, comm), MPI_SUCCESS, "a call after errors");
  MUST(MPI_Comm_free(&comm));
}

static void hosts_files(void) {
  MPI_Comm comm = fresh();
  int value = 1;
  char path[1024];
  expect(set_up(comm, "grid-small.txt", NULL, NULL, NULL), MPI_ERR_ARG, "more ranks than slots");
  snprintf(path, sizeof path, "%s/grid-small.txt", GB_TEST_DATA);
  expect(gbcast_setup(comm, path, MPI_INFO_NULL), MPI_ERR_ARG, "names that no processor has");
  expect(gbcast_setup(comm, "/nowhere/hosts.txt", MPI_INFO_NULL), MPI_ERR_ARG, "no such file");
  expect(set_up(comm, "grid.txt", "no-such-name", NULL, NULL), MPI_SUCCESS, "a name is read when planning");
  expect(gbcast(&value, 4, 0, comm), MPI_ERR_ARG, "unknown algorithm");
  expect(set_up(comm, "grid.txt", NULL, NULL, "-3"), MPI_ERR_ARG, "segment below zero");
  expect(gbcast(&value, 4, 0, comm), MPI_SUCCESS, "after all that");
  MUST(MPI_Comm_free(&comm));
}

/* One rank has another size; whoever hears of it says so, and all come back. */
static void sizes_differ(const char *hosts, const char *intra, size_t n, int odd_one) {
  MPI_Comm comm = fresh();
  int size = size_of(comm), rank = rank_in(comm), bad = 0, code, class = MPI_SUCCESS, any;
  char *buffer = calloc(n * 2, 1);
  CHECK(buffer != NULL, "no memory");
  MUST(set_up(comm, hosts, NULL, intra, "4k"));
  code = gbcast(buffer, rank == odd_one ? n - 1 : n, 0, comm);
  if (code != MPI_SUCCESS)
    MUST(MPI_Error_class(code, &class));
  CHECK(code == MPI_SUCCESS || class == MPI_ERR_TRUNCATE, "sizes differ: class %d", class);
  bad = code != MPI_SUCCESS;
  MUST(MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  CHECK(any == 1, "nobody noticed that rank %d of %d has another size", odd_one, size);
  free(buffer);
  MUST(MPI_Comm_free(&comm));
}

static void handler(MPI_Comm *comm, int *code, ...) {
  int class;
  (void)MPI_Error_class(*code, &class);
  MPI_Comm_set_name(*comm, class == MPI_ERR_ROOT ? "root" : "other");
}

static void handler_is_called(void) {
  MPI_Comm comm = fresh();
  MPI_Errhandler mine;
  char name[MPI_MAX_OBJECT_NAME];
  int value = 1, length;
  MUST(set_up(comm, "grid.txt", NULL, NULL, NULL));
  MUST(MPI_Comm_create_errhandler(handler, &mine));
  MUST(MPI_Comm_set_errhandler(comm, mine));
  expect(gbcast(&value, 4, size_of(comm), comm), MPI_ERR_ROOT, "root too large, own handler");
  MUST(MPI_Comm_get_name(comm, name, &length));
  CHECK(strcmp(name, "root") == 0, "the handler was not called: the name is '%s'", name);
  MUST(MPI_Errhandler_free(&mine));
  MUST(MPI_Comm_free(&comm));
}

/* A receiver without room for its block. */
static void scatterv_truncates(void) {
  MPI_Comm comm = fresh();
  int size = size_of(comm), rank = rank_in(comm), last = size - 1;
  MPI_Count *count = allocate(sizeof *count * (size_t)size);
  MPI_Aint *place = allocate(sizeof *place * (size_t)size);
  for (int r = 0; r < size; r++) {
    count[r] = 1000;
    place[r] = 1000 * r;
  }
  char *send = allocate(1000 * (size_t)size), *receive = allocate(1000);
  fill(send, 1000 * (size_t)size, 3);
  MUST(set_up(comm, "grid.txt", NULL, "chain", NULL));
  int code =
      gbcast_scatterv(send, count, place, MPI_BYTE, receive, rank == last ? 999 : 1000, MPI_BYTE, 0, comm);
  expect(code, rank == last ? MPI_ERR_TRUNCATE : MPI_SUCCESS, "scatterv without room");
  free(send);
  free(receive);
  free(count);
  free(place);
  MUST(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  int size = size_of(MPI_COMM_WORLD);
  if (size > 1) {
    arguments();
    hosts_files();
    handler_is_called();
    scatterv_truncates();
    static const size_t n[] = {100, 300000};
    for (int i = 0; i < 2; i++)
      for (int odd = 0; odd < size; odd += size / 3 + 1) {
        sizes_differ("grid.txt", "chain", n[i], odd);
        sizes_differ("grid-mixed.txt", "flat", n[i], odd);
        sizes_differ("grid.txt", "binomial-segmented", n[i], odd);
      }
  }
  MUST(MPI_Finalize());
  return 0;
}
