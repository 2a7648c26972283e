/* A L + B g of formula (2): child number u of a host has the first segment L + u g after the host. The child
 * with the most to do below it is served first (Mateescu and Taylor's labels, all edges alike): exchanging
 * two neighbours that are in the wrong order can only help.
 *
 *   label(v) = max over u of  L + u g + label(child u),  labels not rising with u     O(P log P) */
#include "intra/intra.h"

#include <stdlib.h>

static int falling(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

int gb_tree_time(const uint32_t *parent, uint32_t count, double latency, double gap, double *seconds,
                 uint32_t *degree, gbcast_error *err) {
  uint32_t *start = calloc((size_t)count + 1, sizeof *start); /* of the labels of a host's children */
  uint32_t *known = calloc(count, sizeof *known);             /* children that have their label */
  uint32_t *ready = malloc(count * sizeof *ready);            /* hosts whose children all have */
  double *label = malloc(2 * (size_t)count * sizeof *label), *below = label + count;
  int status = start && known && ready && label ? GBCAST_OK : gb_no_memory(err);
  uint32_t waiting = 0;
  for (uint32_t v = 0; status == GBCAST_OK && v < count; v++) {
    start[parent[v] == GB_NONE ? 0 : parent[v] + 1] += parent[v] != GB_NONE;
  }
  *degree = 0;
  for (uint32_t v = 0; status == GBCAST_OK && v < count; v++) {
    *degree = start[v + 1] > *degree ? start[v + 1] : *degree;
    if (start[v + 1] == 0) {
      ready[waiting++] = v;
    }
    start[v + 1] += start[v];
  }
  for (uint32_t i = 0; status == GBCAST_OK && i < waiting; i++) {
    uint32_t v = ready[i], children = start[v + 1] - start[v];
    double *of = below + start[v];
    qsort(of, children, sizeof *of, falling);
    label[v] = 0;
    for (uint32_t u = 0; u < children; u++) {
      double done = latency + (u + 1) * gap + of[u];
      label[v] = done > label[v] ? done : label[v];
    }
    uint32_t up = parent[v];
    if (up != GB_NONE) {
      below[start[up] + known[up]++] = label[v];
      if (start[up] + known[up] == start[up + 1]) {
        ready[waiting++] = up;
      }
    }
    *seconds = label[v]; /* the root is the last */
  }
  free(start);
  free(known);
  free(ready);
  free(label);
  return status;
}
