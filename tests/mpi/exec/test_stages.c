/* Trees in turn: over an uplink the root sends nothing in the second turn before all of the first is on its
 * way. All MPI_Isend and MPI_Issend of this program come here first. */
#include "plan/core/core.h"
#include "tests/support/mpi/check.h"
#include "tests/support/mpi/sending.h"

enum { WEST, EAST, ISLE, BYTES = 131072, SEGMENT = 4096 };

/* Of the segments, which are longer than all else that is sent: bytes to each rank, and to the first one when
 * the second gets one. */
static size_t sent[3], before_east;

static void note(int count, int to) {
  if (count < SEGMENT / 2)
    return;
  if (to == EAST && sent[EAST] == 0)
    before_east = sent[WEST];
  sent[to] += (size_t)count;
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
SENDING(__wrap_MPI_Isend, __real_MPI_Isend, note(count, to))
SENDING(__wrap_MPI_Issend, __real_MPI_Issend, note(count, to))
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

/* Bytes of the first turn. */
static size_t first_turn(const char *hosts) {
  gbcast_platform *p = NULL;
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  const gbcast_request request = {.bytes = BYTES, .segment = SEGMENT, .root = "i0", .inter = "in-turn"};
  CHECK(gbcast_platform_read(hosts, &p, &err) == GBCAST_OK, "%s", err.message);
  CHECK(gbcast_plan_make(p, &request, &plan, &err) == GBCAST_OK, "%s", err.message);
  CHECK(plan->schedule.tree_count == 2 && plan->schedule.tree[1].stage == 1, "%u trees",
        plan->schedule.tree_count);
  const size_t bytes = gb_share_begin(BYTES, plan->schedule.tree[0].weight, plan->schedule.weight_total);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  return bytes;
}

/* One broadcast. Whether at its root the second turn began before all of the first was on its way; elsewhere
 * false. */
static bool overlaps(const char *hosts, const char *path, uint64_t again) {
  memset(sent, 0, sizeof sent);
  before_east = 0;
  check_broadcast(BYTES, ISLE, again);
  if (rank_in(MPI_COMM_WORLD) != ISLE)
    return false;
  const size_t first = first_turn(path);
  CHECK(first > BYTES / 8 && first < BYTES, "%s: %zu bytes in the first turn", hosts, first);
  CHECK(sent[WEST] == BYTES, "%s: %zu bytes to the first site", hosts, sent[WEST]);
  CHECK(sent[EAST] == BYTES - first, "%s: %zu bytes to the second, not %zu", hosts, sent[EAST],
        BYTES - first);
  return before_east < first;
}

/* At first all have to hear of the plan. */
static void check_one_uplink(void) {
  MUST(set_up(MPI_COMM_WORLD, "stages.txt", "in-turn", NULL, "4096"));
  for (uint64_t again = 0; again < 3; again++)
    CHECK(!overlaps("stages.txt", GB_TEST_DATA "/platforms/stages.txt", again),
          "the second turn begins after %zu bytes", before_east);
}

/* Over links of their own the turns begin at the same time. A root that is held up sends all of the first
 * when it goes on, so once is enough. */
static void check_own_links(void) {
  int seen = 0;
  MUST(set_up(MPI_COMM_WORLD, "stages-mesh.txt", "in-turn", NULL, "4096"));
  for (uint64_t again = 0; !seen && again < 50; again++) {
    seen = overlaps("stages-mesh.txt", GB_TEST_DATA "/platforms/stages-mesh.txt", again);
    MUST(PMPI_Bcast(&seen, 1, MPI_INT, ISLE, MPI_COMM_WORLD));
  }
  CHECK(seen, "the second turn waits for the first, over links of its own");
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  CHECK(size_of(MPI_COMM_WORLD) == 3, "for three ranks");
  check_one_uplink();
  check_own_links();
  MUST(MPI_Finalize());
  return 0;
}
