/* The plan on one screen: a line for each site, in the order in which the sites are fed. */
#include "plan/node.h"
#include "plan/print.h"

#include "platform/route.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FOLD_OVER = 40, FOLD_TO = 30 };

typedef struct row { /* a site and the WAN edge that feeds it; from is GB_NONE for the root's site */
  uint32_t site, from, to, order;
  double arrival, done; /* at the first endpoints that are fed, at the last of the site; over all trees */
} row;

static const char *host_name(const gbcast_plan *plan, uint32_t endpoint) {
  return gbcast_platform_host_name(plan->platform, plan->endpoint[endpoint].host);
}

/* The site has its row: its endpoints are of no site any more. */
static void take_off(const gb_site *site, uint32_t *site_of) {
  for (uint32_t i = 0; i < site->endpoint_count; i++) {
    site_of[site->first_endpoint + i] = GB_NONE;
  }
}

/* Sites as a walk of the first tree meets them, level by level, each by the first edge into it. site_of and
 * queue: endpoint_count each. */
static uint32_t rows_in_order(const gbcast_plan *plan, row *rows, uint32_t *site_of, uint32_t *queue) {
  const gb_tree *tree = &plan->tree[0];
  for (uint32_t s = 0; s < plan->site_count; s++) {
    for (uint32_t i = 0; i < plan->site[s].endpoint_count; i++) {
      site_of[plan->site[s].first_endpoint + i] = s;
    }
  }
  uint32_t count = 0, tail = 0;
  queue[tail++] = plan->root;
  rows[count++] = (row){.site = plan->root_site, .from = GB_NONE, .to = plan->root};
  take_off(&plan->site[plan->root_site], site_of);
  for (uint32_t head = 0; head < tail; head++) {
    uint32_t from = queue[head];
    for (uint32_t i = tree->child_start[from]; i < tree->child_start[from + 1] && tail < plan->endpoint_count;
         i++) {
      uint32_t to = tree->child[i], site = site_of[to];
      queue[tail++] = to;
      if (site != GB_NONE) {
        rows[count++] = (row){.site = site, .from = from, .to = to, .order = i - tree->child_start[from] + 1};
        take_off(&plan->site[site], site_of);
      }
    }
  }
  return count;
}

static void fill_times(const gbcast_plan *plan, row *rows, uint32_t count) {
  for (uint32_t r = 0; r < count; r++) {
    const gb_site *site = &plan->site[rows[r].site];
    for (uint32_t t = 0; t < plan->tree_count; t++) {
      const double *arrival = plan->tree[t].arrival;
      const uint32_t fed = plan->lanes > 1 ? gb_plan_leader(plan, rows[r].site, t) : rows[r].to;
      if (rows[r].to != plan->root && arrival[fed] > rows[r].arrival) {
        rows[r].arrival = arrival[fed];
      }
      for (uint32_t i = 0; i < site->endpoint_count; i++) {
        uint32_t e = site->first_endpoint + i;
        if (e != plan->root && arrival[e] > rows[r].done) {
          rows[r].done = arrival[e];
        }
      }
    }
  }
}

static void add_link(gb_table *table, const gbcast_plan *plan, const row *r) {
  gb_route route = {0};
  uint32_t from = plan->endpoint[r->from].host, to = plan->endpoint[r->to].host;
  if (gb_route_between(plan->platform, from, to, NULL, &route, NULL) == GBCAST_OK) {
    gb_table_add(table, "%s", gb_text_seconds(route.latency).s);
    gb_table_add(table, "%s", gb_text_rate(route.narrowest).s);
  } else {
    gb_table_add(table, "?");
    gb_table_add(table, "?");
  }
  gb_route_release(&route);
}

static void add_row(gb_table *table, const gbcast_plan *plan, const row *r) {
  const gb_site *site = &plan->site[r->site];
  gb_table_add(table, "%s", plan->platform->cluster[site->cluster].name);
  gb_table_add(table, "%" PRIu32, site->hosts);
  gb_table_add(table, "%" PRIu32, site->endpoint_count);
  if (plan->lanes > 1) {
    gb_table_add(table, "%" PRIu32, gb_plan_leader_count(plan, r->site, plan->lanes));
  }
  if (r->from == GB_NONE) {
    gb_table_add(table, "(root)");
    for (int i = 0; i < 3; i++) {
      gb_table_add(table, "-");
    }
  } else {
    gb_table_add(table, "%s", host_name(plan, r->from));
    gb_table_add(table, "%" PRIu32, r->order);
    add_link(table, plan, r);
  }
  gb_table_add(table, "%s", site->hosts > 1 ? gb_intra_name(site->intra) : "-");
  if (gb_plan_has_nodes(plan)) {
    gb_table_add(table, "%s", gb_site_has_nodes(site) ? gb_node_table[site->node].name : "-");
  }
  gb_table_add(table, "%s", gb_text_seconds(site->label).s);
  gb_table_add(table, "%s", gb_text_seconds(r->arrival).s);
  gb_table_add(table, "%s", gb_text_seconds(r->done).s);
}

static int print_sites(const gbcast_plan *plan, const row *rows, uint32_t count, FILE *out) {
  static const struct {
    const char *name, *align;
  } title[] = {{"site", "l"},  {"hosts", "r"},   {"ranks", "r"},     {"leaders", "r"}, {"from", "l"},
               {"order", "r"}, {"latency", "r"}, {"bandwidth", "r"}, {"inside", "l"},  {"node", "l"},
               {"label", "r"}, {"arrival", "r"}, {"done", "r"}};
  const bool nodes = gb_plan_has_nodes(plan);
  char align[sizeof title / sizeof *title + 1];
  gb_table table = {.align = align};
  for (size_t i = 0; i < sizeof title / sizeof *title; i++) {
    if ((nodes || strcmp(title[i].name, "node") != 0) &&
        (plan->lanes > 1 || strcmp(title[i].name, "leaders") != 0)) {
      align[table.columns++] = *title[i].align;
      gb_table_add(&table, "%s", title[i].name);
    }
  }
  uint32_t shown = count > FOLD_OVER ? FOLD_TO : count;
  for (uint32_t r = 0; r < shown; r++) {
    add_row(&table, plan, &rows[r]);
  }
  int rc = gb_table_print(&table, out);
  if (shown < count) {
    double first = rows[shown].arrival, last = rows[shown].done;
    uint64_t hosts = 0;
    for (uint32_t r = shown; r < count; r++) {
      first = rows[r].arrival < first ? rows[r].arrival : first;
      last = rows[r].done > last ? rows[r].done : last;
      hosts += plan->site[rows[r].site].hosts;
    }
    fprintf(out,
            "... and %" PRIu32 " more sites with %" PRIu64
            " hosts: first arrival %s, all done %s (--format=json has every one)\n",
            count - shown, hosts, gb_text_seconds(first).s, gb_text_seconds(last).s);
  }
  return rc;
}

void gb_print_plural(FILE *out, uint64_t n, const char *noun) {
  fprintf(out, "%" PRIu64 " %s%s", n, noun, n == 1 ? "" : "s");
}

static void print_header(const gbcast_plan *plan, FILE *out) {
  uint64_t hosts = 0;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    hosts += plan->site[s].hosts;
  }
  bool scatter = plan->operation == GBCAST_SCATTER;
  fprintf(out, "%s of %s%s from %s", scatter ? "Scatter" : "Broadcast", gb_text_bytes(plan->bytes).s,
          scatter ? " to each rank" : "", host_name(plan, plan->root));
  if (plan->endpoint[plan->root].k > 0) {
    fprintf(out, "#%" PRIu32, plan->endpoint[plan->root].k);
  }
  fputs(": ", out);
  gb_print_plural(out, plan->endpoint_count, "rank");
  fputs(" on ", out);
  gb_print_plural(out, hosts, "host");
  fputs(" in ", out);
  gb_print_plural(out, plan->site_count, "site");
  putc('\n', out);
}

void gb_print_times(const gbcast_plan *plan, FILE *out) {
  fprintf(out, "\npredicted %s, lower bound %s", gb_text_seconds(plan->predicted).s,
          gb_text_seconds(plan->bound).s);
  if (plan->bound > 0.0) {
    fprintf(out, ", ratio %.3f", plan->predicted / plan->bound);
  }
  fprintf(out, "; plan %016" PRIx64 "\n", plan->hash);
}

int gb_print_text(const gbcast_plan *plan, FILE *out) {
  print_header(plan, out);
  gb_print_how(plan, out);
  putc('\n', out);
  row *rows = calloc(plan->site_count, sizeof *rows);
  uint32_t *scratch = calloc(plan->endpoint_count, 2 * sizeof *scratch);
  int rc = rows == NULL || scratch == NULL ? GBCAST_EMEMORY : GBCAST_OK;
  if (rc == GBCAST_OK) {
    uint32_t count = rows_in_order(plan, rows, scratch, scratch + plan->endpoint_count);
    fill_times(plan, rows, count);
    rc = print_sites(plan, rows, count, out);
  }
  free(scratch);
  free(rows);
  if (rc == GBCAST_OK) {
    rc = gb_print_live(plan->platform, false, out);
  }
  gb_print_times(plan, out);
  return rc;
}
