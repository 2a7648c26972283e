/* Every plan that should stay as it is while the code around the planner changes, a line each: what was
 * asked, the plan's hash, its predicted time and lower bound (hexadecimal, to the last bit), and a checksum
 * of the plan as JSON. scripts/same-plans makes the lists of two versions and compares them.
 *
 *   plans FILE...      plans for hosts files: all operations, sizes, two roots, ranks in order and shuffled
 *   plans --random N   plans for N random grids
 */
#include "plan/core/core.h"
#include "tests/support/random_hosts.h"
#include <gbcast/plan.h>
#include <string.h>

enum { SIZES_MOST = 8 };
static const uint64_t sizes[SIZES_MOST] = {1, 256, 4096, 65536, 200000, 1 << 20, 4 << 20, 16 << 20};

static void print_plan(const gbcast_platform *p, const char *name, const gbcast_request *request) {
  static const char *const operation[] = {"bcast", "scatter", "alltoall"};
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  printf("%s %s %llu root=%s inter=%s intra=%s lanes=%u%s", name, operation[request->operation],
         (unsigned long long)request->bytes, request->root ? request->root : "-",
         request->inter ? request->inter : "-", request->intra ? request->intra : "-", request->lanes,
         request->rank_host ? " shuffled" : "");
  if (gbcast_plan_make(p, request, &plan, &err) != GBCAST_OK) {
    printf(": %s\n", err.message);
    return;
  }
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out || gbcast_plan_print(plan, GBCAST_JSON, out) != GBCAST_OK || fclose(out) != 0)
    exit(1);
  printf(": %016llx %a %a %016llx\n", (unsigned long long)gbcast_plan_hash(plan), gbcast_plan_predicted(plan),
         gbcast_plan_lower_bound(plan), (unsigned long long)gb_checksum(text, length));
  free(text);
  gbcast_plan_free(plan);
}

/* The hosts of the ranks, all but the first in another order. */
static uint32_t *shuffled(const gbcast_platform *p, uint32_t *count) {
  *count = gbcast_platform_slots(p);
  uint32_t *host = malloc(*count * sizeof *host), n = 0;
  if (!host)
    exit(1);
  for (uint32_t h = 0; h < p->host_count; h++)
    for (uint32_t k = 0; k < p->host[h].slots; k++)
      host[n++] = h;
  gb_random r = {42};
  for (uint32_t i = n; i > 2; i--) {
    const uint32_t j = 1 + random_below(&r, i - 1), kept = host[i - 1];
    host[i - 1] = host[j];
    host[j] = kept;
  }
  return host;
}

static void print_plans(const gbcast_platform *p, const char *name, uint32_t first, uint32_t step) {
  uint32_t ranks = 0;
  uint32_t *host = shuffled(p, &ranks);
  char last[16];
  snprintf(last, sizeof last, "%u", ranks - 1);
  for (uint32_t s = first; s < SIZES_MOST; s += step)
    for (int operation = GBCAST_BCAST; operation <= GBCAST_ALLTOALL; operation++)
      for (int kind = 0; kind < (operation == GBCAST_ALLTOALL ? 1 : 4); kind++)
        print_plan(p, name,
                   &(gbcast_request){.operation = (enum gbcast_operation)operation,
                                     .bytes = sizes[s],
                                     .root = kind & 1 ? last : NULL,
                                     .rank_host = kind & 2 ? host : NULL,
                                     .chosen_only = ranks > 64});
  static const gbcast_request forced[] = {{.inter = "flat", .intra = "binomial"},
                                          {.inter = "packing"},
                                          {.inter = "disjoint"},
                                          {.inter = "in-turn"},
                                          {.inter = "extended-dijkstra", .intra = "two-tree"},
                                          {.intra = "linear-contention-free"},
                                          {.lanes = 2}};
  for (size_t f = 0; f < sizeof forced / sizeof *forced; f++) {
    gbcast_request request = forced[f];
    request.bytes = sizes[(first + f) % SIZES_MOST];
    request.chosen_only = true;
    print_plan(p, name, &request);
    request.operation = GBCAST_SCATTER;
    print_plan(p, name, &request);
  }
  free(host);
}

static void print_random(uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    gb_random r = {1000 + i};
    const bool large = i % 10 == 0;
    const gb_grid_kind kind = {.sites = large ? 16 : 6,
                               .hosts = large ? 16 : 8,
                               .slots = i % 3 == 0 ? 3 : 1,
                               .switches = i % 2 == 0,
                               .caps = i % 4 < 2,
                               .sparse = i % 5 == 0,
                               .measured = i % 7 == 0,
                               .windows = i % 6 == 0};
    char *text = random_hosts(&r, kind), name[32];
    snprintf(name, sizeof name, "random-%u", i);
    gbcast_platform *p = NULL;
    gbcast_error err = {""};
    if (!text || gbcast_platform_parse(text, strlen(text), name, &p, &err) != GBCAST_OK) {
      fprintf(stderr, "plans: %s\n", err.message);
      exit(1);
    }
    print_plans(p, name, i % 4, 4);
    gbcast_platform_free(p);
    free(text);
  }
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--random") == 0) {
    print_random((uint32_t)strtoul(argv[2], NULL, 10));
    return 0;
  }
  for (int i = 1; i < argc; i++) {
    gbcast_platform *p = NULL;
    gbcast_error err = {""};
    if (gbcast_platform_read(argv[i], &p, &err) != GBCAST_OK) {
      fprintf(stderr, "plans: %s\n", err.message);
      return 1;
    }
    const char *slash = strrchr(argv[i], '/');
    print_plans(p, slash ? slash + 1 : argv[i], 0, 1);
    gbcast_platform_free(p);
  }
  return 0;
}
