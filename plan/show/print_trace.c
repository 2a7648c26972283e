/* A broadcast or scatter as Chrome trace events, which Perfetto and chrome://tracing show. A process is a
 * site, a thread a rank, in each tree of several by itself: slices of a thread must not overlap.
 *
 *   ottawa  n0  |root...............................|
 *   lyon    l0  |from n0.ottawa======|has its share.|
 *           l1      |from l0.lyon======|has it......|
 *
 * Arrows lead from the sender's slice of that time. They and the second slices are left out of large plans.
 */
#include "plan/show/critical.h"
#include "plan/show/site_rows.h"
#include "plan/show/trace.h"

#include <inttypes.h>
#include <stdlib.h>

#define SENDS_WITH_ARROWS 20000u

typedef struct trace {
  gb_trace events;
  const gbcast_plan *plan;
  const bool *critical;
  const uint32_t *site_of;
  double end; /* s */
  bool arrows;
} trace;

/* What stands behind the name of a rank's host. */
static gb_text rank_of(const trace *t, uint32_t e) {
  return gb_text_rank(t->plan, e, gb_site_has_nodes(&t->plan->site[t->site_of[e]]));
}

static uint32_t thread_of(const trace *t, uint32_t tree, uint32_t e) {
  return e * t->plan->schedule.tree_count + tree + 1;
}

static void name_all(trace *t) {
  const gbcast_plan *plan = t->plan;
  for (uint32_t s = 0; s < plan->site_count; s++)
    gb_trace_process(&t->events, s + 1, gb_plan_site_name(plan, s));
  for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++)
    for (uint32_t k = 0; k < plan->schedule.tree_count; k++) {
      gb_text rest = rank_of(t, e);
      if (plan->schedule.tree_count > 1)
        gb_append(rest.s, sizeof rest.s, ", tree %" PRIu32, k + 1);
      gb_trace_thread(&t->events, t->site_of[e] + 1, thread_of(t, k, e), gb_plan_host_name(plan, e), rest.s);
    }
}

/* What a rank does when it has everything: nothing but send it on. */
static void put_rest(trace *t, uint32_t tree, uint32_t e, const char *name) {
  const double from = e == t->plan->schedule.root ? 0 : t->plan->schedule.tree[tree].arrival[e];
  if (t->arrows && t->end > from) {
    gb_json_object o =
        gb_trace_slice(&t->events, t->site_of[e] + 1, thread_of(t, tree, e), from, t->end, "there");
    gb_json_string(&o, "name", name);
    gb_json_end(&o);
  }
}

/* The slice is with the child, which has one parent but may have many children. */
static void put_send(trace *t, uint32_t tree, uint32_t parent, uint32_t child, uint32_t order) {
  const gbcast_plan *plan = t->plan;
  const gb_tree *its = &plan->schedule.tree[tree];
  const bool up = gb_plan_goes_up(plan);
  const uint32_t from = up ? child : parent, to = up ? parent : child;
  const char *level = gb_level_name[gb_plan_level(plan, from, to)];
  const size_t id = (size_t)tree * plan->schedule.endpoint_count + child;
  gb_json_object o = gb_trace_slice(&t->events, t->site_of[child] + 1, thread_of(t, tree, child),
                                    its->start[child], its->arrival[child], level);
  gb_json_texts(&o, "name", up ? "to " : "from ", gb_plan_host_name(plan, parent), rank_of(t, parent).s,
                NULL);
  gb_json_object args = gb_json_begin_object(&o, "args");
  gb_json_texts(&args, "from", gb_plan_host_name(plan, from), rank_of(t, from).s, NULL);
  gb_json_texts(&args, "to", gb_plan_host_name(plan, to), rank_of(t, to).s, NULL);
  gb_json_string(&args, "level", level);
  gb_json_integer(&args, "order", order);
  gb_json_integer(&args, "tree", tree);
  gb_json_bool(&args, "critical", t->critical[id]);
  gb_json_end(&args);
  gb_json_end(&o);
  if (t->arrows) {
    const double time = up ? its->arrival[child] : its->start[child];
    gb_trace_arrow(&t->events, t->site_of[from] + 1, thread_of(t, tree, from), time, id, true);
    gb_trace_arrow(&t->events, t->site_of[to] + 1, thread_of(t, tree, to), time, id, false);
  }
  if (!up)
    put_rest(t, tree, child, "has it");
}

static void put_all(trace *t) {
  const gbcast_plan *plan = t->plan;
  for (uint32_t k = 0; k < plan->schedule.tree_count; k++) {
    const gb_tree *tree = &plan->schedule.tree[k];
    put_rest(t, k, plan->schedule.root, "root");
    for (uint32_t from = 0; from < plan->schedule.endpoint_count; from++)
      for (uint32_t i = tree->child_start[from]; i < tree->child_start[from + 1]; i++)
        put_send(t, k, from, tree->child[i], i - tree->child_start[from] + 1);
  }
}

int gb_print_trace(const gbcast_plan *plan, FILE *out) {
  const size_t sends = (size_t)plan->schedule.endpoint_count * plan->schedule.tree_count;
  bool *critical = gb_critical_new(plan);
  uint32_t *site_of = malloc(plan->schedule.endpoint_count * sizeof *site_of);
  int rc = GBCAST_EMEMORY;
  if (critical != NULL && site_of != NULL) {
    trace t = {.plan = plan, .critical = critical, .site_of = site_of, .end = plan->predicted};
    t.arrows = sends <= SENDS_WITH_ARROWS && plan->predicted > 0;
    gb_sites_of(plan, site_of);
    gb_trace_begin(&t.events, plan, out);
    name_all(&t);
    put_all(&t);
    gb_trace_end(&t.events);
    rc = GBCAST_OK;
  }
  free(site_of);
  free(critical);
  return rc;
}
