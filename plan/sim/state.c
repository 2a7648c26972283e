#include "plan/sim/state.h"
#include "plan/sim/sim.h"
#include <math.h>
#include <stdlib.h>

void gb_simulator_free(gb_simulator *w) {
  free(w->pipe);
  free(w->progress);
  free(w->ready_from);
  free(w->ready);
  free(w->at);
  free(w->begun);
  free(w->port);
  free(w->wire);
  free(w->link_free);
  free(w->next);
  free(w->least);
  gb_heap_release(&w->heap);
}

static int allocate(gb_simulator *w, gbcast_error *err) {
  uint32_t n = w->schedule->endpoint_count, trees = w->schedule->tree_count;
  size_t all = (size_t)n * trees, total = 0;
  w->progress = calloc(all, sizeof *w->progress);
  if (!w->progress)
    return gb_no_memory(err);
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t t = 0; t < trees; t++) {
      const gb_pipe *pipe = &w->pipe[t];
      const uint32_t *child_start = &pipe->tree->child_start[v];
      *gb_simulator_progress(w, pipe, v) = (gb_progress){
          .first = total, .next_child = child_start[0], .begin = child_start[0], .end = child_start[1]};
      if (pipe->flow.operation != GBCAST_BCAST && v == w->schedule->root)
        total += (size_t)pipe->segments;
      else
        total += gb_simulator_segments(pipe, v);
    }
  w->ready_from = calloc((size_t)n + 1, sizeof *w->ready_from);
  w->ready = calloc(all + 1, sizeof *w->ready);
  w->at = calloc(total + 1, sizeof *w->at); /* nothing at all for an empty message */
  w->begun = w->traffic->delayed_count > 0 ? calloc(total + 1, sizeof *w->begun) : NULL;
  w->wire = calloc(all, sizeof *w->wire);
  w->port = calloc(n, sizeof *w->port);
  w->link_free = calloc(w->traffic->link_count + 1, sizeof *w->link_free);
  w->least = calloc(w->traffic->link_count + 1, sizeof *w->least);
  w->next = calloc(n, sizeof *w->next);
  if (!w->ready_from || !w->ready || !w->at || (w->traffic->delayed_count > 0 && !w->begun) || !w->port ||
      !w->wire || !w->link_free || !w->least || !w->next ||
      !gb_heap_new(&w->heap, n + w->traffic->delayed_count))
    return gb_no_memory(err);
  return GBCAST_OK;
}

/* Of dozens of trees most hosts pass on few. */
static void find_ready(gb_simulator *w) {
  gb_ready *none = &w->ready[(size_t)w->schedule->endpoint_count * w->schedule->tree_count];
  uint32_t count = 0;
  none->there = INFINITY;
  for (uint32_t v = 0; v < w->schedule->endpoint_count; v++) {
    for (uint32_t t = 0; t < w->schedule->tree_count; t++) {
      gb_progress *progress = gb_simulator_progress(w, &w->pipe[t], v);
      progress->ready = progress->begin < progress->end ? &w->ready[count++] : none;
      if (progress->ready != none)
        *progress->ready = (gb_ready){.there = INFINITY, .done = w->pipe[t].tree->stage, .tree = t};
    }
    w->ready_from[v + 1] = count;
  }
}

/* Who feeds other sites. */
static void find_far(gb_simulator *w) {
  for (uint32_t t = 0; t < w->schedule->tree_count; t++) {
    const gb_pipe *pipe = &w->pipe[t];
    for (uint32_t v = 0; v < w->schedule->endpoint_count; v++)
      if (pipe->tree->parent[v] != GB_NONE && pipe->edge[v].wan)
        gb_simulator_progress(w, pipe, pipe->tree->parent[v])->ready->far = true;
  }
}

/* What the root has from the start. */
static void feed_root(gb_simulator *w, const gb_flow *flow) {
  for (uint32_t t = 0; t < w->schedule->tree_count; t++) {
    const gb_pipe *pipe = &w->pipe[t];
    gb_progress *root = gb_simulator_progress(w, pipe, w->schedule->root);
    root->known = flow->operation == GBCAST_BCAST ? pipe->limit : (uint32_t)pipe->segments;
    for (uint32_t j = 0; j < root->known; j++)
      w->at[root->first + j] = gb_schedule_fed(w->schedule, flow, t, j);
  }
}

int gb_simulator_new(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow,
                     gb_simulator *w, gbcast_error *err) {
  *w = (gb_simulator){
      .schedule = schedule, .traffic = traffic, .pipe = calloc(schedule->tree_count, sizeof *w->pipe)};
  if (!w->pipe)
    return gb_no_memory(err);
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const gb_tree *tree = &schedule->tree[t];
    w->pipe[t] =
        (gb_pipe){.flow = gb_schedule_share(schedule, flow, t), .tree = tree, .edge = traffic->edge[t]};
    for (uint32_t v = 0; v < schedule->endpoint_count && tree->start; v++)
      tree->start[v] = 0;
  }
  gb_periodic_limits(schedule, traffic, flow, w->pipe);
  int status = allocate(w, err);
  if (status == GBCAST_OK) {
    find_ready(w);
    find_far(w);
    feed_root(w, flow);
  } else
    gb_simulator_free(w);
  return status;
}
