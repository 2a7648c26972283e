/* Broadcasts: every algorithm, root and size, and datatypes that differ between ranks. */
#include "tests/support/mpi/check.h"

static void sizes(const size_t *size, size_t count, bool all_roots) {
  int ranks = size_of(MPI_COMM_WORLD);
  for (size_t i = 0; i < count; i++)
    for (int root = 0; root < ranks; root += all_roots || ranks < 3 ? 1 : ranks / 2)
      for (int again = 0; again < 2; again++)
        check_broadcast(size[i], root, i * 7 + (size_t)root + (size_t)again);
}

/* Pairs of algorithms, on three sites whose ranks alternate; each alone on other grids too. */
static void algorithms(void) {
  static const char *const file[] = {"grid.txt", "grid-flat.txt"};
  static const size_t some[] = {1, 1023, 4097, 70001};
  algorithm_names names = algorithms_for("bcast");
  for (int i = 0; i < names.intra; i++) {
    for (int j = 0; j < turns(); j++) {
      MUST(
          set_up(MPI_COMM_WORLD, "grid-mixed.txt", inter_in_turn(&names, i, j), names.intra_name[i], "1024"));
      sizes(some + (i + j) % 3, 2, false);
    }
    MUST(set_up(MPI_COMM_WORLD, file[i % 2], NULL, names.intra_name[i], "2k"));
    sizes(some, 4, false);
  }
}

/* The same signature, count * (int, double), laid out in another way on each rank. */
static void datatypes(MPI_Count count, int root) {
  struct loose {
    double d;
    char hole[5];
    int i;
  };
  int rank = rank_in(MPI_COMM_WORLD);
  MPI_Datatype pair, type;
  int length[2] = {1, 1};
  MPI_Aint place[2] = {offsetof(struct loose, i), offsetof(struct loose, d)};
  MPI_Datatype part[2] = {MPI_INT, MPI_DOUBLE};
  MUST(MPI_Type_create_struct(2, length, place, part, &pair));
  MUST(MPI_Type_create_resized(pair, 0, sizeof(struct loose), &type));
  MUST(MPI_Type_free(&pair));
  if (rank % 3 == 2) { /* the whole message as one element */
    pair = type;
    MUST(MPI_Type_contiguous((int)count, pair, &type));
    MUST(MPI_Type_free(&pair));
  }
  MUST(MPI_Type_commit(&type));
  struct loose *data = calloc((size_t)count, sizeof *data);
  CHECK(data != NULL, "no memory");
  for (MPI_Count i = 0; rank == root && i < count; i++) {
    data[i].i = (int)i * 3 + 1;
    data[i].d = (double)i / 4;
  }
  MUST(gbcast_bcast(data, rank % 3 == 2 ? 1 : count, type, root, MPI_COMM_WORLD));
  for (MPI_Count i = 0; i < count; i++)
    CHECK(data[i].i == (int)i * 3 + 1 && data[i].d == (double)i / 4, "struct: element %lld is wrong",
          (long long)i);
  free(data);
  MUST(MPI_Type_free(&type));
}

/* Contiguous on even ranks, every third integer on odd ones. */
static void vectors(int count, int root) {
  int rank = rank_in(MPI_COMM_WORLD), stride = rank % 2 == 0 ? 1 : 3;
  MPI_Datatype type;
  MUST(MPI_Type_vector(count, 1, stride, MPI_INT, &type));
  MUST(MPI_Type_commit(&type));
  int *data = calloc((size_t)count * 3, sizeof *data);
  CHECK(data != NULL, "no memory");
  for (int i = 0; rank == root && i < count; i++)
    data[i * stride] = i + 5;
  if (stride == 1)
    MUST(gbcast_bcast(data, count, MPI_INT, root, MPI_COMM_WORLD));
  else
    MUST(gbcast_bcast(data, 1, type, root, MPI_COMM_WORLD));
  for (int i = 0; i < count; i++)
    CHECK(data[i * stride] == i + 5, "vector: element %d is wrong", i);
  for (int i = 0; stride == 3 && i < count; i++)
    CHECK(data[i * 3 + 1] == 0, "vector: wrote into a hole at %d", i);
  free(data);
  MUST(MPI_Type_free(&type));
}

int main(int argc, char **argv) {
  static const size_t all[] = {0,    1,    2,     7,     511,   512,   513,   1000,    4095,
                               4096, 4097, 16383, 16385, 65535, 65536, 65537, 1 << 20, 1000003};
  /* around what MPICH sends at once through shared memory: cells of 69632 bytes, with a header */
  static const size_t eager[] = {69503, 69535, 69567, 69568, 69569, 69631, 69632, 69633, 139264, 139265};
  MUST(MPI_Init(&argc, &argv));
  int last = size_of(MPI_COMM_WORLD) - 1;
  sizes(all, 4, true); /* no hosts file */
  MUST(set_up(MPI_COMM_WORLD, "grid.txt", NULL, NULL, NULL));
  sizes(all, 9, true);
  sizes(all, sizeof all / sizeof *all, false);
  sizes(eager, sizeof eager / sizeof *eager, false);
  MUST(set_up(MPI_COMM_WORLD, "grid-mixed.txt", NULL, "chain-segmented", "512"));
  sizes(all, last < 5 ? 18 : 15, false); /* 1 MB in 512 bytes is a lot of messages */
  MUST(set_up(MPI_COMM_WORLD, "grid-mixed.txt", NULL, "chain-segmented", "69632"));
  sizes(eager, sizeof eager / sizeof *eager, false);
  for (int i = 0; i < 2; i++) {
    datatypes(1, 0);
    datatypes(1000, last);
    vectors(3, last);
    vectors(30000, 0);
  }
  algorithms();
  MUST(MPI_Finalize());
  return 0;
}
