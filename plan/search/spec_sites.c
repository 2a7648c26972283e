/* Prices many trees over sites with the same choice inside the sites.
 *
 * In large plans, to save time, messages in segments are not simulated over trees that pipeline_estimate.c
 * estimates to be much slower than the best of them. Whole messages always are. */
#include "plan/search/spec_sites.h"
#include "plan/search/pipeline_estimate.h"
#include "plan/search/site_graph.h"
#include "plan/search/site_trees.h"
#include "plan/search/spec_time.h"
#include <math.h>
#include <stdlib.h>

#define FAR 1.2 /* times the least estimate: trees up to this are simulated in large plans */

int gb_spec_graph(gb_planner *pl, const gb_flow *flow, bool whole, const gb_host_choice *choice,
                  gb_site_graph *graph, gbcast_error *err) {
  gb_flow sized = *flow;
  if (whole)
    sized.segment = sized.bytes;
  return gb_site_graph_make(pl, &sized, choice, graph, err);
}

/* The trees of one algorithm. */
typedef struct gb_made {
  gb_site_trees trees;
  gb_spec spec;
  double estimate; /* s */
} gb_made;

typedef struct gb_made_list {
  gb_made *item;
  size_t count;
} gb_made_list;

/* graph: [0] for a segment, [1] for the whole message. */
static int make_one(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                    const gb_host_choice *choice, const gb_spec *spec, gb_made_list *list,
                    gbcast_error *err) {
  gb_made *made = &list->item[list->count];
  *made = (gb_made){.spec = *spec};
  int status = gb_site_trees_make(pl, flow, &graph[spec->whole], spec->spares_leaders ? NULL : choice,
                                  spec->tree_inter, &made->trees, err);
  if (status == GBCAST_EINPUT) /* this algorithm finds no path; others may */
    return GBCAST_OK;
  if (status == GBCAST_OK)
    list->count++;
  return status;
}

/* Estimates all trees of a segmented message. graph: as above. Sets *most to the largest estimate that is
 * worth a simulation. */
static int estimate(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph, gb_made_list *list,
                    double *most, gbcast_error *err) {
  gb_estimate pipeline;
  int status = gb_estimate_new(pl, flow, &graph[0], &graph[1], &pipeline, err);
  if (status != GBCAST_OK)
    return status;
  *most = INFINITY;
  for (size_t i = 0; i < list->count; i++) {
    gb_made *made = &list->item[i];
    if (made->trees.count == 1) /* several trees are always worth it */
      made->estimate = gb_estimate_time(&pipeline, made->trees.parent);
    if (FAR * made->estimate < *most)
      *most = FAR * made->estimate;
  }
  gb_estimate_free(&pipeline);
  return GBCAST_OK;
}

/* Changes the spec to the algorithm's other variant for a segmented message; returns whether it has one. */
static bool take_other_variant(const gb_flow *flow, gb_spec *spec) {
  const bool packs = gb_inter_table[spec->tree_inter].pack;
  spec->whole = !packs;
  spec->spares_leaders = packs && gb_flow_lanes(flow) > 1;
  return spec->whole || spec->spares_leaders;
}

int gb_specs_price_sites(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                         const gb_spec *model, size_t first, size_t end, gb_spec_visit *visit, void *context,
                         size_t *best, gbcast_error *err) {
  const uint32_t n = pl->plan->site_count;
  const bool cut = flow->operation == GBCAST_BCAST && flow->segment < flow->bytes && n > 1;
  gb_made_list list = {.item = calloc(2 * (end - first), sizeof *list.item)};
  gb_site_graph graph[2] = {{0}, {0}};
  int status = list.item ? GBCAST_OK : gb_no_memory(err);
  for (int whole = 0; status == GBCAST_OK && n > 1 && whole <= cut; whole++)
    status = gb_spec_graph(pl, flow, whole, choice, &graph[whole], err);
  for (size_t inter = first; status == GBCAST_OK && inter < end; inter++) {
    gb_spec spec = *model;
    spec.inter = spec.tree_inter = inter;
    status = make_one(pl, flow, graph, choice, &spec, &list, err);
    if (status == GBCAST_OK && cut && take_other_variant(flow, &spec))
      status = make_one(pl, flow, graph, choice, &spec, &list, err);
  }
  double most = INFINITY, least = INFINITY;
  if (status == GBCAST_OK && cut && pl->plan->schedule.endpoint_count >= GB_LARGE)
    status = estimate(pl, flow, graph, &list, &most, err);
  for (size_t i = 0; status == GBCAST_OK && i < list.count; i++) {
    gb_made *made = &list.item[i];
    if (made->estimate > most)
      continue;
    status = gb_spec_simulate(pl, &made->trees, choice, flow, &made->spec, err);
    if (status == GBCAST_OK)
      visit(context, &made->spec);
    if (status == GBCAST_OK && made->spec.predicted < least) {
      least = made->spec.predicted;
      *best = made->spec.inter;
    }
  }
  gb_site_graph_free(&graph[0]);
  gb_site_graph_free(&graph[1]);
  for (size_t i = 0; i < list.count; i++)
    gb_site_trees_free(&list.item[i].trees);
  free(list.item);
  return status;
}
