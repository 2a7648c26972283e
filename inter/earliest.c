/* Earliest completion first (Bhat, Raghavendra and Prasanna, 2003): of all pairs of a site u that has the
 * message and a site v that has not, take the one with the least
 *
 *   free(u) + delta(u,v) + weight(u,v)      [s]
 *
 * then free(u) += delta(u,v), and v is free from the moment it has the message. Equal times: the lowest v,
 * and the u that had the message first. A seed of the search only: unlike Fig. 2 no sender pays for a child
 * that it loses later. Each v remembers its best sender and looks again only after that one became busier:
 * O(n^2) where senders alternate, n^3 / 6 pairs at worst. */
#include "inter/trees.h"
#include <stdlib.h>

typedef struct earliest_site {
  uint32_t nth;   /* the site that was the nth to have the message, counted from 0 */
  double free;    /* has the message and may send from then on; INFINITY: has it not */
  double arrival; /* over its best sender */
  uint32_t sender;
} earliest_site;

static double arrival_from(const gb_site_graph *g, const earliest_site *s, uint32_t u, uint32_t v) {
  return s[u].free + gb_site_delta(g, u, v) + gb_site_weight(g, u, v);
}

static void find_sender(const gb_site_graph *g, earliest_site *s, uint32_t taken, uint32_t v) {
  s[v].arrival = INFINITY;
  for (uint32_t i = 0; i < taken; i++) {
    const uint32_t u = s[i].nth;
    if (!gb_site_usable(g, u, v) || !(arrival_from(g, s, u, v) < s[v].arrival))
      continue;
    s[v].arrival = arrival_from(g, s, u, v);
    s[v].sender = u;
  }
}

static void take(const gb_site_graph *g, earliest_site *s, uint32_t taken, uint32_t v) {
  const uint32_t u = s[v].sender;
  s[v].free = s[v].arrival;
  s[taken].nth = v;
  s[u].free += gb_site_delta(g, u, v);
  for (uint32_t x = 0; x < g->n; x++) {
    if (s[x].free < INFINITY)
      continue;
    if (s[x].sender == u)
      find_sender(g, s, taken, x);
    if (gb_site_usable(g, v, x) && arrival_from(g, s, v, x) < s[x].arrival) {
      s[x].arrival = arrival_from(g, s, v, x);
      s[x].sender = v;
    }
  }
}

int gb_inter_earliest(const gb_site_graph *g, uint32_t *parent, gbcast_error *err) {
  earliest_site *s = calloc((size_t)g->n + 1, sizeof *s);
  if (!s)
    return gb_fail(err, GBCAST_EMEMORY, "out of memory for the order of %u sites", g->n);
  for (uint32_t v = 0; v < g->n; v++)
    s[v] = (earliest_site){.free = v == g->root ? 0 : INFINITY, .arrival = INFINITY, .sender = UINT32_MAX};
  s[0].nth = g->root;
  for (uint32_t v = 0; v < g->n; v++)
    if (v != g->root)
      find_sender(g, s, 1, v);
  int status = GBCAST_OK;
  for (uint32_t taken = 1; taken < g->n; taken++) {
    uint32_t next = UINT32_MAX;
    for (uint32_t v = 0; v < g->n; v++)
      if (!(s[v].free < INFINITY) && s[v].arrival < (next == UINT32_MAX ? INFINITY : s[next].arrival))
        next = v;
    if (next == UINT32_MAX) {
      status = gb_fail(err, GBCAST_EINPUT, "only %u of the %u sites can be reached", taken, g->n);
      break;
    }
    take(g, s, taken, next);
  }
  for (uint32_t v = 0; v < g->n && status == GBCAST_OK; v++)
    parent[v] = s[v].sender;
  free(s);
  return status;
}
