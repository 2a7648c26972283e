#include "plan/sim/state.h"
#include "plan/sim/sim.h"
#include <math.h>
#include <stdlib.h>

void gb_simulator_free(gb_simulator *sim) {
  free(sim->pipe);
  free(sim->progress);
  free(sim->ready_from);
  free(sim->ready);
  free(sim->at);
  free(sim->port);
  free(sim->stream);
  free(sim->link_free);
  free(sim->next);
  free(sim->least);
  gb_heap_release(&sim->heap);
}

static int allocate(gb_simulator *sim, gbcast_error *err) {
  uint32_t n = sim->schedule->endpoint_count, trees = sim->schedule->tree_count;
  size_t all = (size_t)n * trees, total = 0;
  sim->progress = calloc(all, sizeof *sim->progress);
  if (!sim->progress)
    return gb_no_memory(err);
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t t = 0; t < trees; t++) {
      const gb_pipe *pipe = &sim->pipe[t];
      const uint32_t *child_start = &pipe->tree->child_start[v];
      *gb_simulator_progress(sim, pipe, v) = (gb_progress){
          .first = total, .next_child = child_start[0], .begin = child_start[0], .end = child_start[1]};
      if (gb_carries_blocks(pipe->flow.operation) && v == sim->schedule->root)
        total += (size_t)pipe->segments;
      else
        total += gb_simulator_segments(pipe, v);
    }
  sim->ready_from = calloc((size_t)n + 1, sizeof *sim->ready_from);
  sim->ready = calloc(all + 1, sizeof *sim->ready);
  sim->at = calloc(total + 1, sizeof *sim->at); /* an empty message has no segments */
  sim->stream = calloc(all, sizeof *sim->stream);
  sim->port = calloc(n, sizeof *sim->port);
  sim->link_free = calloc(sim->traffic->link_count + 1, sizeof *sim->link_free);
  sim->least = calloc(sim->traffic->link_count + 1, sizeof *sim->least);
  sim->next = calloc(n, sizeof *sim->next);
  if (!sim->ready_from || !sim->ready || !sim->at || !sim->port || !sim->stream || !sim->link_free ||
      !sim->least || !sim->next || !gb_heap_new(&sim->heap, n))
    return gb_no_memory(err);
  return GBCAST_OK;
}

/* Of dozens of trees, most hosts pass on only a few, so only these have an entry. */
static void find_ready(gb_simulator *sim) {
  gb_ready *none = &sim->ready[(size_t)sim->schedule->endpoint_count * sim->schedule->tree_count];
  uint32_t count = 0;
  none->there = INFINITY;
  for (uint32_t v = 0; v < sim->schedule->endpoint_count; v++) {
    for (uint32_t t = 0; t < sim->schedule->tree_count; t++) {
      gb_progress *progress = gb_simulator_progress(sim, &sim->pipe[t], v);
      progress->ready = progress->begin < progress->end ? &sim->ready[count++] : none;
      if (progress->ready != none)
        *progress->ready = (gb_ready){.there = INFINITY, .done = sim->pipe[t].tree->stage, .tree = t};
    }
    sim->ready_from[v + 1] = count;
  }
}

/* Marks the senders that feed other sites. */
static void find_wan_senders(gb_simulator *sim) {
  for (uint32_t t = 0; t < sim->schedule->tree_count; t++) {
    const gb_pipe *pipe = &sim->pipe[t];
    for (uint32_t v = 0; v < sim->schedule->endpoint_count; v++)
      if (pipe->tree->parent[v] != GB_NONE && pipe->edge[v].wan)
        gb_simulator_progress(sim, pipe, pipe->tree->parent[v])->ready->wan = true;
  }
}

/* The segments that the root has, and when. */
static void feed_root(gb_simulator *sim, const gb_flow *flow) {
  for (uint32_t t = 0; t < sim->schedule->tree_count; t++) {
    const gb_pipe *pipe = &sim->pipe[t];
    gb_progress *root = gb_simulator_progress(sim, pipe, sim->schedule->root);
    root->known = !gb_carries_blocks(flow->operation) ? pipe->limit : (uint32_t)pipe->segments;
    for (uint32_t j = 0; j < root->known; j++)
      sim->at[root->first + j] = gb_schedule_fed(sim->schedule, flow, t, j);
  }
}

int gb_simulator_new(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow,
                     gb_simulator *sim, gbcast_error *err) {
  *sim = (gb_simulator){
      .schedule = schedule, .traffic = traffic, .pipe = calloc(schedule->tree_count, sizeof *sim->pipe)};
  if (!sim->pipe)
    return gb_no_memory(err);
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const gb_tree *tree = &schedule->tree[t];
    sim->pipe[t] =
        (gb_pipe){.flow = gb_schedule_share(schedule, flow, t), .tree = tree, .edge = traffic->edge[t]};
    for (uint32_t v = 0; v < schedule->endpoint_count && tree->start; v++)
      tree->start[v] = 0;
  }
  gb_periodic_limits(schedule, traffic, flow, sim->pipe);
  int status = allocate(sim, err);
  if (status == GBCAST_OK) {
    find_ready(sim);
    find_wan_senders(sim);
    feed_root(sim, flow);
  } else
    gb_simulator_free(sim);
  return status;
}
