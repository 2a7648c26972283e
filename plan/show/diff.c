/* Two plans compared: what both are, then tables of what is different. */
#include "plan/show/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static gb_text hash_text(uint64_t hash) {
  return gb_text_of("%016" PRIx64, hash);
}

static gb_text ratio(const gb_saved *s) {
  return gb_text_of(s->bound > 0 ? "%.3f" : "-", s->predicted / s->bound);
}

static gb_text segment(const gb_saved *s) {
  return s->tree_count == 0 ? (gb_text){"-"} : gb_text_bytes(s->tree[0].segment);
}

static gb_text ranks(const gb_saved *s) {
  return gb_text_whole(s->tree_count == 0 ? 0 : (uint64_t)s->tree[0].edge_count + 1);
}

static gb_text root(const gb_saved *s) {
  return gb_text_of(s->root.k > 0 ? "%.28s#%" PRIu64 : "%.39s", s->root.host, s->root.k);
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

/* Returns whether anything differs. a: then; b: now. */
static bool add_summary(const gb_saved *a, const gb_saved *b, gb_table *table) {
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

static int print_tables(const gb_saved *then, const gb_saved *now, const gbcast_platform *p, FILE *out,
                        bool *any, gbcast_error *err) {
  gb_diff_side a = {0}, b = {0};
  int status = gb_diff_side_make(then, p, &a, err);
  if (status == GBCAST_OK)
    status = gb_diff_side_make(now, p, &b, err);
  if (status == GBCAST_OK)
    status = gb_diff_print_sites(&a, &b, out, any);
  if (status == GBCAST_OK)
    status = gb_diff_print_links(&a, &b, p, out, any);
  gb_diff_side_free(&a);
  gb_diff_side_free(&b);
  return status;
}

static void print_head(const gb_saved *then, const gb_saved *now, bool differs, FILE *out) {
  gb_diff_cell cell;
  (void)gb_diff_write(&cell, gb_text_seconds(then->predicted).s, gb_text_seconds(now->predicted).s);
  fputs(gb_text_what(now->operation, now->bytes).s, out);
  if (has_trees(now))
    fprintf(out, " %s %s", gb_operation_table[now->operation].at, root(now).s);
  if (differs)
    fprintf(out, ", against %s: %s%s\n\n", then->document.file, cell.s,
            gb_diff_times(now->predicted, then->predicted, "").s);
  else
    fprintf(out, ": as in %s, predicted %s; plan %016" PRIx64 "\n", then->document.file, cell.s, now->hash);
}

int gb_diff_print(const gb_saved *then, const gb_saved *now, const gbcast_plan *plan, const gb_diff_old *old,
                  FILE *out, gbcast_error *err) {
  gb_table summary = {.columns = 3, .align = "lll"};
  char *rest = NULL;
  size_t length = 0;
  bool any = add_summary(then, now, &summary);
  FILE *memory = open_memstream(&rest, &length); /* as the head says whether there is any difference */
  int status = memory != NULL ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK && has_trees(then) && has_trees(now)) {
    status = print_tables(then, now, plan->platform, memory, &any, err);
    if (status == GBCAST_OK && any)
      gb_diff_print_why(then, now, plan, old, memory);
  }
  if (memory != NULL && fclose(memory) != 0 && status == GBCAST_OK)
    status = gb_no_memory(err);
  if (status == GBCAST_OK)
    print_head(then, now, any, out);
  if (status == GBCAST_OK && any) {
    status = gb_table_print(&summary, out);
    fputs(rest, out);
  }
  gb_table_drop(&summary);
  free(rest);
  return status;
}
