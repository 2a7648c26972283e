/* The links between sites, and inside them, that are not what they were, or not used as they were. A link is
 * a route here, which may lead over other sites; what is printed calls it a way.
 *
 *   way                 latency         bandwidth                 what
 *   ottawa -> lyon      46 ms -> 80 ms  200 Mbit/s -> 20 Mbit/s   slower, not used any more
 *   carleton -> lyon    47 ms           50 Mbit/s                 not used before
 *   inside lyon         50 us           1 Gbit/s -> 100 Mbit/s    slower
 *   ottawa -> carleton  5 ms            100 Mbit/s                streams start more slowly    */
#include "plan/show/diff.h"
#include "platform/cost/cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MOST = 40 };

typedef struct site_link {
  const char *from, *to;
  double latency[2], bandwidth[2]; /* then and now; NAN: not known */
  double window[2];                /* the same where not both plans say it */
  bool used[2];
} site_link;

typedef struct link_list {
  site_link *link;
  uint32_t count, capacity;
} link_list;

/* The link between two sites, added where it is not in the list. NULL: out of memory. */
static site_link *find(link_list *l, const char *from, const char *to) {
  for (uint32_t i = 0; i < l->count; i++)
    if (strcmp(l->link[i].from, from) == 0 && strcmp(l->link[i].to, to) == 0)
      return &l->link[i];
  site_link *grown = gb_grow(l->link, l->count, &l->capacity, sizeof *grown);
  if (grown == NULL)
    return NULL;
  l->link = grown;
  grown[l->count] = (site_link){.from = from, .to = to, .latency = {NAN, NAN}, .bandwidth = {NAN, NAN}};
  return &grown[l->count++];
}

/* What an edge of the earlier plan would go over today. */
static int look_up(const gbcast_platform *p, const gb_saved_edge *e, site_link *w, gbcast_error *err) {
  const uint32_t from = gb_platform_find_host(p, e->from.host), to = gb_platform_find_host(p, e->to.host);
  if (from == GB_NONE || to == GB_NONE || p->host[from].cluster == p->host[to].cluster)
    return GBCAST_OK;
  gb_route route = {0};
  int status = gb_route_between(p, from, to, NULL, &route, err);
  if (status == GBCAST_OK) {
    w->latency[1] = route.latency;
    w->bandwidth[1] = route.narrowest;
  }
  gb_route_release(&route);
  return status == GBCAST_EINPUT ? GBCAST_OK : status;
}

/* when: 0 then, 1 now. Of several edges between two sites the first. */
static int add_edges(link_list *l, const gb_diff_side *side, int when, const gbcast_platform *p,
                     gbcast_error *err) {
  const gb_saved *s = side->saved;
  for (uint32_t t = 0; t < s->tree_count; t++)
    for (uint32_t i = 0; i < s->tree[t].edge_count; i++) {
      const gb_saved_edge *e = &s->tree[t].edge[i];
      const uint32_t from = gb_diff_cluster_of(side, e->from.host), to = gb_diff_cluster_of(side, e->to.host);
      if (e->level != GB_LEVEL_WAN || from == GB_NONE || to == GB_NONE)
        continue;
      site_link *w = find(l, s->cluster[from].name, s->cluster[to].name);
      if (w == NULL)
        return gb_no_memory(err);
      if (w->used[when])
        continue;
      w->used[when] = true;
      w->latency[when] = e->latency;
      w->bandwidth[when] = e->bandwidth;
      int status = when == 0 ? look_up(p, e, w, err) : GBCAST_OK;
      if (status != GBCAST_OK)
        return status;
    }
  return GBCAST_OK;
}

static const gb_saved_link *link_of(const gb_saved *s, const site_link *w) {
  for (uint32_t i = 0; i < s->link_count; i++)
    if (strcmp(s->link[i].from, w->from) == 0 && strcmp(s->link[i].to, w->to) == 0)
      return &s->link[i];
  return NULL;
}

/* How streams begin; and what a link that was not used then was, and is. */
static void add_links(link_list *l, const gb_saved *then, const gb_saved *now) {
  for (uint32_t i = 0; i < l->count; i++) {
    site_link *w = &l->link[i];
    const gb_saved_link *a = link_of(then, w), *b = link_of(now, w);
    if (a == NULL || b == NULL)
      continue;
    w->window[0] = a->window;
    w->window[1] = b->window;
    if (w->used[0])
      continue;
    const gb_saved_link *const side[] = {a, b};
    for (int k = 0; k < 2; k++) {
      w->latency[k] = side[k]->latency;
      w->bandwidth[k] = side[k]->stream < side[k]->bandwidth ? side[k]->stream : side[k]->bandwidth;
    }
  }
}

/* As they are inside the sites that both have. */
static int add_insides(link_list *l, const gb_diff_side *then, const gb_diff_side *now, gbcast_error *err) {
  for (uint32_t c = 0; c < now->saved->cluster_count; c++) {
    const gb_saved_cluster *b = &now->saved->cluster[c];
    const uint32_t old = gb_diff_find(then, b->name);
    if (old == GB_NONE)
      continue;
    const gb_saved_cluster *a = &then->saved->cluster[old];
    site_link *w = find(l, "", b->name);
    if (w == NULL)
      return gb_no_memory(err);
    *w = (site_link){"",     b->name,     {a->latency, b->latency}, {a->bandwidth, b->bandwidth},
                     {0, 0}, {true, true}};
  }
  return GBCAST_OK;
}

/* -1 worse, 1 better; 0 also where one is not known. */
static int sign(double then, double now) {
  return (then > now) - (then < now);
}

static void write_cell(gb_diff_cell *cell, const double *value, gb_text (*text)(double)) {
  if (isnan(value[0]) || isnan(value[1]))
    (void)snprintf(cell->s, sizeof cell->s, "%s", isnan(value[0]) ? text(value[1]).s : text(value[0]).s);
  else
    (void)gb_diff_write(cell, text(value[0]).s, text(value[1]).s);
}

static void add_row(gb_table *table, const site_link *w) {
  const int latency = sign(w->latency[0], w->latency[1]), bandwidth = -sign(w->bandwidth[0], w->bandwidth[1]);
  const int start = -sign(w->window[0], w->window[1]);
  const bool cut = w->used[0] && !w->used[1] && isnan(w->latency[1]);
  if (latency == 0 && bandwidth == 0 && start == 0 && w->used[0] == w->used[1])
    return;
  const char *change = latency * bandwidth < 0   ? latency > 0 ? "nearer but narrower" : "wider but farther"
                       : latency + bandwidth > 0 ? "faster"
                       : latency + bandwidth < 0 ? "slower"
                                                 : "";
  const char *use = cut                        ? "not there any more"
                    : !w->used[1]              ? "not used any more"
                    : w->used[0] == w->used[1] ? ""
                                               : "not used before";
  const char *begin = start < 0 ? "streams start more slowly" : start > 0 ? "streams start faster" : "";
  gb_diff_cell near, wide;
  char what[128] = "";
  write_cell(&near, w->latency, gb_text_seconds);
  write_cell(&wide, w->bandwidth, gb_text_rate);
  gb_append_word(what, sizeof what, change);
  gb_append_word(what, sizeof what, begin);
  gb_append_word(what, sizeof what, use);
  gb_table_add(table, *w->from != '\0' ? "%s -> %s" : "%sinside %s", w->from, w->to);
  gb_table_row(table, near.s, wide.s, what, NULL);
}

int gb_diff_print_links(const gb_diff_side *then, const gb_diff_side *now, const gbcast_platform *p,
                        FILE *out, bool *any) {
  gb_table table = {.columns = 4, .align = "llll", .most = SHOWN_MOST};
  link_list l = {0};
  int rc = add_edges(&l, then, 0, p, NULL);
  if (rc == GBCAST_OK)
    rc = add_edges(&l, now, 1, p, NULL);
  add_links(&l, then->saved, now->saved);
  if (rc == GBCAST_OK)
    rc = add_insides(&l, then, now, NULL);
  gb_table_row(&table, "way", "latency", "bandwidth", "what", NULL);
  for (uint32_t i = 0; rc == GBCAST_OK && i < l.count; i++)
    add_row(&table, &l.link[i]);
  free(l.link);
  if (rc == GBCAST_OK)
    return gb_diff_print_table(&table, "more way", out, any);
  gb_table_drop(&table);
  return rc;
}
