/* All-to-alls: every scheme that keeps the phases apart, hosts with one and with several ranks, one cluster
 * and several, datatypes, MPI_IN_PLACE, sizes from nothing on. */
#include "tests/support/mpi/check.h"

static int set_up_sync(const char *hosts, const char *sync) {
  return set_up_with(MPI_COMM_WORLD, hosts, &(setting){"gbcast_sync", sync}, 1);
}

static uint64_t key_of(int from, int to, uint64_t round) {
  return (uint64_t)from * 1000 + (uint64_t)to + round * 7919;
}

static void exchange(size_t block, bool in_place, uint64_t round) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const size_t all = block * (size_t)size;
  unsigned char *send = allocate(all), *receive = allocate(all + 2);
  memset(receive, 0xA5, all + 2);
  for (int r = 0; r < size; r++)
    fill((in_place ? receive + 1 : send) + block * (size_t)r, block, key_of(rank, r, round));
  MUST(gbcast_alltoall(in_place ? MPI_IN_PLACE : send, (MPI_Count)block, MPI_BYTE, receive + 1,
                       (MPI_Count)block, MPI_BYTE, MPI_COMM_WORLD));
  for (int r = 0; r < size; r++) {
    size_t at = differs(receive + 1 + block * (size_t)r, block, key_of(r, rank, round));
    CHECK(at == block, "block of %zu from %d: byte %zu is wrong", block, r, at);
    at = in_place ? block : differs(send + block * (size_t)r, block, key_of(rank, r, round));
    CHECK(at == block, "block of %zu to %d: byte %zu has changed", block, r, at);
  }
  CHECK(receive[0] == 0xA5 && receive[all + 1] == 0xA5, "blocks of %zu: wrote outside", block);
  free(send);
  free(receive);
}

static void exchange_all(void) {
  static const size_t block[] = {0, 1, 7, 1000, 70001};
  for (size_t i = 0; i < sizeof block / sizeof *block; i++)
    for (uint64_t again = 0; again < 3; again++) /* a new plan, the same again, and in place */
      exchange(block[i], again == 2, i + again);
}

/* Every second integer of what is sent, and every third of what is received; a block is a pair of them on one
 * side and two elements on the other. */
static void with_holes(bool in_place) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Datatype halves, third, pair;
  MUST(MPI_Type_vector(2, 1, 2, MPI_INT, &halves));
  MUST(MPI_Type_create_resized(halves, 0, 4 * sizeof(int), &pair));
  MUST(MPI_Type_create_resized(MPI_INT, 0, 3 * sizeof(int), &third));
  MUST(MPI_Type_commit(&pair));
  MUST(MPI_Type_commit(&third));
  int *send = allocate(sizeof *send * (size_t)size * 4),
      *receive = allocate(sizeof *receive * (size_t)size * 6);
  for (int i = 0; i < size * 6; i++)
    receive[i] = -1;
  for (int i = 0; i < size * 2; i++)
    *(in_place ? &receive[i * 3] : &send[i * 2]) = rank * 1000 + i;
  MUST(gbcast_alltoall(in_place ? MPI_IN_PLACE : send, 1, pair, receive, 2, third, MPI_COMM_WORLD));
  for (int i = 0; i < size * 6; i++) {
    const int element = i / 3, want = i % 3 > 0 ? -1 : element / 2 * 1000 + rank * 2 + element % 2;
    CHECK(receive[i] == want, "with holes: integer %d is %d, expected %d", i, receive[i], want);
  }
  MUST(MPI_Type_free(&halves));
  MUST(MPI_Type_free(&pair));
  MUST(MPI_Type_free(&third));
  free(send);
  free(receive);
}

static bool is_explained(size_t block, const char *words) {
  char *text = NULL;
  MUST(gbcast_explain_alltoall(MPI_COMM_WORLD, block, &text));
  bool found = strstr(text, words) != NULL;
  free(text);
  return found;
}

static void try_all(const char *hosts, const char *sync) {
  MUST(set_up_sync(hosts, sync));
  exchange_all();
#ifdef GB_TEST_SMPI /* whose own all-to-all, Bruck's, gets holes wrong */
  if (is_explained(2 * sizeof(int), "native: "))
    return;
#endif
  with_holes(false);
  with_holes(true);
}

/* All groups that there can be, one of all and those of one included. */
static void in_groups(void) {
  const int size = size_of(MPI_COMM_WORLD);
  for (int group = 1; group <= size; group++) {
    char sync[32];
    snprintf(sync, sizeof sync, "two-step:%d", group);
    if (size % group == 0)
      try_all("alltoall.txt", sync);
  }
}

int main(int argc, char **argv) {
  static const char *const sync[] = {"auto",
                                     "no-sync",
                                     "dummy",
                                     "sender-all",
                                     "sender-partial:2",
                                     "receiver-all",
                                     "receiver-partial:3",
                                     "barrier-all",
                                     "barrier-partial-none:2",
                                     "barrier-partial-sender",
                                     "barrier-partial-receiver:3",
                                     "paced",
                                     "at-once",
                                     "native",
                                     "two-step"};
  static const char *const hosts[] = {"alltoall.txt", "alltoall-nodes.txt", "grid.txt"};
  MUST(MPI_Init(&argc, &argv));
  exchange_all(); /* no hosts file */
  for (size_t h = 0; h < 3; h++)
    for (size_t i = 0; i < sizeof sync / sizeof *sync; i++) {
      const bool one = strncmp(sync[i], "barrier", 7) == 0 || strcmp(sync[i], "native") == 0;
      if ((h == 2 && one) || (h > 0 && strcmp(sync[i], "two-step") == 0))
        continue; /* not between clusters; with one rank on each host */
      try_all(hosts[h], sync[i]);
      if (i > 0)
        CHECK(is_explained(1000, sync[i]), "'%s' is not explained", sync[i]);
    }
  in_groups();
  MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  CHECK(set_up_sync("alltoall.txt", "sender") != MPI_SUCCESS, "a scheme that is not there is taken");
  MUST(MPI_Finalize());
  return 0;
}
