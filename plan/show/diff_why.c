/* Why a plan differs from an earlier one: what each would take, or would have taken, in the other's place. */
#include "plan/show/diff.h"

#include <inttypes.h>
#include <string.h>

typedef struct diff {
  const gb_saved *then, *now;
  const gbcast_plan *plan; /* of now */
  FILE *out;
} diff;

gb_text gb_diff_times(double now, double then, const char *end) {
  const gb_text factor = gb_text_of("%.4g", now / then);
  const bool same = strcmp(factor.s, "1") == 0 || now == then;
  return same ? (gb_text){""} : gb_text_of(", %.10s times as long%s", factor.s, end);
}

/* The earlier trees over the later network. */
static void print_old_trees(const diff *d, const gb_diff_old *old) {
  if (old->unusable != NULL)
    fprintf(d->out, "the plan of then cannot be used now: %s\n", old->unusable);
  else if (old->same)
    fputs("the plan of then, over the network of now, is this plan\n", d->out);
  else
    fprintf(d->out, "the plan of then would take %s now%s\n", gb_text_seconds(old->seconds).s,
            gb_diff_times(old->seconds, d->now->predicted, " as this one").s);
}

static bool is_same_choice(const gb_saved_candidate *a, const gb_saved_candidate *b) {
  return strcmp(a->inter, b->inter) == 0 && strcmp(a->intra, b->intra) == 0 && a->lanes == b->lanes;
}

static void print_segments(const diff *d, uint64_t segment_bytes) {
  if (segment_bytes >= gb_plan_total(d->plan))
    fputs("in one piece", d->out);
  else
    fprintf(d->out, "in segments of %s", gb_text_bytes(segment_bytes).s);
}

static void print_one_choice(const diff *d, const gb_saved_candidate *c) {
  if (d->now->cluster_count > 1)
    fprintf(d->out, "%s between sites, ", c->inter);
  fprintf(d->out, "%s inside, ", c->intra);
  if (c->lanes > 1)
    fprintf(d->out, "%" PRIu64 " lanes, ", c->lanes);
  print_segments(d, c->segment);
}

/* What was chosen in one of the plans, and the time that the other predicts for it, where its segments may
 * have another size. */
static void print_choice(const diff *d, const gb_saved *chosen, const gb_saved *other, const char *when,
                         const char *verb) {
  for (uint32_t i = 0; i < other->candidate_count; i++) {
    const gb_saved_candidate *a = &chosen->candidate[0], *b = &other->candidate[i];
    if (!is_same_choice(a, b))
      continue;
    fprintf(d->out, "chosen %s: ", when);
    print_one_choice(d, a);
    fprintf(d->out, "; %s %s", verb, gb_text_seconds(b->predicted).s);
    if (a->segment != b->segment) {
      putc(' ', d->out);
      print_segments(d, b->segment);
    }
    putc('\n', d->out);
    return;
  }
}

void gb_diff_print_why(const gb_saved *then, const gb_saved *now, const gbcast_plan *plan,
                       const gb_diff_old *old, FILE *out) {
  const diff d = {.then = then, .now = now, .plan = plan, .out = out};
  if (then->operation != now->operation || then->bytes != now->bytes) /* the times are of different things */
    return;
  putc('\n', out);
  if (then->candidate_count > 0 && now->candidate_count > 0 &&
      !is_same_choice(&then->candidate[0], &now->candidate[0])) {
    print_choice(&d, then, now, "then", "now that would take");
    print_choice(&d, now, then, "now", "then that would have taken");
  }
  print_old_trees(&d, old);
}
