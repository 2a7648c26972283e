/* How many copies of a share each site can send while every site receives the whole message.
 *
 * With k trees, and p the time for which a message keeps a site's narrowest resource busy, site s can send
 *
 *   f(s) = k (tau - what it needs inside the site) / p(s)
 *
 * in the time tau that all of a message takes to come in. tau is the least, in steps of 2 %, at which these
 * are enough for the k (n - 1) edges of all trees, k of them the root's. */
#include "inter/disjoint.h"

#define STEP 1.02
#define WHOLE 1e-9 /* so much less than a copy is one: rounding */

static double busy_between(const gb_site_graph *g, uint32_t u, uint32_t v) {
  const gb_site_loads *l = g->loads;
  const size_t e = (size_t)u * g->n + v;
  double most = 0;
  for (size_t i = l->start[e]; i < l->start[e + 1]; i++)
    most = l->use[i].busy > most ? l->use[i].busy : most;
  return most;
}

void gb_disjoint_find_widest(gb_disjoint *d) {
  const gb_site_graph *g = d->g;
  d->come_in = 0;
  for (uint32_t s = 0; s < g->n; s++) {
    double in = INFINITY;
    d->send[s] = INFINITY;
    d->wide[s] = s;
    for (uint32_t v = 0; v < g->n; v++) {
      if (gb_site_usable(g, s, v) && busy_between(g, s, v) < d->send[s]) {
        d->send[s] = busy_between(g, s, v);
        d->wide[s] = v;
      }
      if (gb_site_usable(g, v, s) && busy_between(g, v, s) < in)
        in = busy_between(g, v, s);
    }
    if (s != g->root && in < INFINITY && in > d->come_in)
      d->come_in = in;
  }
}

static double inside_site(const gb_site_graph *g, uint32_t s, uint32_t resource) {
  const gb_site_loads *l = g->loads;
  const size_t e = (size_t)s * g->n + s;
  double busy = 0;
  for (size_t i = l->start[e]; i < l->start[e + 1]; i++)
    busy += l->use[i].resource == resource ? l->use[i].busy : 0;
  return busy;
}

/* f(s), no more than there are edges. */
static uint32_t copies_in(const gb_disjoint *d, uint32_t s, double tau) {
  const gb_site_graph *g = d->g;
  const size_t e = (size_t)s * g->n + d->wide[s];
  double least = (double)d->trees * (g->n - 1);
  if (d->wide[s] == s)
    return 0;
  for (size_t i = g->loads->start[e]; i < g->loads->start[e + 1]; i++) {
    const struct gb_site_use *use = &g->loads->use[i];
    const double copies = d->trees * (tau - inside_site(g, s, use->resource)) / use->busy + WHOLE;
    least = use->busy > 0 && copies < least ? copies : least;
  }
  return least > 0 ? (uint32_t)least : 0;
}

uint64_t gb_disjoint_find_copies(gb_disjoint *d, double tau) {
  uint64_t all = 0;
  for (uint32_t s = 0; s < d->g->n; s++) {
    d->copies[s] = copies_in(d, s, tau);
    all += d->copies[s];
  }
  return all;
}

double gb_disjoint_time(gb_disjoint *d) {
  const uint32_t root = d->g->root;
  const uint64_t wanted = (uint64_t)d->trees * (d->g->n - 1);
  double tau = d->come_in > 0 ? d->come_in : 1;
  if (d->wide[root] == root)
    return INFINITY;
  while (gb_disjoint_find_copies(d, tau) < wanted || d->copies[root] < d->trees)
    tau *= STEP;
  return tau;
}
