/* Links between sites: overriding, sorting, measured tables. */
#include "platform/parse.h"

#include <math.h>
#include <stdlib.h>

static int by_ends(const void *a, const void *b) {
  const gb_raw_link *x = a;
  const gb_raw_link *y = b;
  if (x->link.from != y->link.from)
    return x->link.from < y->link.from ? -1 : 1;
  if (x->link.to != y->link.to)
    return x->link.to < y->link.to ? -1 : 1;
  return (int)y->directed - (int)x->directed; /* A -> B first: it overrides A B */
}

static int by_size(const void *a, const void *b) {
  const gb_raw_plogp *x = a;
  const gb_raw_plogp *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return (x->point.bytes > y->point.bytes) - (x->point.bytes < y->point.bytes);
}

static int sort_links(gb_parser *q) {
  gbcast_platform *p = q->p;
  p->link = calloc(q->link_count + 1u, sizeof *p->link);
  p->link_start = calloc(p->cluster_count + 1u, sizeof *p->link_start);
  if (p->link == NULL || p->link_start == NULL)
    return gb_source_no_memory(&q->source);
  if (q->link_count > 0)
    qsort(q->link, q->link_count, sizeof *q->link, by_ends);
  for (uint32_t i = 0; i < q->link_count; i++) {
    const gb_link *l = &q->link[i].link;
    const gb_link *last = p->link_count > 0 ? &p->link[p->link_count - 1] : NULL;
    if (last != NULL && last->from == l->from && last->to == l->to)
      continue;
    p->link_start[l->from + 1]++;
    p->link[p->link_count] = *l;
    if (l->egress < 0)
      p->link[p->link_count].egress = p->cluster[l->from].egress;
    p->link_count++;
  }
  for (uint32_t c = 0; c < p->cluster_count; c++)
    p->link_start[c + 1] += p->link_start[c];
  return GBCAST_OK;
}

static gb_link *link_between(const gbcast_platform *p, uint32_t from, uint32_t to) {
  if (p->assumed_mesh)
    return NULL;
  const gb_link *l = gb_platform_link(p, from, to);
  return l == NULL ? NULL : &p->link[l - p->link];
}

static int fill_tables(gb_parser *q) {
  gbcast_platform *p = q->p;
  int status = GBCAST_OK;
  for (uint32_t i = 0; i < q->plogp_count && status == GBCAST_OK; i++) { /* in file order */
    const gb_raw_plogp *r = &q->plogp[i];
    if (r->from != r->to && link_between(p, r->from, r->to) == NULL)
      status = gb_mistake(q, gb_fail_at(q->source.err, &r->where,
                                        "found a measurement from '%s' to '%s', expected a link for it",
                                        p->cluster[r->from].name, p->cluster[r->to].name));
  }
  if (status != GBCAST_OK || q->mistakes > 0)
    return status;
  if (q->plogp_count > 0)
    qsort(q->plogp, q->plogp_count, sizeof *q->plogp, by_size);
  for (uint32_t i = 0; i < q->plogp_count;) {
    const gb_raw_plogp *r = &q->plogp[i];
    uint32_t n = 1;
    while (i + n < q->plogp_count && r[n].from == r->from && r[n].to == r->to)
      n++;
    gb_plogp *table = r->from == r->to ? &p->cluster[r->from].plogp : &link_between(p, r->from, r->to)->plogp;
    table->point = malloc(n * sizeof *table->point);
    if (table->point == NULL)
      return gb_source_no_memory(&q->source);
    table->count = n;
    for (uint32_t k = 0; k < n; k++)
      table->point[k] = r[k].point;
    i += n;
  }
  return GBCAST_OK;
}

int gb_build_links(gb_parser *q) {
  gbcast_platform *p = q->p;
  p->assumed_mesh = !q->s->cluster_lines && !q->link_lines;
  p->assumed = (gb_link){.from = GB_NONE,
                         .to = GB_NONE,
                         .latency = 10e-3,
                         .bandwidth = 125e6,
                         .overhead = GB_DEFAULT_OVERHEAD,
                         .stream_bandwidth = INFINITY,
                         .initial_window = INFINITY,
                         .injection = -1,
                         .assumed_bandwidth = true,
                         .where = {p->file, 1, 1}};
  int status = sort_links(q);
  return status == GBCAST_OK ? fill_tables(q) : status;
}

/* Marks the sites that are reached from site 0; with `back`, those that reach it. room: 3 n + 1 + links. */
static void reach(const gbcast_platform *p, bool back, uint32_t *room) {
  uint32_t n = p->cluster_count;
  uint32_t *seen = room;
  uint32_t *queue = seen + n;
  uint32_t *start = queue + n;
  uint32_t *other = start + n + 1;
  for (uint32_t i = 0; i < 3 * n + 1 + p->link_count; i++)
    room[i] = 0;
  for (uint32_t i = 0; i < p->link_count; i++)
    start[back ? p->link[i].to : p->link[i].from]++;
  for (uint32_t i = 1; i <= n; i++)
    start[i] += start[i - 1];
  for (uint32_t i = p->link_count; i-- > 0;)
    other[--start[back ? p->link[i].to : p->link[i].from]] = back ? p->link[i].from : p->link[i].to;
  uint32_t filled = 1;
  seen[0] = 1;
  for (uint32_t at = 0; at < filled; at++)
    for (uint32_t k = start[queue[at]]; k < start[queue[at] + 1]; k++)
      if (seen[other[k]] == 0) {
        seen[other[k]] = 1;
        queue[filled++] = other[k];
      }
}

int gb_build_reach(gb_parser *q) {
  const gbcast_platform *p = q->p;
  if (p->assumed_mesh || p->cluster_count == 1)
    return GBCAST_OK;
  uint32_t *seen = calloc(3 * (size_t)p->cluster_count + 1 + p->link_count, sizeof *seen);
  if (seen == NULL)
    return gb_source_no_memory(&q->source);
  int status = GBCAST_OK;
  for (int back = 0; back < 2 && status == GBCAST_OK; back++) {
    reach(p, back == 1, seen);
    uint32_t c = 1;
    while (c < p->cluster_count && seen[c] != 0)
      c++;
    if (c == p->cluster_count)
      continue;
    const char *to = p->cluster[back == 0 ? c : 0].name;
    const char *from = p->cluster[back == 0 ? 0 : c].name;
    status = gb_fail_at(q->source.err, &p->cluster[c].where,
                        "found '%s', but '%s' cannot be reached from '%s': expected links that lead there",
                        p->cluster[c].name, to, from);
  }
  free(seen);
  return status;
}
