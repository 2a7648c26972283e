/* Two plans compared: what both are, then tables of what is different. */
#include "plan/show/diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct comparison {
  const gb_saved *then, *now;
  const gbcast_plan *plan; /* of now */
  const gb_diff_old *old;
  const char *file;
  FILE *out;
} comparison;

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
  return gb_text_whole(s->tree_count == 0 ? 0 : (uint64_t)s->tree[0].edge_count + 1);
}

static gb_text root(const gb_saved *s) {
  gb_text text;
  (void)snprintf(text.s, sizeof text.s, s->root.k > 0 ? "%.28s#%" PRIu64 : "%.39s", s->root.host, s->root.k);
  return text;
}

static const char *operation(const gb_saved *s) {
  const char *noun = gb_operation_table[s->operation].noun;
  return strchr(noun, ' ') + 1; /* without its article */
}

static const char *known(const char *name) {
  return name != NULL ? name : "?";
}

static bool has_trees(const gb_saved *s) {
  return s->operation != GBCAST_ALLTOALL;
}

/* Adds a row, and sets `differs`, where the two are not the same; else adds it only if `always`. */
static void add(gb_table *table, const char *what, const char *then, const char *now, bool always,
                bool *differs) {
  const bool same = strcmp(then, now) == 0;
  if (same && !always)
    return;
  gb_table_row(table, what, then, now, NULL);
  *differs = *differs || !same;
}

static bool add_summary(const comparison *d, gb_table *table) {
  const gb_saved *a = d->then, *b = d->now;
  bool differs = a->predicted != b->predicted;
  gb_table_row(table, "", "then", "now", NULL);
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
      add(table, "lanes", gb_text_whole(a->lanes).s, gb_text_whole(b->lanes).s, false, &differs);
    add(table, "trees", gb_text_whole(a->tree_count).s, gb_text_whole(b->tree_count).s, false, &differs);
    add(table, "segments of", segment(a).s, segment(b).s, false, &differs);
  } else if (!has_trees(a) && !has_trees(b)) {
    add(table, "algorithm", known(a->algorithm), known(b->algorithm), false, &differs);
    add(table, "phases kept apart by", known(a->sync), known(b->sync), false, &differs);
    add(table, "phases", gb_text_whole(a->phases).s, gb_text_whole(b->phases).s, false, &differs);
  }
  if (a->hash != 0)
    add(table, "plan", hash_text(a->hash).s, hash_text(b->hash).s, true, &differs);
  return differs;
}

static int print_tables(const comparison *d, bool *any, gbcast_error *err) {
  gb_diff_side then = {0}, now = {0};
  int status = gb_diff_side_make(d->then, d->plan->platform, &then, err);
  if (status == GBCAST_OK)
    status = gb_diff_side_make(d->now, d->plan->platform, &now, err);
  if (status == GBCAST_OK)
    status = gb_diff_print_sites(&then, &now, d->out, any);
  if (status == GBCAST_OK)
    status = gb_diff_print_links(&then, &now, d->plan->platform, d->out, any);
  gb_diff_side_free(&then);
  gb_diff_side_free(&now);
  return status;
}

static void print_head(const comparison *d) {
  const gb_saved *b = d->now;
  const gb_operation *o = &gb_operation_table[b->operation];
  fputs(gb_text_what(b->operation, b->bytes).s, d->out);
  if (has_trees(b))
    fprintf(d->out, " %s %s", o->at, root(b).s);
}

static int compare(comparison *d, gbcast_error *err) {
  gb_table table = {.columns = 3, .align = "lll"};
  char *rest = NULL;
  size_t length = 0;
  FILE *out = d->out;
  bool any = add_summary(d, &table), trees = has_trees(d->then) && has_trees(d->now);
  d->out = open_memstream(&rest, &length);
  int status = d->out != NULL ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK && trees)
    status = print_tables(d, &any, err);
  if (status == GBCAST_OK && trees && any)
    gb_diff_print_why(d->then, d->now, d->plan, d->old, d->out);
  if (d->out != NULL && fclose(d->out) != 0 && status == GBCAST_OK)
    status = gb_no_memory(err);
  d->out = out;
  if (status == GBCAST_OK) {
    gb_diff_cell cell;
    print_head(d);
    (void)gb_diff_write(&cell, gb_text_seconds(d->then->predicted).s, gb_text_seconds(d->now->predicted).s);
    if (any)
      fprintf(out, ", against %s: %s%s\n\n", d->file, cell.s,
              gb_diff_times(d->now->predicted, d->then->predicted, "").s);
    else
      fprintf(out, ": as in %s, predicted %s; plan %016" PRIx64 "\n", d->file, cell.s, d->now->hash);
  }
  if (status == GBCAST_OK && any) {
    status = gb_table_print(&table, out);
    fputs(rest, out);
  }
  gb_table_drop(&table);
  free(rest);
  return status;
}

int gb_diff_print(const gb_saved *then, const gb_saved *now, const gbcast_plan *plan, const gb_diff_old *old,
                  FILE *out, gbcast_error *err) {
  comparison d = {
      .then = then, .now = now, .plan = plan, .old = old, .file = then->document.file, .out = out};
  return compare(&d, err);
}
