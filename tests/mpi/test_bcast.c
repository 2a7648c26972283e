/* Broadcasts: every algorithm, root and size, and datatypes that differ between ranks. */
#include "check.h"

static void one(size_t n, int root, uint64_t key) {
  unsigned char *buffer = allocate(n + 2);
  memset(buffer, 0xA5, n + 2);
  if (rank_in(MPI_COMM_WORLD) == root)
    fill(buffer + 1, n, key);
  MUST(gbcast(buffer + 1, n, root, MPI_COMM_WORLD));
  size_t at = differs(buffer + 1, n, key);
  CHECK(at == n, "%zu bytes from root %d: byte %zu is wrong", n, root, at);
  CHECK(buffer[0] == 0xA5 && buffer[n + 1] == 0xA5, "%zu bytes from root %d: wrote outside", n, root);
  free(buffer);
}

static void sizes(const size_t *size, size_t count, bool all_roots) {
  int ranks = size_of(MPI_COMM_WORLD);
  for (size_t i = 0; i < count; i++)
    for (int root = 0; root < ranks; root += all_roots || ranks < 3 ? 1 : ranks / 2)
      for (int again = 0; again < 2; again++)
        one(size[i], root, i * 7 + (size_t)root + (size_t)again);
}

static void algorithms(void) {
  static const char *const inter[] = {"extended-dijkstra", "dijkstra", "flat", "chain",
                                      "binomial",          "exact",    "auto"};
  static const char *const intra[] = {"flat",
                                      "flat-rendezvous",
                                      "flat-segmented",
                                      "chain",
                                      "chain-rendezvous",
                                      "chain-segmented",
                                      "binary",
                                      "binomial",
                                      "binomial-rendezvous",
                                      "binomial-segmented",
                                      "linear-contention-free",
                                      "binary-contention-free",
                                      "kary-contention-free",
                                      "binary-shared-links",
                                      "native",
                                      "auto"};
  static const size_t some[] = {1, 1023, 4097, 70001};
  for (size_t i = 0; i < sizeof inter / sizeof *inter; i++) {
    MUST(set_up(MPI_COMM_WORLD, "grid-mixed.txt", inter[i], NULL, "1024"));
    sizes(some, 4, false);
  }
  for (size_t i = 0; i < sizeof intra / sizeof *intra; i++) {
    MUST(set_up(MPI_COMM_WORLD, i % 2 == 0 ? "grid.txt" : "grid-flat.txt", NULL, intra[i], "2k"));
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
  MUST(MPI_Init(&argc, &argv));
  int last = size_of(MPI_COMM_WORLD) - 1;
  sizes(all, 4, true); /* no hosts file */
  MUST(set_up(MPI_COMM_WORLD, "grid.txt", NULL, NULL, NULL));
  sizes(all, 9, true);
  sizes(all, sizeof all / sizeof *all, false);
  MUST(set_up(MPI_COMM_WORLD, "grid-mixed.txt", NULL, "chain-segmented", "512"));
  sizes(all, sizeof all / sizeof *all, false);
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
