/* Between ranks that share memory there is no link whose pace a sender would have to keep, whatever the hosts
 * file says. The preloaded library knows which ranks these are. */
#include "mpi/comm/comm.h"
#include "mpi/comm/setup.h"
#include "tests/support/mpi/check.h"

/* The rates of two-sites.txt are those of the link between the sites alone. */
static const char *const hosts[] = {GB_TEST_DATA "/platforms/grid-flat.txt",
                                    GB_TEST_DATA "/platforms/two-sites.txt"};

/* Sends over links of known rates, in plans of every root; [1]: to a rank that is near. How many there are,
 * and how many go at a link's pace. */
static void count_paced(MPI_Comm comm, gb_preload *preload, bool flat, const bool *near, int paced[2],
                        int all[2]) {
  gb_comm *c;
  gb_rank_schedule *schedule;
  paced[0] = paced[1] = all[0] = all[1] = 0;
  MUST(gb_comm_find(comm, preload, &c));
  CHECK(c != NULL, "left to MPI");
  MUST(gb_comm_enter(c));
  CHECK(c->left == GB_PASSED_NOT, "left to MPI: %s", gb_left_why(c->left));
  for (int root = 0; root < size_of(comm); root++) {
    MUST(gb_comm_schedule(c, GBCAST_BCAST, 4 << 20, root, &schedule));
    CHECK(!schedule->native, "root %d: MPI's own broadcast", root);
    for (uint32_t t = 0; t < schedule->tree_count; t++)
      for (uint32_t i = 0; i < schedule->tree[t].receiver_count; i++) {
        const gb_channel *edge = &schedule->tree[t].receiver[i];
        if (edge->wan || flat)
          all[near[edge->rank]]++;
        paced[near[edge->rank]] += edge->pacing.paced;
      }
  }
  for (int i = 0; i < 2; i++) {
    MUST(MPI_Allreduce(MPI_IN_PLACE, &paced[i], 1, MPI_INT, MPI_SUM, comm));
    MUST(MPI_Allreduce(MPI_IN_PLACE, &all[i], 1, MPI_INT, MPI_SUM, comm));
  }
}

/* node: the ranks that share memory with this one, or MPI_GROUP_NULL: it is not known; reversed: in another
 * order than that of MPI_COMM_WORLD. */
static void check(int file, MPI_Group node, bool reversed, const char *what) {
  CHECK(setenv("GBCAST_HOSTS", hosts[file], 1) == 0, "no memory");
  gb_preload preload = {.parent = MPI_COMM_NULL, .node = node, .leader = -1};
  MPI_Comm comm;
  const int size = size_of(MPI_COMM_WORLD), rank = rank_in(MPI_COMM_WORLD);
  int paced[2], all[2];
  bool *near = allocate((size_t)size * sizeof *near);
  MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, reversed ? -rank : rank, &comm));
  for (int r = 0; r < size; r++) {
    int there = MPI_UNDEFINED, in_world = reversed ? size - 1 - r : r;
    MPI_Group world;
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    if (node != MPI_GROUP_NULL)
      MUST(MPI_Group_translate_ranks(world, 1, &in_world, node, &there));
    MUST(MPI_Group_free(&world));
    near[r] = there != MPI_UNDEFINED;
  }
  count_paced(comm, &preload, file == 0, near, paced, all);
  CHECK(paced[1] == 0, "%s: %d of %d sends between ranks that share memory keep a link's pace", what,
        paced[1], all[1]);
  CHECK(paced[0] == all[0], "%s: %d of %d other sends do not keep it", what, all[0] - paced[0], all[0]);
  CHECK(all[0] + all[1] > 0 || size < 4, "%s: nobody sends", what);
  MUST(MPI_Comm_free(&comm));
  free(near);
}

int main(int argc, char **argv) {
  MPI_Group node, world, half;
  CHECK(setenv("GBCAST_MAP", "order", 1) == 0 && setenv("GBCAST_INTRA", "binomial", 1) == 0 &&
            setenv("GBCAST_INTER", "flat", 1) == 0 && setenv("GBCAST_SEGMENT", "64k", 1) == 0,
        "no memory");
  MUST(MPI_Init(&argc, &argv));
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MUST(gb_nodes_group(MPI_COMM_WORLD, &node));
  MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
  int mine[2] = {rank / 2 * 2, rank / 2 * 2 + 1};
  MUST(MPI_Group_incl(world, size < 4 ? 1 : 2, size < 4 ? &(int){rank} : mine, &half));
  for (int i = 0; i < 4; i++) {
    check(i / 2, MPI_GROUP_NULL, i % 2 == 1, "unknown");
    check(i / 2, node, i % 2 == 1, "one node");
    check(i / 2, half, i % 2 == 1, "several nodes");
  }
  MUST(MPI_Group_free(&half));
  MUST(MPI_Group_free(&world));
  MUST(MPI_Group_free(&node));
  MUST(MPI_Finalize());
  return 0;
}
