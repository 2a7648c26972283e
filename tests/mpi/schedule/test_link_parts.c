/* Ranks of one site that send to another share the way there: what they are paced at adds up to what joins
 * the sites, or less where their own links are narrower. */
#include "mpi/comm/comm.h"
#include "mpi/schedule/schedule.h"
#include "tests/support/mpi/check.h"
#include <math.h>

static uint32_t site_of(const gb_comm *c, int rank) {
  return c->platform->host[c->wire.rank_host[rank]].cluster;
}

/* Bytes/s that this rank is paced at on its way from one site to another, 0 when it does not send there. */
static double mine(const gb_comm *c, const gb_rank_schedule *schedule, uint32_t from, uint32_t to) {
  double links = 0;
  for (uint32_t t = 0; t < schedule->tree_count && site_of(c, c->wire.rank) == from; t++)
    for (uint32_t i = 0; i < schedule->tree[t].receiver_count; i++) {
      const gb_channel *edge = &schedule->tree[t].receiver[i];
      if (site_of(c, edge->rank) != to || !edge->wan)
        continue;
      CHECK(links == 0 || links == edge->pacing.shared_rate, "%g and %g bytes/s from site %u to %u", links,
            edge->pacing.shared_rate, from, to);
      links = edge->pacing.shared_rate;
    }
  return links;
}

/* Returns how many ways several ranks share. */
static int check_ways(const gb_comm *c, size_t bytes, int root) {
  gb_rank_schedule *schedule = NULL;
  int shared = 0;
  MUST(gb_comm_make_schedule(c, GBCAST_BCAST, bytes, root, &schedule));
  for (uint32_t from = 0; from < c->platform->cluster_count; from++)
    for (uint32_t to = 0; to < c->platform->cluster_count; to++) {
      const gb_link *link = from == to ? NULL : gb_platform_link(c->platform, from, to);
      double part[2] = {mine(c, schedule, from, to), 0}, all[2];
      part[1] = part[0] > 0;
      MUST(MPI_Allreduce(part, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
      if (link == NULL || all[1] == 0)
        continue;
      const double own = all[1] * c->platform->cluster[from].bandwidth, whole = fmin(link->bandwidth, own);
      CHECK(all[0] <= link->bandwidth * (1 + 1e-9), "%g ranks send at %g bytes/s from site %u to %u: %g",
            all[1], all[0], from, to, link->bandwidth);
      CHECK(own < link->bandwidth * all[1] || fabs(all[0] - whole) <= 1e-9 * whole,
            "%g ranks send at %g bytes/s from site %u to %u, where %g would do", all[1], all[0], from, to,
            whole);
      shared += all[1] > 1;
    }
  gb_rank_schedule_free(schedule);
  return shared;
}

int main(int argc, char **argv) {
  static const char *const lanes[] = {"1", "2", "3", "4"};
  int shared = 0;
  MUST(MPI_Init(&argc, &argv));
  for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
    gb_comm *c = NULL;
    MUST(set_up_lanes(MPI_COMM_WORLD, "mesh.txt", lanes[i], "packing", NULL, NULL));
    MUST(gb_comm_any(MPI_COMM_WORLD, &c));
    for (int root = 0; root < size_of(MPI_COMM_WORLD); root++)
      shared += check_ways(c, 1 << 20, root) + check_ways(c, 50001, root);
  }
  CHECK(shared > 0, "no way was shared");
  MUST(MPI_Finalize());
  return 0;
}
