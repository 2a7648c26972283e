/* The plan on one screen: a line for each site, in the order in which the sites are fed. */
#include "plan/show/site_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { AGGREGATE_OVER = 40, AGGREGATE_TO = 30 };

static void add_row(gb_table *table, const gbcast_plan *plan, const gb_site_row *r) {
  const gb_site *site = &plan->site[r->site];
  const bool fed = r->from != GB_NONE;
  gb_text latency = {"-"}, bandwidth = {"-"};
  if (fed)
    gb_site_row_link(plan, r, &latency, &bandwidth);
  gb_table_row(table, gb_plan_site_name(plan, r->site), gb_text_whole(site->hosts).s,
               gb_text_whole(site->relay ? 0 : site->endpoint_count).s,
               gb_text_whole(gb_plan_leader_count(plan, r->site, plan->lanes)).s,
               fed ? gb_plan_host_name(plan, r->from) : "(root)", fed ? gb_text_whole(r->order).s : "-",
               latency.s, bandwidth.s, site->hosts > 1 ? site->intra : "-",
               gb_site_has_nodes(site) ? site->node : "-", gb_text_seconds(site->label).s,
               gb_text_seconds(r->arrival).s, gb_text_seconds(r->done).s, NULL);
}

static int print_sites(const gbcast_plan *plan, const gb_site_row *rows, uint32_t count, FILE *out) {
  const bool up = gb_plan_goes_up(plan);
  char align[] = "lrrrlrrrllrrr";
  align[3] = plan->lanes > 1 ? 'r' : '-';
  align[9] = gb_plan_has_nodes(plan) ? 'l' : '-';
  gb_table table = {.columns = sizeof align - 1, .align = align};
  gb_table_row(&table, "site", "hosts", "ranks", "leaders", up ? "to" : "from", "order", "latency",
               "bandwidth", "inside", "node", "label", up ? "start" : "arrival", "done", NULL);
  uint32_t shown = count > AGGREGATE_OVER ? AGGREGATE_TO : count;
  for (uint32_t r = 0; r < shown; r++)
    add_row(&table, plan, &rows[r]);
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

void gb_print_header(const gbcast_plan *plan, FILE *out) {
  const gb_schedule *schedule = &plan->schedule;
  const uint32_t members = gb_plan_members(plan), relays = plan->site_count - members;
  uint64_t hosts = 0;
  for (uint32_t s = 0; s < members; s++)
    hosts += plan->site[s].hosts;
  const gb_operation *o = &gb_operation_table[plan->operation];
  fputs(gb_text_what(plan->operation, plan->bytes).s, out);
  if (o->blocks)
    fputs(o->way == GB_WAY_UP ? " from each rank" : " to each rank", out);
  if (schedule->exchange == GB_UP_AND_DOWN)
    fprintf(out, " %s %s%s", o->at, gb_plan_host_name(plan, schedule->root),
            gb_text_rank(plan, schedule->root, schedule->endpoint[schedule->root].k > 0).s);
  fprintf(out, ": %s on %s in %s", gb_text_count(schedule->endpoint_count - relays, "rank").s,
          gb_text_count(hosts, "host").s, gb_text_count(members, "site").s);
  if (relays > 0)
    fprintf(out, ", by way of %s", gb_text_count(relays, "relay").s);
  putc('\n', out);
}

void gb_print_cost(const gbcast_plan *plan, FILE *out) {
  if (isnan(plan->cost.egress))
    return;
  fprintf(out, "costs %s: %s for data that leave sites, %s for hosts",
          gb_text_usd(gb_cost_total(plan->cost)).s, gb_text_usd(plan->cost.egress).s,
          gb_text_usd(plan->cost.hire).s);
  if (!isnan(plan->cost_bound))
    fprintf(out, "; lower bound %s", gb_text_usd(plan->cost_bound).s);
  if (plan->cost_bound > 0)
    fprintf(out, ", ratio %.3f", gb_cost_total(plan->cost) / plan->cost_bound);
  putc('\n', out);
}

void gb_print_times(const gbcast_plan *plan, FILE *out) {
  fprintf(out, "\npredicted %s, lower bound %s", gb_text_seconds(plan->predicted).s,
          gb_text_seconds(plan->bound).s);
  if (plan->bound > 0.0)
    fprintf(out, ", ratio %.3f", plan->predicted / plan->bound);
  fprintf(out, "; plan %016" PRIx64 "\n", plan->hash);
  gb_print_cost(plan, out);
}

void gb_print_head(const gbcast_plan *plan, FILE *out) {
  if (plan->alltoall != NULL) {
    gb_print_alltoall_head(plan, out);
    return;
  }
  gb_print_header(plan, out);
  gb_print_how(plan, out);
}

int gb_print_text(const gbcast_plan *plan, FILE *out) {
  gb_print_head(plan, out);
  putc('\n', out);
  gb_site_row *rows = calloc(plan->site_count, sizeof *rows);
  int rc = rows == NULL ? GBCAST_EMEMORY : gb_site_rows(plan, 0, rows);
  if (rc == GBCAST_OK)
    rc = print_sites(plan, rows, plan->site_count, out);
  free(rows);
  if (rc == GBCAST_OK)
    rc = gb_print_live(plan->given, false, out);
  gb_print_times(plan, out);
  return rc;
}
