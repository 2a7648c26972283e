/* Reductions and allreduces give what MPI's own give, in every form; and the same bits each time, which an
 * order of its own would change for sums of any numbers. */
#include "tests/support/mpi/operands.h"
#include <float.h>

enum { MOST = 60000 };

static void check(const operands *o, size_t count, int root, bool in_place, uint64_t key) {
  const size_t bytes = count * o->size;
  const int me = rank_in(MPI_COMM_WORLD);
  const bool all = root < 0, gets = all || me == root;
  unsigned char *own = allocate(bytes), *want = allocate(bytes + 8), *got = allocate(bytes + 8);
  fill_operands(o, own, count, key);
  memset(want, 0xA5, bytes + 8);
  memset(got, 0xA5, bytes + 8);
  if (in_place && gets)
    memcpy(got, own, bytes);
  const void *send = in_place && gets ? MPI_IN_PLACE : own;
  if (all) {
    MUST(PMPI_Allreduce(own, want, (int)count, o->type, o->op, MPI_COMM_WORLD));
    MUST(gbcast_allreduce(send, got, (MPI_Count)count, o->type, o->op, MPI_COMM_WORLD));
  } else {
    MUST(PMPI_Reduce(own, want, (int)count, o->type, o->op, root, MPI_COMM_WORLD));
    MUST(gbcast_reduce(send, gets ? got : NULL, (MPI_Count)count, o->type, o->op, root, MPI_COMM_WORLD));
  }
  CHECK(!gets || memcmp(want, got, bytes + 8) == 0, "%s, %zu operands, root %d%s: wrong", o->name, count,
        root, in_place ? ", in place" : "");
  void *before = allocate(bytes);
  fill_operands(o, before, count, key);
  CHECK(memcmp(before, own, bytes) == 0, "%s, %zu operands, root %d: wrote to its operands", o->name, count,
        root);
  free(before);
  free(own);
  free(want);
  free(got);
}

/* Sums of any numbers have the same bits in each call, and on every rank. */
static void check_bits(size_t count) {
  const int me = rank_in(MPI_COMM_WORLD);
  double *own = allocate(count * sizeof *own), *sum = allocate(2 * count * sizeof *sum);
  uint64_t random = 77 + (uint64_t)me, bits[2], first[2];
  for (size_t i = 0; i < count; i++)
    own[i] = (double)xorshift(&random, 1 << 30) * DBL_EPSILON + (double)xorshift(&random, 1 << 30);
  for (size_t k = 0; k < 2; k++) {
    MUST(gbcast_allreduce(own, sum + k * count, (MPI_Count)count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    bits[k] = 0;
    for (size_t i = 0; i < count; i++) {
      uint64_t word;
      memcpy(&word, &sum[k * count + i], sizeof word);
      bits[k] = bits[k] * 31 + word;
    }
  }
  memcpy(first, bits, sizeof bits);
  MUST(PMPI_Bcast(first, 2, MPI_UINT64_T, 0, MPI_COMM_WORLD));
  CHECK(bits[0] == bits[1], "two calls give other bits");
  CHECK(bits[0] == first[0], "rank 0 has other bits");
  free(own);
  free(sum);
}

/* Several are under way at once, and end in the other order; one is persistent. */
static void check_handles(size_t count) {
  enum { CALLS = 4 };
  const int ranks = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  gbcast_handle handle[CALLS], kept;
  int32_t *own = allocate(count * sizeof *own), *sum[CALLS];
  for (size_t i = 0; i < count; i++)
    own[i] = (int32_t)i + me;
  for (int k = 0; k < CALLS; k++) {
    sum[k] = allocate(count * sizeof **sum);
    if (k % 2 == 0)
      MUST(
          gbcast_iallreduce(own, sum[k], (MPI_Count)count, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD, &handle[k]));
    else
      MUST(gbcast_ireduce(own, sum[k], (MPI_Count)count, MPI_INT32_T, MPI_SUM, k % ranks, MPI_COMM_WORLD,
                          &handle[k]));
  }
  for (int k = CALLS - 1; k >= 0; k--) {
    MUST(gbcast_wait(&handle[k]));
    for (size_t i = 0; i < count && (k % 2 == 0 || me == k % ranks); i++)
      CHECK(sum[k][i] == ranks * (int32_t)i + ranks * (ranks - 1) / 2, "call %d, operand %zu is wrong", k, i);
  }
  MUST(gbcast_allreduce_init(own, sum[0], (MPI_Count)count, MPI_INT32_T, MPI_MAX, MPI_COMM_WORLD, &kept));
  for (int32_t turn = 1; turn < 4; turn++) {
    for (size_t i = 0; i < count; i++)
      own[i] = turn * 1000 + me;
    MUST(gbcast_start(&kept));
    MUST(gbcast_wait(&kept));
    for (size_t i = 0; i < count; i++)
      CHECK(sum[0][i] == turn * 1000 + ranks - 1, "turn %d, operand %zu is wrong", turn, i);
  }
  MUST(gbcast_handle_free(&kept));
  for (int k = 0; k < CALLS; k++)
    free(sum[k]);
  free(own);
}

/* A plan is run, not MPI's own collective. */
static void check_planned(size_t bytes) {
  char *text = NULL;
  MUST(gbcast_explain_allreduce(MPI_COMM_WORLD, bytes, &text));
  CHECK(strncmp(text, "Allreduce of ", 13) == 0 && strstr(text, "own collective") == NULL, "%s", text);
  free(text);
  MUST(gbcast_explain_reduce(MPI_COMM_WORLD, bytes, 0, &text));
  CHECK(strncmp(text, "Reduction of ", 13) == 0 && strstr(text, "own collective") == NULL, "%s", text);
  free(text);
}

/* MPI_Reduce() of MPICH 4.0 ends in a segmentation fault where a root other than rank 0 gives its operands in
 * place. Here MPI's own is run on one site, and where the operator does not commute. */
static bool may_be_in_place(const char *hosts, const operands *o, int root) {
  return root <= 0 || (strcmp(hosts, "mesh.txt") == 0 && strstr(o->name, "not") == NULL);
}

int main(int argc, char **argv) {
  static const struct {
    const char *hosts, *inter, *intra, *segment;
  } scene[] = {{"mesh.txt", NULL, NULL, NULL},       {"mesh.txt", "packing", NULL, "1000"},
               {"mesh.txt", "in-turn", NULL, "5k"},  {"grid-flat.txt", "chain", "binomial", "777"},
               {"grid-node.txt", NULL, NULL, NULL},  {"grid-node.txt", "flat", "flat", "64"},
               {"mesh.txt", "binomial", NULL, "100"}};
  static const size_t count[] = {0, 1, 7, 1000, MOST / 8};
  operand_kinds all;
  MUST(MPI_Init(&argc, &argv));
  const int ranks = size_of(MPI_COMM_WORLD);
  make_kinds(&all);
  for (size_t s = 0; s < sizeof scene / sizeof *scene; s++) {
    MUST(set_up(MPI_COMM_WORLD, scene[s].hosts, scene[s].inter, scene[s].intra, scene[s].segment));
    if (ranks > 1 && (s < 3 || ranks > 16))
      check_planned(8000);
    for (size_t k = 0; k < sizeof all.kind / sizeof *all.kind; k++)
      for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        for (int root = -1; root < ranks; root++)
          check(&all.kind[k], count[i], root,
                may_be_in_place(scene[s].hosts, &all.kind[k], root) && (i + k) % 2 == 0, s * 100 + i);
    check_bits(5000);
    check_handles(10000);
  }
  free_kinds(&all);
  MUST(MPI_Finalize());
  return 0;
}
