#include "plan/walker.h"
#include "plan/forest.h"
#include <stdlib.h>
#include <string.h>

void gb_walker_free(gb_walker *w) {
  free(w->pipe);
  free(w->first);
  free(w->at);
  free(w->known);
  free(w->segment);
  free(w->turn);
  free(w->far);
  free(w->due);
  free(w->port);
  free(w->wire);
  free(w->queue);
  free(w->least);
  gb_heap_release(&w->heap);
}

static int allocate(gb_walker *w, gbcast_error *err) {
  uint32_t n = w->forest->n;
  size_t all = (size_t)n * w->forest->count, total = 0;
  w->first = calloc(all, sizeof *w->first);
  if (!w->first)
    return gb_no_memory(err);
  for (size_t i = 0; i < all; i++) {
    const gb_pipe *pipe = &w->pipe[i / n];
    w->first[i] = total;
    if (pipe->flow.operation != GBCAST_BCAST && i - pipe->base == w->forest->root)
      total += (size_t)pipe->segments;
    else
      total += gb_walker_segments(pipe, (uint32_t)(i - pipe->base));
  }
  w->at = calloc(total + 1, sizeof *w->at); /* nothing at all for an empty message */
  w->known = calloc(all, sizeof *w->known);
  w->segment = calloc(all, sizeof *w->segment);
  w->turn = malloc(all * sizeof *w->turn);
  w->far = calloc(all, sizeof *w->far);
  w->due = malloc(all * sizeof *w->due);
  w->wire = calloc(all, sizeof *w->wire);
  w->port = calloc(n, sizeof *w->port);
  w->queue = calloc(w->forest->queue_count + 1, sizeof *w->queue);
  w->least = calloc(w->forest->queue_count + 1, sizeof *w->least);
  if (!w->at || !w->known || !w->segment || !w->turn || !w->far || !w->due || !w->port || !w->wire ||
      !w->queue || !w->least || !gb_heap_new(&w->heap, n))
    return gb_no_memory(err);
  return GBCAST_OK;
}

static void find_far(gb_walker *w) {
  for (uint32_t t = 0; t < w->forest->count; t++) {
    const gb_pipe *pipe = &w->pipe[t];
    for (uint32_t v = 0; v < w->forest->n; v++)
      if (pipe->shape->parent[v] != GB_NONE && pipe->edge[v].wan)
        w->far[pipe->base + pipe->shape->parent[v]] = true;
  }
}

/* What each tree carries, and what the root has of it from the start. */
static void feed_root(gb_walker *w, const gb_flow *flow) {
  for (uint32_t t = 0; t < w->forest->count; t++) {
    const gb_pipe *pipe = &w->pipe[t];
    size_t root = pipe->base + w->forest->root;
    memcpy(w->turn + pipe->base, pipe->shape->child_start, w->forest->n * sizeof *w->turn);
    w->known[root] = flow->operation == GBCAST_BCAST ? pipe->limit : (uint32_t)pipe->segments;
    for (uint32_t j = 0; j < w->known[root]; j++)
      w->at[w->first[root] + j] = gb_forest_fed(w->forest, flow, t, j);
  }
}

int gb_walker_new(gb_forest *forest, const gb_flow *flow, gb_walker *w, gbcast_error *err) {
  *w = (gb_walker){.forest = forest, .pipe = calloc(forest->count, sizeof *w->pipe)};
  if (!w->pipe)
    return gb_no_memory(err);
  for (uint32_t t = 0; t < forest->count; t++) {
    const gb_part *part = &forest->part[t];
    w->pipe[t].flow = gb_forest_flow(forest, flow, t);
    w->pipe[t].shape = &part->shape;
    w->pipe[t].edge = part->edge;
    w->pipe[t].base = (size_t)t * forest->n;
    for (uint32_t v = 0; v < forest->n && part->start; v++)
      part->start[v] = 0;
  }
  gb_periodic_limits(forest, flow, forest->queue_count == 0 && !flow->rendezvous, w->pipe);
  int status = allocate(w, err);
  if (status == GBCAST_OK) {
    find_far(w);
    feed_root(w, flow);
  } else
    gb_walker_free(w);
  return status;
}
