/* How a plan sends: the algorithm, lanes, trees and segments, on one line. */
#include "plan/show/print.h"
#include "platform/text/text.h"

#include <inttypes.h>

uint64_t gb_plan_share(const gbcast_plan *plan, uint32_t t) {
  uint32_t before = 0;
  for (uint32_t i = 0; i < t; i++)
    before += plan->schedule.tree[i].weight;
  uint64_t total = gb_plan_total(plan);
  return gb_share_begin(total, before + plan->schedule.tree[t].weight, plan->schedule.weight_total) -
         gb_share_begin(total, before, plan->schedule.weight_total);
}

static void print_pieces(const gbcast_plan *plan, uint32_t t, FILE *out) {
  const gb_tree *tree = &plan->schedule.tree[t];
  uint64_t share = gb_plan_share(plan, t);
  if (tree->segment >= share || tree->segment == 0) {
    fputs("in one piece", out);
  } else if (gb_carries_blocks(plan->operation)) {
    fprintf(out, "in segments of %s", gb_text_bytes(tree->segment).s);
  } else {
    fprintf(out, "in %" PRIu64 " segments of %s", (share - 1) / tree->segment + 1,
            gb_text_bytes(tree->segment).s);
  }
}

/* "two trees of half the message each, in 8 segments of 64 KiB", or each tree (of one lane) with its share.
 * The last tree is never the one with fewer bytes when shares are as equal as they can be. */
static void print_trees(const gbcast_plan *plan, FILE *out) {
  uint32_t last = plan->schedule.tree_count - 1;
  bool alike = true;
  for (uint32_t t = 0; t < last; t++) {
    alike = alike && plan->schedule.tree[t].weight == plan->schedule.tree[last].weight &&
            plan->schedule.tree[t].segment == plan->schedule.tree[last].segment;
  }
  if (plan->schedule.tree_count == 2 && alike) {
    fputs("two trees of half the message each, ", out);
  } else if (plan->schedule.tree_count > 2 && alike) {
    fprintf(out, "%" PRIu32 " trees of 1/%" PRIu32 " of the message each, ", plan->schedule.tree_count,
            plan->schedule.tree_count);
  }
  if (!alike && plan->lanes > 1)
    fputs("in each ", out);
  for (uint32_t t = alike ? last : 0; t <= last; t += plan->lanes) {
    if (!alike) {
      fprintf(out, "%stree %" PRIu32 " with %" PRIu32 "/%" PRIu32 " of it ", t == 0 ? "" : ", ",
              t / plan->lanes + 1, plan->schedule.tree[t].weight, plan->schedule.weight_total);
    }
    print_pieces(plan, t, out);
  }
}

/* "first 3/4 of the message by 2 trees, each in 12 segments of 4 KiB, then 1/4 ...". Returns the tree after
 * those of a stage that begins with `first`. */
static uint32_t print_stage(const gbcast_plan *plan, uint32_t first, FILE *out) {
  uint32_t end = first, weight = 0;
  bool alike = true;
  for (;
       end < plan->schedule.tree_count && plan->schedule.tree[end].stage == plan->schedule.tree[first].stage;
       end++) {
    weight += plan->schedule.tree[end].weight;
    alike = alike && plan->schedule.tree[end].weight == plan->schedule.tree[first].weight;
  }
  const uint32_t divisor = gb_common_divisor(weight, plan->schedule.weight_total);
  fprintf(out, "%s %" PRIu32 "/%" PRIu32 " of the message ", first == 0 ? "first" : ", then",
          weight / divisor, plan->schedule.weight_total / divisor);
  if (end - first > 1)
    fprintf(out, "by %" PRIu32 " trees%s", end - first, alike ? ", each " : "");
  if (alike)
    print_pieces(plan, first, out);
  return end;
}

void gb_print_how(const gbcast_plan *plan, FILE *out) {
  if (plan->file != NULL) {
    fprintf(out, "As in %s, where it is plan %016" PRIx64 ", predicted %s:\n", plan->file, plan->hash_then,
            gb_text_seconds(plan->predicted_then).s);
  }
  if (plan->native) {
    fputs("The MPI library's own collective; what follows is a model of it\n", out);
    return;
  }
  if (plan->site_count > 1)
    fprintf(out, "%s between sites, ", plan->inter);
  else
    fprintf(out, "%s, ", plan->site[0].intra);
  if (plan->lanes > 1)
    fprintf(out, "%" PRIu32 " lanes, ", plan->lanes);
  if (gb_plan_in_stages(plan))
    for (uint32_t t = 0; t < plan->schedule.tree_count;)
      t = print_stage(plan, t, out);
  else
    print_trees(plan, out);
  if (gb_way_of(plan->operation) == GB_WAY_BOTH) {
    fprintf(out, ", %s; times are those of the way %s",
            plan->schedule.exchange == GB_UP_AND_DOWN        ? "up and down again"
            : plan->schedule.exchange == GB_EXCHANGE_LEADERS ? "each leader to all others"
            : plan->site_count == 1                          ? "round a ring"
                                                             : "round a ring in each site",
            gb_plan_goes_up(plan) ? "up" : "down");
  }
  fprintf(out, "%s\n", plan->rendezvous ? ", each message announced first" : "");
}
