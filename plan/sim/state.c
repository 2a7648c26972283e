#include "plan/sim/state.h"
#include "plan/sim/sim.h"
#include <math.h>
#include <stdlib.h>

void gb_walker_free(gb_walker *w) {
  free(w->pipe);
  free(w->progress);
  free(w->ready_from);
  free(w->ready);
  free(w->at);
  free(w->begun);
  free(w->port);
  free(w->wire);
  free(w->queue);
  free(w->next);
  free(w->least);
  gb_heap_release(&w->heap);
}

static int allocate(gb_walker *w, gbcast_error *err) {
  uint32_t n = w->forest->n, trees = w->forest->count;
  size_t all = (size_t)n * trees, total = 0;
  w->progress = calloc(all, sizeof *w->progress);
  if (!w->progress)
    return gb_no_memory(err);
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t t = 0; t < trees; t++) {
      const gb_pipe *pipe = &w->pipe[t];
      const uint32_t *child_start = &pipe->shape->child_start[v];
      *gb_walker_progress(w, pipe, v) = (gb_progress){
          .first = total, .turn = child_start[0], .begin = child_start[0], .end = child_start[1]};
      if (pipe->flow.operation != GBCAST_BCAST && v == w->forest->root)
        total += (size_t)pipe->segments;
      else
        total += gb_walker_segments(pipe, v);
    }
  w->ready_from = calloc((size_t)n + 1, sizeof *w->ready_from);
  w->ready = calloc(all + 1, sizeof *w->ready);
  w->at = calloc(total + 1, sizeof *w->at); /* nothing at all for an empty message */
  w->begun = w->forest->late_count > 0 ? calloc(total + 1, sizeof *w->begun) : NULL;
  w->wire = calloc(all, sizeof *w->wire);
  w->port = calloc(n, sizeof *w->port);
  w->queue = calloc(w->forest->queue_count + 1, sizeof *w->queue);
  w->least = calloc(w->forest->queue_count + 1, sizeof *w->least);
  w->next = calloc(n, sizeof *w->next);
  if (!w->ready_from || !w->ready || !w->at || (w->forest->late_count > 0 && !w->begun) || !w->port ||
      !w->wire || !w->queue || !w->least || !w->next || !gb_heap_new(&w->heap, n + w->forest->late_count))
    return gb_no_memory(err);
  return GBCAST_OK;
}

/* Of dozens of trees most hosts pass on few. */
static void find_ready(gb_walker *w) {
  gb_ready *none = &w->ready[(size_t)w->forest->n * w->forest->count];
  uint32_t count = 0;
  none->there = INFINITY;
  for (uint32_t v = 0; v < w->forest->n; v++) {
    for (uint32_t t = 0; t < w->forest->count; t++) {
      gb_progress *progress = gb_walker_progress(w, &w->pipe[t], v);
      progress->ready = progress->begin < progress->end ? &w->ready[count++] : none;
      if (progress->ready != none)
        *progress->ready = (gb_ready){.there = INFINITY, .done = w->pipe[t].turn, .tree = t};
    }
    w->ready_from[v + 1] = count;
  }
}

/* Who feeds other sites. */
static void find_far(gb_walker *w) {
  for (uint32_t t = 0; t < w->forest->count; t++) {
    const gb_pipe *pipe = &w->pipe[t];
    for (uint32_t v = 0; v < w->forest->n; v++)
      if (pipe->shape->parent[v] != GB_NONE && pipe->edge[v].wan)
        gb_walker_progress(w, pipe, pipe->shape->parent[v])->ready->far = true;
  }
}

/* What the root has from the start. */
static void feed_root(gb_walker *w, const gb_flow *flow) {
  for (uint32_t t = 0; t < w->forest->count; t++) {
    const gb_pipe *pipe = &w->pipe[t];
    gb_progress *root = gb_walker_progress(w, pipe, w->forest->root);
    root->known = flow->operation == GBCAST_BCAST ? pipe->limit : (uint32_t)pipe->segments;
    for (uint32_t j = 0; j < root->known; j++)
      w->at[root->first + j] = gb_forest_fed(w->forest, flow, t, j);
  }
}

int gb_walker_new(gb_forest *forest, const gb_flow *flow, gb_walker *w, gbcast_error *err) {
  *w = (gb_walker){.forest = forest, .pipe = calloc(forest->count, sizeof *w->pipe)};
  if (!w->pipe)
    return gb_no_memory(err);
  for (uint32_t t = 0; t < forest->count; t++) {
    const gb_part *part = &forest->part[t];
    w->pipe[t].flow = gb_forest_flow(forest, flow, t);
    w->pipe[t].turn = part->turn;
    w->pipe[t].shape = &part->shape;
    w->pipe[t].edge = part->edge;
    for (uint32_t v = 0; v < forest->n && part->start; v++)
      part->start[v] = 0;
  }
  gb_periodic_limits(forest, flow, w->pipe);
  int status = allocate(w, err);
  if (status == GBCAST_OK) {
    find_ready(w);
    find_far(w);
    feed_root(w, flow);
  } else
    gb_walker_free(w);
  return status;
}
