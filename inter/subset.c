/* The optimum of up to GB_SUBSET_SITES sites by dynamic programming over subsets.
 *
 *   f(u, S, j) = least time in which u, which has the message and a free port, serves the sites S and its
 *                local runs j, j + 1, ... (local_runs.c)                                              [s]
 *   f(u, {}, last) = 0
 *   f(u, S, j) = min( max(done_j, busy_j + f(u, S, j + 1)),
 *                     min over v in S, A within S \ {v} of
 *                       max(delta(u,v) + weight(u,v) + f(v, A, 0), delta(u,v) + f(u, S \ A \ {v}, j)) )
 *
 * The first send of u is either its next local run or a site v that A is delegated to. Every tree in every
 * order is one path through this recursion, except that local sends keep the order of their tails and runs
 * are not split; local_runs.c says why some best order does that. max is monotone in both of its arguments,
 * so each may be optimal by itself. Hence f(root, all, 0) is the least label over all trees: proven, not
 * heuristic.
 *
 * O(3^n n^2) pairs times the runs of u plus one; memory 2^n n (runs + 1) / 2 doubles. 9 sites: 60,000 pairs;
 * 12 sites: 3 million. The loop over the runs is innermost and without branches, so that compilers use vector
 * instructions. */
#include "inter/trees.h"
#include <stdlib.h>

typedef struct subset_table {
  const gb_site_graph *g;
  const gb_local_runs *runs;
  uint32_t sites;                 /* other than the root; bit b of a set is site[b] */
  uint32_t site[GB_SUBSET_SITES]; /* bit to site; site[sites] is the root */
  double
      *f[GB_SUBSET_SITES]; /* by bit, the root's last: rows of `width`, one for each set without that bit */
  size_t width[GB_SUBSET_SITES];
} subset_table;

/* The row f(b, set, 0...). Sets without bit b are numbered densely by closing the gap. */
static double *row_of(const subset_table *t, uint32_t b, uint32_t set) {
  const uint32_t low = (1u << b) - 1u;
  const uint32_t index = b == t->sites ? set : ((set & ~low) >> 1) | (set & low);
  return t->f[b] + index * t->width[b];
}

/* The better of what `row` holds and sending to bit v first, with the sets A delegated to it, for all j at
 * once. */
static void send_first(const subset_table *t, uint32_t u, uint32_t v, uint32_t set, double *row) {
  const double delta = gb_site_delta(t->g, t->site[u], t->site[v]);
  const double reach = delta + gb_site_weight(t->g, t->site[u], t->site[v]);
  const uint32_t others = set & ~(1u << v);
  const size_t width = t->width[u];
  for (uint32_t delegated = others;; delegated = (delegated - 1u) & others) {
    const double branch = reach + row_of(t, v, delegated)[0];
    const double *rest = row_of(t, u, others & ~delegated);
    for (size_t j = 0; j < width; j++) {
      const double own = delta + rest[j], time = own > branch ? own : branch;
      row[j] = time < row[j] ? time : row[j];
    }
    if (delegated == 0)
      break;
  }
}

static double after_run(const gb_local_runs *runs, uint32_t run, double rest) {
  const double own = runs->busy[run] + rest;
  return own > runs->done[run] ? own : runs->done[run];
}

static void fill_row(const subset_table *t, uint32_t u, uint32_t set) {
  double *row = row_of(t, u, set);
  const size_t last = t->width[u] - 1;
  const uint32_t first_run = t->runs->start[t->site[u]];
  for (size_t j = 0; j <= last; j++)
    row[j] = INFINITY;
  if (set == 0)
    row[last] = 0;
  for (uint32_t v = 0; v < t->sites; v++)
    if ((set >> v & 1u) && gb_site_usable(t->g, t->site[u], t->site[v]))
      send_first(t, u, v, set, row);
  for (size_t j = last; j-- > 0;) {
    const double time = after_run(t->runs, first_run + (uint32_t)j, row[j + 1]);
    row[j] = time < row[j] ? time : row[j];
  }
}

/* Subsets have smaller numbers than their supersets, so counting up meets every state after those it needs.
 */
static void fill(const subset_table *t) {
  for (uint32_t set = 0; set < 1u << t->sites; set++)
    for (uint32_t u = 0; u <= t->sites; u++)
      if (u == t->sites || !(set >> u & 1u))
        fill_row(t, u, set);
}

typedef struct subset_state {
  uint32_t u, set;
  size_t j;
} subset_state;

/* The best WAN send to begin `s` with: its time, the receiver and what is delegated to it. Of equals the
 * first. */
static double best_send(const subset_table *t, const subset_state *s, uint32_t *receiver,
                        uint32_t *delegated) {
  double best = INFINITY;
  for (uint32_t v = 0; v < t->sites; v++) {
    if (!(s->set >> v & 1u) || !gb_site_usable(t->g, t->site[s->u], t->site[v]))
      continue;
    const double delta = gb_site_delta(t->g, t->site[s->u], t->site[v]);
    const double reach = delta + gb_site_weight(t->g, t->site[s->u], t->site[v]);
    const uint32_t others = s->set & ~(1u << v);
    for (uint32_t part = others;; part = (part - 1u) & others) {
      const double branch = reach + row_of(t, v, part)[0];
      const double own = delta + row_of(t, s->u, others & ~part)[s->j];
      const double time = own > branch ? own : branch;
      if (time < best) {
        best = time;
        *receiver = v;
        *delegated = part;
      }
      if (part == 0)
        break;
    }
  }
  return best;
}

/* Walks the best choices back from f(root, all, 0). Each pending state has a site of its own as u. */
static void read_tree(const subset_table *t, uint32_t *parent) {
  subset_state pending[GB_SUBSET_SITES + 1];
  uint32_t count = 1;
  pending[0] = (subset_state){.u = t->sites, .set = (1u << t->sites) - 1u, .j = 0};
  parent[t->site[t->sites]] = UINT32_MAX;
  while (count > 0) {
    subset_state *s = &pending[count - 1];
    if (s->set == 0) {
      count--;
      continue;
    }
    uint32_t v = 0, delegated = 0;
    const double send = best_send(t, s, &v, &delegated);
    const uint32_t run = t->runs->start[t->site[s->u]] + (uint32_t)s->j;
    if (s->j + 1 < t->width[s->u] && after_run(t->runs, run, row_of(t, s->u, s->set)[s->j + 1]) <= send) {
      s->j++;
      continue;
    }
    parent[t->site[v]] = t->site[s->u];
    s->set &= ~(delegated | 1u << v);
    pending[count++] = (subset_state){.u = v, .set = delegated, .j = 0};
  }
}

int gb_inter_subset(const gb_site_graph *g, const gb_local_runs *runs, uint32_t *parent, gbcast_error *err) {
  subset_table t = {.g = g, .runs = runs};
  int status = GBCAST_OK;
  for (uint32_t v = 0; v < g->n; v++)
    if (v != g->root)
      t.site[t.sites++] = v;
  t.site[t.sites] = g->root;
  for (uint32_t b = 0; b <= t.sites; b++) {
    const size_t sets = (size_t)1 << (b == t.sites ? t.sites : t.sites - 1);
    t.width[b] = (size_t)(runs->start[t.site[b] + 1] - runs->start[t.site[b]]) + 1;
    t.f[b] = calloc(sets * t.width[b], sizeof *t.f[b]);
    if (!t.f[b])
      status = gb_fail(err, GBCAST_EMEMORY, "out of memory for the best tree of %u sites", g->n);
  }
  if (status == GBCAST_OK) {
    fill(&t);
    if (row_of(&t, t.sites, (1u << t.sites) - 1u)[0] < INFINITY)
      read_tree(&t, parent);
    else
      status =
          gb_fail(err, GBCAST_EINPUT, "some of the %u sites cannot be reached from the root's site", g->n);
  }
  for (uint32_t b = 0; b <= t.sites; b++)
    free(t.f[b]);
  return status;
}
