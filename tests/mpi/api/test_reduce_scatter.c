/* Reduce-scatters give what MPI's own give: up and down trees, between leaders, round a ring and MPI's own;
 * MPI_IN_PLACE, blocks of nothing, handles; and the same bits each time. */
#include "tests/support/mpi/operands.h"
#include <float.h>

static void check(const operands *o, size_t count, bool in_place, uint64_t key) {
  const size_t ranks = (size_t)size_of(MPI_COMM_WORLD), block = count * o->size, all = block * ranks;
  unsigned char *own = allocate(all), *want = allocate(all + 8), *got = allocate(all + 8);
  fill_operands(o, own, count * ranks, key);
  memset(want, 0xA5, all + 8);
  memset(got, 0xA5, all + 8);
  if (in_place)
    memcpy(got, own, all);
  MUST(PMPI_Reduce_scatter_block(own, want, (int)count, o->type, o->op, MPI_COMM_WORLD));
  MUST(gbcast_reduce_scatter_block(in_place ? MPI_IN_PLACE : own, got, (MPI_Count)count, o->type, o->op,
                                   MPI_COMM_WORLD));
  CHECK(memcmp(want, got, block) == 0, "%s, %zu operands%s: wrong", o->name, count,
        in_place ? ", in place" : "");
  for (size_t i = in_place ? all : block; i < all + 8; i++)
    CHECK(got[i] == 0xA5, "%s, %zu operands: wrote to byte %zu", o->name, count, i);
  void *before = allocate(all);
  fill_operands(o, before, count * ranks, key);
  CHECK(memcmp(before, own, all) == 0, "%s, %zu operands: wrote to its operands", o->name, count);
  free(before);
  free(own);
  free(want);
  free(got);
}

/* Sums of any numbers have the same bits in each call. */
static void check_bits(size_t count) {
  const size_t all = count * (size_t)size_of(MPI_COMM_WORLD);
  double *own = allocate(all * sizeof *own), *sum = allocate(2 * count * sizeof *sum);
  uint64_t random = 77 + (uint64_t)rank_in(MPI_COMM_WORLD);
  for (size_t i = 0; i < all; i++)
    own[i] = (double)xorshift(&random, 1 << 30) * DBL_EPSILON + (double)xorshift(&random, 1 << 30);
  for (size_t k = 0; k < 2; k++)
    MUST(gbcast_reduce_scatter_block(own, sum + k * count, (MPI_Count)count, MPI_DOUBLE, MPI_SUM,
                                     MPI_COMM_WORLD));
  CHECK(memcmp(sum, sum + count, count * sizeof *sum) == 0, "two calls give other bits");
  free(own);
  free(sum);
}

/* Several are under way at once, and end in the other order; one is persistent. */
static void check_handles(size_t count) {
  enum { CALLS = 4 };
  const int ranks = size_of(MPI_COMM_WORLD), me = rank_in(MPI_COMM_WORLD);
  const size_t all = count * (size_t)ranks;
  gbcast_handle handle[CALLS], kept;
  int32_t *own = allocate(all * sizeof *own), *sum[CALLS];
  for (size_t i = 0; i < all; i++)
    own[i] = (int32_t)i + me;
  for (int k = 0; k < CALLS; k++) {
    sum[k] = allocate(count * sizeof **sum);
    MUST(gbcast_ireduce_scatter_block(own, sum[k], (MPI_Count)count, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD,
                                      &handle[k]));
  }
  for (int k = CALLS - 1; k >= 0; k--) {
    MUST(gbcast_wait(&handle[k]));
    for (size_t i = 0; i < count; i++)
      CHECK(sum[k][i] == ranks * (int32_t)(count * (size_t)me + i) + ranks * (ranks - 1) / 2,
            "call %d, operand %zu is wrong", k, i);
  }
  MUST(gbcast_reduce_scatter_block_init(own, sum[0], (MPI_Count)count, MPI_INT32_T, MPI_MAX, MPI_COMM_WORLD,
                                        &kept));
  for (int32_t turn = 1; turn < 4; turn++) {
    for (size_t i = 0; i < all; i++)
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

/* Whether the plan says this. */
static bool says(size_t bytes, const char *what) {
  char *text = NULL;
  MUST(gbcast_explain_reduce_scatter_block(MPI_COMM_WORLD, bytes, &text));
  const bool found = strstr(text, what) != NULL;
  CHECK(strncmp(text, "Reduce-scatter of ", 18) == 0, "%s", text);
  free(text);
  return found;
}

static void check_all(const operand_kinds *all) {
  static const size_t count[] = {0, 1, 7, 1000, 9001};
  for (size_t k = 0; k < sizeof all->kind / sizeof *all->kind; k++)
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
      check(&all->kind[k], count[i], (i + k) % 2 == 0, k * 100 + i);
  check_bits(2000);
  check_handles(3000);
}

int main(int argc, char **argv) {
  static const struct {
    const char *hosts, *inter, *intra, *segment;
  } scene[] = {{"mesh.txt", NULL, NULL, NULL},
               {"mesh.txt", "packing", NULL, "1000"},
               {"mesh.txt", "in-turn", NULL, "5k"},
               {"grid.txt", NULL, NULL, "777"},
               {"grid-flat.txt", "chain", "binomial", "777"},
               {"grid-flat.txt", NULL, NULL, NULL},
               {"grid-node.txt", NULL, NULL, NULL},
               {"grid-node.txt", "flat", "flat", "64"},
               {"two-switches.txt", NULL, NULL, NULL},
               {"two-switches.txt", NULL, NULL, "300"},
               {"mesh.txt", "binomial", NULL, "100"},
               {"equal-rates.txt", NULL, NULL, NULL},
               {"equal-rates.txt", NULL, NULL, "300"}};
  bool exchange = false, ring = false, rings = false, trees = false;
  operand_kinds all;
  MUST(MPI_Init(&argc, &argv));
  const int ranks = size_of(MPI_COMM_WORLD);
  make_kinds(&all);
  check_all(&all); /* no hosts file */
  for (size_t s = 0; s < sizeof scene / sizeof *scene; s++) {
    MUST(set_up(MPI_COMM_WORLD, scene[s].hosts, scene[s].inter, scene[s].intra, scene[s].segment));
    for (size_t block = 8; ranks > 1 && block < 100000; block *= 10) {
      exchange = exchange || says(block * (size_t)ranks, "exchange between sites");
      ring = ring || says(block * (size_t)ranks, "round a ring;");
      rings = rings || says(block * (size_t)ranks, "round a ring in each site");
      trees = trees || says(block * (size_t)ranks, "up and down again");
    }
    check_all(&all);
  }
  const setting checked[] = {{"gbcast_check", "1"}};
  MUST(set_up_with(MPI_COMM_WORLD, "mesh.txt", checked, 1));
  check_all(&all);
  CHECK(exchange || ranks < 4, "no plan has an exchange");
  CHECK(ring || ranks < 3, "no plan has a ring");
  CHECK(rings || ranks < 4, "no plan has a ring in each site");
  CHECK(trees || ranks < 2, "no plan goes up and down");
  free_kinds(&all);
  MUST(MPI_Finalize());
  return 0;
}
