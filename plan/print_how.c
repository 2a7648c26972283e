/* How a plan sends: the algorithm, lanes, trees and segments, on one line. */
#include "plan/print.h"

#include <inttypes.h>

uint64_t gb_plan_share(const gbcast_plan *plan, uint32_t t) {
  uint32_t before = 0;
  for (uint32_t i = 0; i < t; i++) {
    before += plan->tree[i].weight;
  }
  uint64_t total = gb_plan_total(plan);
  return gb_share_begin(total, before + plan->tree[t].weight, plan->weight_total) -
         gb_share_begin(total, before, plan->weight_total);
}

static void print_pieces(const gbcast_plan *plan, uint32_t t, FILE *out) {
  const gb_tree *tree = &plan->tree[t];
  uint64_t share = gb_plan_share(plan, t);
  if (tree->segment >= share || tree->segment == 0) {
    fputs("in one piece", out);
  } else if (plan->operation == GBCAST_SCATTER) {
    fprintf(out, "in segments of %s", gb_text_bytes(tree->segment).s);
  } else {
    fprintf(out, "in %" PRIu64 " segments of %s", (share - 1) / tree->segment + 1,
            gb_text_bytes(tree->segment).s);
  }
}

/* "two trees of half the message each, in 8 segments of 64 KiB", or each tree (of one lane) with its share.
 * The last tree is never the one with fewer bytes when shares are as equal as they can be. */
static void print_trees(const gbcast_plan *plan, FILE *out) {
  uint32_t last = plan->tree_count - 1;
  bool alike = true;
  for (uint32_t t = 0; t < last; t++) {
    alike = alike && plan->tree[t].weight == plan->tree[last].weight &&
            plan->tree[t].segment == plan->tree[last].segment;
  }
  if (plan->tree_count == 2 && alike) {
    fputs("two trees of half the message each, ", out);
  } else if (plan->tree_count > 2 && alike) {
    fprintf(out, "%" PRIu32 " trees of 1/%" PRIu32 " of the message each, ", plan->tree_count,
            plan->tree_count);
  }
  if (!alike && plan->lanes > 1) {
    fputs("in each ", out);
  }
  for (uint32_t t = alike ? last : 0; t <= last; t += plan->lanes) {
    if (!alike) {
      fprintf(out, "%stree %" PRIu32 " with %" PRIu32 "/%" PRIu32 " of it ", t == 0 ? "" : ", ",
              t / plan->lanes + 1, plan->tree[t].weight, plan->weight_total);
    }
    print_pieces(plan, t, out);
  }
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
  if (plan->site_count > 1) {
    fprintf(out, "%s between sites, ", gb_inter_name(plan->inter));
  } else {
    fprintf(out, "%s, ", gb_intra_name(plan->site[0].intra));
  }
  if (plan->lanes > 1) {
    fprintf(out, "%" PRIu32 " lanes, ", plan->lanes);
  }
  print_trees(plan, out);
  fprintf(out, "%s\n", plan->rendezvous ? ", each message announced first" : "");
}
