/* Plans of which none is beaten in both time and cost: a table, or JSON of the schema gbcast-pareto/1. */
#include "plan/show/print.h"

#include <math.h>

static const gbcast_plan *first(const gb_pareto *pareto) {
  return pareto->point[0].plan;
}

static uint32_t relays_of(const gbcast_plan *plan) {
  return plan->site_count - gb_plan_members(plan);
}

int gb_pareto_text(const gb_pareto *pareto, FILE *out) {
  gb_table table = {.columns = 9, .align = "rrllrrrrl"};
  gb_print_header(first(pareto), out);
  fputs("plans that no other one beats in both time and cost: ", out);
  fprintf(out, "%zu; lower bounds %s", pareto->count, gb_text_seconds(pareto->bound).s);
  if (!isnan(pareto->cost_bound))
    fprintf(out, " and %s", gb_text_usd(pareto->cost_bound).s);
  fputs("\n\n", out);
  gb_table_row(&table, "predicted", "cost", "between sites", "inside", "lanes", "trees", "relays", "segment",
               "--objective=", NULL);
  for (size_t i = 0; i < pareto->count; i++) {
    const gbcast_plan *plan = pareto->point[i].plan;
    const gb_candidate *c = &plan->candidate[0];
    gb_table_row(&table, gb_text_seconds(plan->predicted).s, gb_text_usd(gb_cost_total(plan->cost)).s,
                 gb_plan_inter(plan), c->intra, gb_text_whole(plan->lanes).s,
                 gb_text_whole(plan->schedule.tree_count).s, gb_text_whole(relays_of(plan)).s,
                 gb_text_segment(plan, c->segment).s, gb_text_objective(pareto->point[i].within).s, NULL);
  }
  return gb_table_print(&table, out);
}

static void print_point(gb_json_object *list, const gb_pareto_point *point) {
  const gbcast_plan *plan = point->plan;
  gb_json_object o = gb_json_begin_object(list, NULL);
  gb_json_string(&o, "objective", gb_text_objective(point->within).s);
  gb_json_number(&o, "predicted_seconds", plan->predicted);
  gb_json_cost(&o, plan->cost.egress, plan->cost.hire);
  gb_json_string(&o, "inter", gb_plan_inter(plan));
  gb_json_string(&o, "intra", plan->candidate[0].intra);
  gb_json_integer(&o, "lanes", plan->lanes);
  gb_json_integer(&o, "trees", plan->schedule.tree_count);
  gb_json_integer(&o, "relays", relays_of(plan));
  gb_json_integer(&o, "segment_bytes", plan->candidate[0].segment);
  gb_json_hash(&o, "hash", plan->hash);
  gb_json_end(&o);
}

int gb_pareto_json(const gb_pareto *pareto, FILE *out) {
  gb_json_object o = gb_json_begin_document(out);
  gb_json_string(&o, "schema", "gbcast-pareto/1");
  gb_json_call(&o, first(pareto));
  gb_json_number(&o, "lower_bound_seconds", pareto->bound);
  if (!isnan(pareto->cost_bound))
    gb_json_number(&o, "lower_bound_usd", pareto->cost_bound);
  gb_json_object list = gb_json_begin_list(&o, "plans", GB_JSON_LINES);
  for (size_t i = 0; i < pareto->count; i++)
    print_point(&list, &pareto->point[i]);
  gb_json_end(&list);
  gb_json_end(&o);
  return GBCAST_OK;
}
