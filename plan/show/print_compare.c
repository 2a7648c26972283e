/* The table of candidates, best first: what each would take, where the time goes, and in what it differs from
 * the one that was chosen. */
#include "plan/show/print.h"

#include <inttypes.h>
#include <math.h>

/* The first candidate with the plan's own time, lanes and WAN algorithm; they are sorted, so that is the
 * first of all unless the planner had another reason. */
static size_t chosen(const gbcast_plan *plan) {
  for (size_t i = 0; i < plan->candidate_count; i++) {
    const gb_candidate *c = &plan->candidate[i];
    if (c->inter == plan->inter && c->lanes == plan->lanes && c->predicted == plan->predicted)
      return i;
  }
  return 0;
}

static bool has_lanes(const gbcast_plan *plan) {
  bool any = false;
  for (size_t i = 0; i < plan->candidate_count; i++)
    any |= plan->candidate[i].lanes > 1;
  return any;
}

/* A formula's time has no terms. */
static gb_text term(double seconds) {
  return isnan(seconds) ? (gb_text){"-"} : gb_text_seconds(seconds);
}

/* "slower by 2 ms; differs in: sites, segments" */
static void add_why(gb_table *table, const gb_candidate *c, const gb_candidate *best) {
  const double lost = c->predicted - best->predicted;
  char what[48] = "";
  gb_append_word(what, sizeof what, c->inter != best->inter ? "sites" : "");
  gb_append_word(what, sizeof what, c->intra != best->intra ? "inside" : "");
  gb_append_word(what, sizeof what, c->segment != best->segment ? "segments" : "");
  gb_append_word(what, sizeof what, c->lanes != best->lanes ? "lanes" : "");
  if (lost > 0.0)
    gb_table_add(table, "slower by %s; differs in: %s", gb_text_seconds(lost).s, what);
  else if (lost < 0.0)
    gb_table_add(table, "faster by %s, too little to matter", gb_text_seconds(-lost).s);
  else
    gb_table_add(table, "as fast; the chosen one comes first");
}

int gb_print_compare(const gbcast_plan *plan, FILE *out) {
  char align[] = "lllrrrrrrrrl";
  align[3] = has_lanes(plan) ? 'r' : '-';
  align[10] = isnan(plan->cost.egress) ? '-' : 'r';
  gb_table table = {.columns = sizeof align - 1, .align = align};
  fprintf(out, "%s %s %s: %zu candidates, lower bound %s; plan %016" PRIx64 "\n\n",
          gb_text_what(plan->operation, plan->bytes).s, gb_operation_table[plan->operation].at,
          gb_plan_host_name(plan, plan->schedule.root), plan->candidate_count, gb_text_seconds(plan->bound).s,
          plan->hash);
  gb_table_row(&table, "", "between sites", "inside", "lanes", "segment", "predicted", "start-up", "pipeline",
               "delay", "ratio", "cost", "why", NULL);
  const gb_candidate *best = &plan->candidate[chosen(plan)];
  for (const gb_candidate *c = plan->candidate; c < plan->candidate + plan->candidate_count; c++) {
    gb_table_row(&table, c == best ? "*" : "", plan->site_count > 1 ? c->inter : "-", c->intra,
                 gb_text_whole(c->lanes).s, gb_text_segment(plan, c->segment).s,
                 gb_text_seconds(c->predicted).s, term(c->terms.start_up).s, term(c->terms.pipeline).s,
                 term(c->terms.delay).s, NULL);
    gb_table_add(&table, "%.3f", best->predicted > 0 ? c->predicted / best->predicted : 1.0);
    gb_table_add(&table, "%s", gb_text_usd(gb_cost_total(c->cost)).s);
    if (c == best)
      gb_table_add(&table, "chosen");
    else
      add_why(&table, c, best);
  }
  return gb_table_print(&table, out);
}
