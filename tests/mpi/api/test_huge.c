/* Messages and blocks past 2 GiB, where sizes no longer fit an int. Two ranks. Unless GB_TEST_FULL is set,
 * one broadcast in one piece alone. Only the bytes at the ends and around each GiB are written and read, so
 * that the sender's buffer is mostly the kernel's page of zeros. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "tests/support/mpi/check.h"
#include <sys/mman.h>

enum { around = 100, skipped = 77 };

static const size_t gib = (size_t)1 << 30, needed = (size_t)6 << 30;

/* Fresh pages of zeros: calloc() may have touched them. */
static unsigned char *map(size_t n) {
  void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(p != MAP_FAILED, "no room for %zu bytes", n);
  return p;
}

static unsigned char marked(size_t i) {
  return (unsigned char)(pattern(3, i) | 1); /* never what a fresh page holds */
}

/* Writes, or only checks, the bytes less than `around` away from 0, each GiB and the end. */
static void visit(unsigned char *buffer, size_t n, bool write, const char *what) {
  for (size_t centre = 0; centre < n + gib; centre += gib) {
    size_t middle = centre < n ? centre : n, from = middle > around ? middle - around : 0;
    for (size_t i = from; i < middle + around && i < n; i++) {
      if (write)
        buffer[i] = marked(i);
      CHECK(buffer[i] == marked(i), "%s: byte %zu of %zu is wrong", what, i, n);
    }
  }
}

static void broadcast(size_t n) {
  unsigned char *buffer = map(n);
  int root = 1;
  if (rank_in(MPI_COMM_WORLD) == root)
    visit(buffer, n, true, "broadcast");
  MUST(gbcast(buffer, n, root, MPI_COMM_WORLD));
  visit(buffer, n, false, "broadcast");
  munmap(buffer, n);
}

/* Rank `holes` has pages with a byte between them, the other one more than INT_MAX bytes in one piece. */
static void broadcast_packed(int holes) {
  const size_t page = 4096, count = 2 * gib / page + 3, n = page * count;
  bool loose = rank_in(MPI_COMM_WORLD) == holes;
  size_t stride = loose ? page + 1 : page;
  unsigned char *buffer = map(stride * count);
  MPI_Datatype whole, spaced;
  MUST(MPI_Type_contiguous((int)page, MPI_BYTE, &whole));
  MUST(MPI_Type_create_resized(whole, 0, (MPI_Aint)page + 1, &spaced));
  MUST(MPI_Type_commit(&spaced));
  bool root = rank_in(MPI_COMM_WORLD) == 0;
  for (size_t at = 0; root && at < count;
       at += at < 3 || at + 5 > count ? 1 : 131) /* some pages, both ends */
    buffer[at * stride + at % page] = marked(at);
  if (loose)
    MUST(gbcast_bcast(buffer, (MPI_Count)count, spaced, 0, MPI_COMM_WORLD));
  else
    MUST(gbcast_bcast(buffer, (MPI_Count)n, MPI_BYTE, 0, MPI_COMM_WORLD));
  for (size_t at = 0; at < count; at += at < 3 || at + 5 > count ? 1 : 131)
    CHECK(buffer[at * stride + at % page] == marked(at), "packed: page %zu is wrong", at);
  for (size_t at = 0; loose && at < count; at++)
    CHECK(buffer[at * stride + page] == 0, "packed: wrote into the hole behind page %zu", at);
  MUST(MPI_Type_free(&whole));
  MUST(MPI_Type_free(&spaced));
  munmap(buffer, stride * count);
}

/* One element that is larger than an int counts, of 2^20 rows with a hole behind each; the other rank has it
 * in one piece. */
static void broadcast_element(int holes) {
  const size_t row = 2051, rows = 1 << 20, n = row * rows;
  bool loose = rank_in(MPI_COMM_WORLD) == holes;
  size_t stride = loose ? row + 1 : row;
  unsigned char *buffer = map(stride * rows);
  MPI_Datatype element;
  MUST(MPI_Type_vector((int)rows, (int)row, (int)row + 1, MPI_BYTE, &element));
  MUST(MPI_Type_commit(&element));
  bool root = rank_in(MPI_COMM_WORLD) == 0;
  for (size_t at = 0; root && at < rows; at += 131)
    buffer[at * stride + at % row] = marked(at);
  if (loose)
    MUST(gbcast_bcast(buffer, 1, element, 0, MPI_COMM_WORLD));
  else
    MUST(gbcast_bcast(buffer, (MPI_Count)n, MPI_BYTE, 0, MPI_COMM_WORLD));
  for (size_t at = 0; at < rows; at += 131)
    CHECK(buffer[at * stride + at % row] == marked(at), "one element: row %zu is wrong", at);
  for (size_t at = 0; loose && at < rows; at++)
    CHECK(buffer[at * stride + row] == 0, "one element: wrote into the hole behind row %zu", at);
  MUST(MPI_Type_free(&element));
  munmap(buffer, stride * rows);
}

static void scatter(size_t block, bool uneven) {
  const char *what = uneven ? "scatterv" : "scatter";
  bool root = rank_in(MPI_COMM_WORLD) == 0;
  unsigned char *buffer = map(root ? 2 * block : block);
  MPI_Count count[2] = {1, (MPI_Count)block};
  MPI_Aint place[2] = {0, (MPI_Aint)block};
  if (root)
    visit(buffer + block, block, true, what);
  void *receive = root ? MPI_IN_PLACE : (void *)buffer;
  if (uneven)
    MUST(gbcast_scatterv(buffer, count, place, MPI_BYTE, receive, (MPI_Count)block, MPI_BYTE, 0,
                         MPI_COMM_WORLD));
  else
    MUST(gbcast_scatter(buffer, (MPI_Count)block, MPI_BYTE, receive, (MPI_Count)block, MPI_BYTE, 0,
                        MPI_COMM_WORLD));
  if (!root)
    visit(buffer, block, false, what);
  munmap(buffer, root ? 2 * block : block);
}

/* What Linux says is free, in bytes; 0 when it does not say. */
static size_t available(void) {
  FILE *in = fopen("/proc/meminfo", "r");
  char line[128];
  unsigned long long kib = 0;
  while (in != NULL && fgets(line, sizeof line, in) != NULL && sscanf(line, "MemAvailable: %llu", &kib) != 1)
    continue;
  if (in != NULL)
    fclose(in);
  return (size_t)kib << 10;
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  int enough = available() >= needed;
  MUST(MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD));
  if (enough) {
    broadcast(2 * gib + 17); /* no hosts file */
  }
  if (enough && getenv("GB_TEST_FULL") != NULL) {
    MUST(set_up(MPI_COMM_WORLD, "grid-mixed.txt", NULL, NULL, NULL));
    broadcast_packed(0);
    broadcast_packed(1);
    broadcast_element(0);
    broadcast_element(1);
    scatter(2 * gib + 5, false);
    scatter(2 * gib + 5, true);
  }
  if (!enough && rank_in(MPI_COMM_WORLD) == 0) {
    printf("skipped: %zu MiB of memory are free, and %zu are needed\n", available() >> 20, needed >> 20);
  }
  MUST(MPI_Finalize());
  return enough ? 0 : skipped;
}
