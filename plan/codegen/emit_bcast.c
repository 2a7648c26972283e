/* The routine of a broadcast: its trees as tables. */
#include "plan/codegen/emit.h"
#include "platform/cost/cost.h"

#include <inttypes.h>

enum { IN_HAND = 2 }; /* segments */

/* Segments in flight to an endpoint: those that fill the edge for a round trip, and a few more. */
static int find_window(const gbcast_plan *plan, const gb_tree *tree, uint32_t to, uint32_t *window) {
  *window = IN_HAND;
  if (to == plan->schedule.root || gb_plan_level(plan, tree->parent[to], to) == GB_LEVEL_NODE)
    return GBCAST_OK;
  gb_route route = {0};
  const uint32_t from = plan->schedule.endpoint[tree->parent[to]].host;
  const int rc = gb_route_between(plan->platform, from, plan->schedule.endpoint[to].host, NULL, &route, NULL);
  if (rc == GBCAST_OK) {
    const double wanted = 2 * route.latency * route.narrowest / (double)tree->segment;
    *window = wanted < GB_SENDS_IN_FLIGHT - IN_HAND ? IN_HAND + (uint32_t)wanted : GB_SENDS_IN_FLIGHT;
  }
  gb_route_release(&route);
  return rc;
}

static void emit_shares(const gbcast_plan *plan, FILE *out) {
  fputs(
      "\n/* Each tree has a share of the message: `weight` of WEIGHTS parts, with `before` in front of them. "
      "*/\n"
      "static const struct {\n"
      "  unsigned before, weight, turn;\n"
      "  size_t segment; /* bytes */\n"
      "} tree[TREES] = {\n",
      out);
  uint32_t before = 0;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    const gb_tree *tree = &plan->schedule.tree[t];
    fprintf(out, "    {%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu64 "},\n", before, tree->weight,
            tree->stage, tree->segment > INT32_MAX ? INT32_MAX : tree->segment);
    before += tree->weight;
  }
  fputs("};\n", out);
}

static int emit_windows(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out) {
  int rc = GBCAST_OK;
  fputs("\n/* So many segments at a time are on their way to each rank from its parent. */\n"
        "static const size_t in_flight[TREES][RANKS] = {\n",
        out);
  for (uint32_t t = 0; rc == GBCAST_OK && t < plan->schedule.tree_count; t++) {
    gb_list list = gb_list_begin(out, "  {");
    for (uint32_t r = 0; rc == GBCAST_OK && r < plan->schedule.endpoint_count; r++) {
      uint32_t window;
      rc = find_window(plan, &plan->schedule.tree[t], ranks->endpoint[r], &window);
      gb_list_add(&list, "%" PRIu32, window);
    }
    gb_list_end(&list, "  },");
  }
  fputs("};\n", out);
  return rc;
}

static void emit_parents(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out) {
  fputs("\n/* Whom each rank hears from in each tree; -1: from nobody. */\n", out);
  fputs("static const int parent[TREES][RANKS] = {\n", out);
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    gb_list list = gb_list_begin(out, "  {");
    for (uint32_t r = 0; r < plan->schedule.endpoint_count; r++) {
      const uint32_t parent = plan->schedule.tree[t].parent[ranks->endpoint[r]];
      if (parent == GB_NONE)
        gb_list_add(&list, "-1");
      else
        gb_list_add(&list, "%" PRIu32, ranks->number[parent]);
    }
    gb_list_end(&list, "  },");
  }
  fputs("};\n", out);
}

static void emit_children(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out) {
  fputs("\n/* The children of all ranks, in the order in which they are sent to, and -1 behind the last. "
        "Those of\n"
        " * rank r in tree t begin at first[t][r]. */\nstatic const int child[TREES][RANKS] = {\n",
        out);
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    const gb_tree *tree = &plan->schedule.tree[t];
    gb_list list = gb_list_begin(out, "  {");
    for (uint32_t r = 0; r < plan->schedule.endpoint_count; r++) {
      const uint32_t e = ranks->endpoint[r];
      if (tree->child_start[e + 1] > tree->child_start[e])
        gb_list_line(&list, "of", r);
      for (uint32_t i = tree->child_start[e]; i < tree->child_start[e + 1]; i++)
        gb_list_add(&list, "%" PRIu32, ranks->number[tree->child[i]]);
    }
    gb_list_add(&list, "-1");
    gb_list_end(&list, "  },");
  }
  fputs("};\nstatic const int first[TREES][RANKS + 1] = {\n", out);
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    gb_list list = gb_list_begin(out, "  {");
    uint32_t first = 0;
    for (uint32_t r = 0; r < plan->schedule.endpoint_count; r++) {
      const uint32_t e = ranks->endpoint[r];
      gb_list_add(&list, "%" PRIu32, first);
      first += plan->schedule.tree[t].child_start[e + 1] - plan->schedule.tree[t].child_start[e];
    }
    gb_list_add(&list, "%" PRIu32, first);
    gb_list_end(&list, "  },");
  }
  fputs("};\n", out);
}

int gb_emit_bcast(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out) {
  fprintf(out,
          "enum { RANKS = %" PRIu32 ", ROOT = %" PRIu32 ", TREES = %" PRIu32 ", WEIGHTS = %" PRIu32 " };\n",
          plan->schedule.endpoint_count, ranks->number[plan->schedule.root], plan->schedule.tree_count,
          plan->schedule.weight_total);
  fputs("enum { TAG_COPY = TREES }; /* the tags before it are the trees' */\n", out);
  fprintf(out, "enum { ANNOUNCED = %d }; /* 1: no message leaves before its receiver is ready */\n",
          plan->rendezvous);
  emit_shares(plan, out);
  emit_parents(plan, ranks, out);
  emit_children(plan, ranks, out);
  return emit_windows(plan, ranks, out);
}
