/* Two plans held against each other. */
#include "plan/diff.h"
#include "plan/alltoall.h"
#include "plan/price.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct diff {
  const gb_saved *then;
  gb_saved now;
  const gbcast_plan *plan; /* of now */
  const char *file;
  FILE *out;
} diff;

static gb_text whole(uint64_t number) {
  gb_text text;
  (void)snprintf(text.s, sizeof text.s, "%" PRIu64, number);
  return text;
}

static gb_text hash_text(uint64_t hash) {
  gb_text text;
  (void)snprintf(text.s, sizeof text.s, "%016" PRIx64, hash);
  return text;
}

static gb_text ratio(const gb_saved *s) {
  gb_text text;
  (void)snprintf(text.s, sizeof text.s, s->bound > 0 ? "%.3f" : "-", s->predicted / s->bound);
  return text;
}

static gb_text segment(const gb_saved *s) {
  return s->tree_count == 0 ? (gb_text){"-"} : gb_text_bytes(s->tree[0].segment);
}

static gb_text ranks(const gb_saved *s) {
  return whole(s->tree_count == 0 ? 0 : (uint64_t)s->tree[0].edge_count + 1);
}

static gb_text root(const gb_saved *s) {
  gb_text text;
  (void)snprintf(text.s, sizeof text.s, s->root.k > 0 ? "%.28s#%" PRIu64 : "%.39s", s->root.host, s->root.k);
  return text;
}

static const char *operation(const gb_saved *s) {
  static const char *const name[] = {
      [GBCAST_BCAST] = "broadcast", [GBCAST_SCATTER] = "scatter", [GBCAST_ALLTOALL] = "all-to-all"};
  return name[s->operation];
}

static const char *known(const char *name) {
  return name != NULL ? name : "?";
}

static bool has_trees(const gb_saved *s) {
  return s->operation != GBCAST_ALLTOALL;
}

/* A row; `differs` is set where the two are not the same, and where they are the row is only there if it is
 * to be `always`. */
static void add(gb_table *table, const char *what, const char *then, const char *now, bool always,
                bool *differs) {
  const bool same = strcmp(then, now) == 0;
  if (same && !always)
    return;
  gb_table_add(table, "%s", what);
  gb_table_add(table, "%s", then);
  gb_table_add(table, "%s", now);
  *differs = *differs || !same;
}

static bool add_summary(const diff *d, gb_table *table) {
  const gb_saved *a = d->then, *b = &d->now;
  bool differs = a->predicted != b->predicted;
  gb_table_add(table, "%s", "");
  gb_table_add(table, "then");
  gb_table_add(table, "now");
  add(table, "operation", operation(a), operation(b), false, &differs);
  add(table, "bytes", gb_text_bytes(a->bytes).s, gb_text_bytes(b->bytes).s, false, &differs);
  if (has_trees(a) && has_trees(b)) {
    add(table, "root", root(a).s, root(b).s, false, &differs);
    add(table, "ranks", ranks(a).s, ranks(b).s, false, &differs);
  }
  add(table, "predicted", gb_text_seconds(a->predicted).s, gb_text_seconds(b->predicted).s, true, &differs);
  add(table, "lower bound", gb_text_seconds(a->bound).s, gb_text_seconds(b->bound).s, true, &differs);
  add(table, "ratio", ratio(a).s, ratio(b).s, true, &differs);
  if (has_trees(a) && has_trees(b)) {
    if (a->inter != NULL)
      add(table, "between sites", a->inter, b->inter, false, &differs);
    if (a->lanes != 0)
      add(table, "lanes", whole(a->lanes).s, whole(b->lanes).s, false, &differs);
    add(table, "trees", whole(a->tree_count).s, whole(b->tree_count).s, false, &differs);
    add(table, "segments of", segment(a).s, segment(b).s, false, &differs);
  } else if (!has_trees(a) && !has_trees(b)) {
    add(table, "algorithm", known(a->algorithm), known(b->algorithm), false, &differs);
    add(table, "phases kept apart by", known(a->sync), known(b->sync), false, &differs);
    add(table, "phases", whole(a->phases).s, whole(b->phases).s, false, &differs);
  }
  if (a->hash != 0)
    add(table, "plan", hash_text(a->hash).s, hash_text(b->hash).s, true, &differs);
  return differs;
}

/* ", 1.5 times as long", or nothing. */
static gb_text times_as_long(double now, double then, const char *end) {
  gb_text factor, text = {""};
  (void)snprintf(factor.s, sizeof factor.s, "%.4g", now / then);
  if (strcmp(factor.s, "1") != 0 && now != then)
    (void)snprintf(text.s, sizeof text.s, ", %.12s times as long%s", factor.s, end);
  return text;
}

/* The trees of then over the network of now. */
static int print_old_trees(const diff *d, gbcast_error *err) {
  const gbcast_platform *p = d->plan->platform;
  gbcast_plan *old = NULL;
  double seconds = 0;
  gbcast_error why = {""};
  uint32_t *count = calloc(p->host_count, sizeof *count);
  if (count == NULL)
    return gb_no_memory(err);
  for (uint32_t e = 0; e < d->plan->endpoint_count; e++)
    count[d->plan->endpoint[e].host]++;
  int status = gb_saved_place(d->then, p, count, &old, &why);
  const bool same = status == GBCAST_OK && old->decision == d->plan->decision;
  if (status == GBCAST_OK && !same)
    status = gb_plan_price(old, p, &seconds, &why);
  if (status == GBCAST_EMEMORY)
    *err = why;
  else if (status != GBCAST_OK)
    fprintf(d->out, "the plan of then cannot be used now: %s\n", why.message);
  else if (same)
    fputs("the plan of then, over the network of now, is this plan\n", d->out);
  else
    fprintf(d->out, "the plan of then would take %s now%s\n", gb_text_seconds(seconds).s,
            times_as_long(seconds, d->now.predicted, " as this one").s);
  gbcast_plan_free(old);
  free(count);
  return status == GBCAST_EMEMORY ? status : GBCAST_OK;
}

static bool is_same_choice(const gb_saved_candidate *a, const gb_saved_candidate *b) {
  return strcmp(a->inter, b->inter) == 0 && strcmp(a->intra, b->intra) == 0 && a->lanes == b->lanes;
}

static void print_pieces(const diff *d, uint64_t segment_bytes) {
  if (segment_bytes >= gb_plan_total(d->plan))
    fputs("in one piece", d->out);
  else
    fprintf(d->out, "in segments of %s", gb_text_bytes(segment_bytes).s);
}

static void print_one_choice(const diff *d, const gb_saved_candidate *c) {
  if (d->now.cluster_count > 1)
    fprintf(d->out, "%s between sites, ", c->inter);
  fprintf(d->out, "%s inside, ", c->intra);
  if (c->lanes > 1)
    fprintf(d->out, "%" PRIu64 " lanes, ", c->lanes);
  print_pieces(d, c->segment);
}

/* What was chosen in one of the plans, and what that was to take by the other, where it may have been cut
 * otherwise. */
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
      print_pieces(d, b->segment);
    }
    putc('\n', d->out);
    return;
  }
}

static int print_why(const diff *d, gbcast_error *err) {
  const gb_saved *a = d->then, *b = &d->now;
  if (a->operation != b->operation || a->bytes != b->bytes) /* the times are of different things */
    return GBCAST_OK;
  putc('\n', d->out);
  if (a->candidate_count > 0 && b->candidate_count > 0 &&
      !is_same_choice(&a->candidate[0], &b->candidate[0])) {
    print_choice(d, a, b, "then", "now that would take");
    print_choice(d, b, a, "now", "then that would have taken");
  }
  return print_old_trees(d, err);
}

static int print_tables(const diff *d, bool *any, gbcast_error *err) {
  gb_diff_side then = {0}, now = {0};
  int status = gb_diff_side_make(d->then, d->plan->platform, &then, err);
  if (status == GBCAST_OK)
    status = gb_diff_side_make(&d->now, d->plan->platform, &now, err);
  if (status == GBCAST_OK)
    status = gb_diff_print_sites(&then, &now, d->out, any);
  if (status == GBCAST_OK)
    status = gb_diff_print_ways(&then, &now, d->plan->platform, d->out, any);
  gb_diff_side_free(&then);
  gb_diff_side_free(&now);
  return status;
}

static void print_head(const diff *d) {
  const gb_saved *b = &d->now;
  fprintf(d->out, "%s of %s",
          b->operation == GBCAST_BCAST     ? "Broadcast"
          : b->operation == GBCAST_SCATTER ? "Scatter"
                                           : "All-to-all",
          gb_text_bytes(b->bytes).s);
  if (has_trees(b))
    fprintf(d->out, " from %s", root(b).s);
}

static int compare(diff *d, gbcast_error *err) {
  gb_table table = {.columns = 3, .align = "lll"};
  char *rest = NULL;
  size_t length = 0;
  FILE *out = d->out;
  bool any = add_summary(d, &table), trees = has_trees(d->then) && has_trees(&d->now);
  d->out = open_memstream(&rest, &length);
  int status = d->out != NULL ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK && trees)
    status = print_tables(d, &any, err);
  if (status == GBCAST_OK && trees && any)
    status = print_why(d, err);
  if (d->out != NULL && fclose(d->out) != 0 && status == GBCAST_OK)
    status = gb_no_memory(err);
  d->out = out;
  if (status == GBCAST_OK) {
    gb_diff_cell cell;
    print_head(d);
    (void)gb_diff_write(&cell, gb_text_seconds(d->then->predicted).s, gb_text_seconds(d->now.predicted).s);
    if (any)
      fprintf(out, ", against %s: %s%s\n\n", d->file, cell.s,
              times_as_long(d->now.predicted, d->then->predicted, "").s);
    else
      fprintf(out, ": as in %s, predicted %s; plan %016" PRIx64 "\n", d->file, cell.s, d->now.hash);
  }
  if (status == GBCAST_OK && any) {
    status = gb_table_print(&table, out);
    fputs(rest, out);
  }
  gb_table_drop(&table);
  free(rest);
  return status;
}

int gb_diff_print(const gb_saved *then, const gbcast_plan *now, FILE *out, gbcast_error *err) {
  diff d = {.then = then, .plan = now, .file = then->document.file, .out = out};
  int status = gb_saved_of(now, &d.now, err);
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (status == GBCAST_OK && plain == (locale_t)0)
    status = gb_no_memory(err);
  if (status == GBCAST_OK) {
    locale_t before = uselocale(plain);
    status = compare(&d, err);
    (void)uselocale(before);
  }
  if (plain != (locale_t)0)
    freelocale(plain);
  gb_saved_release(&d.now);
  return status;
}
