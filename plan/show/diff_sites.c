/* The sites that get their data from others than before, or at another time.
 *
 *   site   hosts   from                inside                     done                  what
 *   lyon   2 -> 3  ottawa -> carleton  two-tree                   88.02 ms -> 120.1 ms  moved
 *   paris  4       ottawa              binary -> two-tree         86.44 ms */
#include "plan/show/diff.h"

#include <math.h>
#include <string.h>

enum { SHOWN_MOST = 40, FEEDERS_MOST = 3 };

bool gb_diff_write(gb_diff_cell *cell, const char *then, const char *now) {
  const bool same = strcmp(then, now) == 0;
  (void)snprintf(cell->s, sizeof cell->s, "%s%s%s", same ? "" : then, same ? "" : " -> ", now);
  return !same;
}

typedef struct cell_text {
  char s[1024];
} cell_text;

static cell_text feeders_of(const gb_diff_side *side, uint32_t site) {
  cell_text text = {""};
  const uint32_t n = side->saved->cluster_count;
  uint32_t count = 0;
  if (site == side->root_site)
    strcpy(text.s, "(root)");
  for (uint32_t c = 0; c < n && site != side->root_site; c++) {
    if (!side->feeds[(size_t)c * n + site] || ++count > FEEDERS_MOST + 1)
      continue;
    gb_append_word(text.s, sizeof text.s, count > FEEDERS_MOST ? "..." : side->saved->cluster[c].name);
  }
  return text;
}

/* Whether every site that feeds it in `a` does so in `b`. */
static bool feeders_within(const gb_diff_side *a, uint32_t site_a, const gb_diff_side *b, uint32_t site_b) {
  bool within = (site_a == a->root_site) == (site_b == b->root_site);
  for (uint32_t c = 0; within && site_a != a->root_site && c < a->saved->cluster_count; c++) {
    if (!a->feeds[(size_t)c * a->saved->cluster_count + site_a])
      continue;
    const uint32_t other = gb_diff_find(b, a->saved->cluster[c].name);
    within = other != GB_NONE && b->feeds[(size_t)other * b->saved->cluster_count + site_b];
  }
  return within;
}

/* Of the hosts, and of the ranks of a host where that is to be shown. */
static cell_text inside_of(const gb_saved_cluster *c, bool ranks) {
  cell_text text = {""};
  gb_append_word(text.s, sizeof text.s, c->hosts > 1 ? c->algorithm : "");
  gb_append_word(text.s, sizeof text.s, ranks && c->node != NULL ? c->node : "");
  return *text.s != '\0' ? text : (cell_text){"-"};
}

static void add_alone(gb_table *table, const gb_diff_side *side, uint32_t site, const char *what) {
  const gb_saved_cluster *c = &side->saved->cluster[site];
  gb_table_row(table, c->name, gb_text_whole(c->hosts).s, feeders_of(side, site).s, inside_of(c, true).s,
               gb_text_seconds(side->site[site].done).s, what, NULL);
}

/* Adds a row for a site that both plans have, where something has changed. */
static bool add_both(gb_table *table, const gb_diff_side *then, uint32_t old, const gb_diff_side *now,
                     uint32_t new) {
  const gb_saved_cluster *a = &then->saved->cluster[old], *b = &now->saved->cluster[new];
  const gb_diff_site *x = &then->site[old], *y = &now->site[new];
  const double lost = y->done - x->done;
  gb_diff_cell hosts, from, inside, done;
  const bool grown = gb_diff_write(&hosts, gb_text_whole(a->hosts).s, gb_text_whole(b->hosts).s);
  const bool moved = !feeders_within(then, old, now, new) || !feeders_within(now, new, then, old);
  (void)gb_diff_write(&from, moved ? feeders_of(then, old).s : feeders_of(now, new).s,
                      feeders_of(now, new).s);
  const bool ranks = a->node != NULL && b->node != NULL; /* earlier versions may not say it */
  const bool algorithm = gb_diff_write(&inside, inside_of(a, ranks).s, inside_of(b, ranks).s);
  const bool time = gb_diff_write(&done, gb_text_seconds(x->done).s, gb_text_seconds(y->done).s);
  const bool other =
      !algorithm && !grown && x->inside != y->inside && then->saved->tree_count == now->saved->tree_count;
  const bool order = !moved && x->order != y->order;
  if (!grown && !moved && !algorithm && !time && !other && !order)
    return false;
  char what[128] = "";
  if (moved || order)
    gb_append_word(what, sizeof what,
                   moved ? "moved" : gb_text_of("order %u -> %u", (unsigned)x->order, (unsigned)y->order).s);
  gb_append_word(what, sizeof what, other ? "other tree inside" : "");
  if (time)
    gb_append_word(what, sizeof what,
                   gb_text_of("%s by %s", lost > 0 ? "slower" : "faster", gb_text_seconds(fabs(lost)).s).s);
  gb_table_row(table, b->name, hosts.s, from.s, inside.s, done.s, what, NULL);
  return true;
}

int gb_diff_print_table(gb_table *table, const char *more, FILE *out, bool *any) {
  const uint32_t left_out = table->left_out / table->columns;
  if (!table->failed && table->cells == table->columns) {
    gb_table_drop(table);
    return GBCAST_OK;
  }
  *any = true;
  putc('\n', out);
  const int rc = gb_table_print(table, out);
  if (left_out > 0)
    fprintf(out, "%s of this kind\n", gb_text_count(left_out, more).s);
  return rc;
}

int gb_diff_print_sites(const gb_diff_side *then, const gb_diff_side *now, FILE *out, bool *any) {
  gb_table table = {.columns = 6, .align = "llllll", .most = SHOWN_MOST};
  uint32_t same = 0;
  gb_table_row(&table, "site", "hosts", "from", "inside", "done", "what", NULL);
  for (uint32_t c = 0; c < now->saved->cluster_count; c++) {
    const uint32_t old = gb_diff_find(then, now->saved->cluster[c].name);
    if (old == GB_NONE)
      add_alone(&table, now, c, "new");
    else
      same += !add_both(&table, then, old, now, c);
  }
  table.most = 0; /* sites that are gone are all named */
  for (uint32_t c = 0; c < then->saved->cluster_count; c++)
    if (gb_diff_find(now, then->saved->cluster[c].name) == GB_NONE)
      add_alone(&table, then, c, "gone");
  bool rows = false;
  const int rc = gb_diff_print_table(&table, "more site", out, &rows);
  if (rows && same > 0)
    fprintf(out, "%s as before\n", gb_text_count(same, "site").s);
  *any = *any || rows;
  return rc;
}
