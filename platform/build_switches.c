/* The switch trees: names to numbers, depths, defaults. */
#include "platform/parse.h"
#include "platform/text/text.h"

#include <stdlib.h>

#define UNKNOWN GB_NONE
#define ON_THE_WAY (GB_NONE - 1)

/* Symbols become switches, in hosts and in uplinks. */
static int bind_symbols(gb_parser *q) {
  gbcast_platform *p = q->p;
  for (uint32_t i = 0; i < q->symbol_count; i++)
    if (q->symbols[i].sw == GB_NONE)
      return gb_fail_at(q->source.err, &q->symbols[i].where, "found '%s', expected a switch that %s declares",
                        q->symbols[i].name,
                        q->s->cluster_lines ? "a switch line of the same cluster" : "a switch line");
  for (uint32_t h = 0; h < p->host_count; h++)
    if (p->host[h].sw != GB_NONE)
      p->host[h].sw = q->symbols[p->host[h].sw].sw;
  for (uint32_t i = 0; i < p->switch_count; i++)
    if (q->switch_note[i].uplink != GB_NONE)
      p->sw[i].uplink = q->symbols[q->switch_note[i].uplink].sw;
  return GBCAST_OK;
}

/* Visits every switch once: each path up stops at the first switch whose depth is known. */
static int find_depths(gb_parser *q, uint32_t *stack) {
  gbcast_platform *p = q->p;
  for (uint32_t i = 0; i < p->switch_count; i++)
    p->sw[i].depth = UNKNOWN;
  for (uint32_t i = 0; i < p->switch_count; i++) {
    uint32_t n = 0;
    uint32_t at = i;
    while (at != GB_NONE && p->sw[at].depth == UNKNOWN) {
      p->sw[at].depth = ON_THE_WAY;
      stack[n++] = at;
      at = p->sw[at].uplink;
    }
    if (at != GB_NONE && p->sw[at].depth == ON_THE_WAY)
      return gb_fail_at(q->source.err, &q->switch_note[stack[n - 1]].uplink_at,
                        "found '%s' above '%s', expected uplinks without a cycle", p->sw[at].name,
                        p->sw[stack[n - 1]].name);
    uint32_t depth = at == GB_NONE ? 0 : p->sw[at].depth + 1;
    while (n > 0)
      p->sw[stack[--n]].depth = depth++;
  }
  return GBCAST_OK;
}

/* order: the switches from the top down. */
static void sort_by_depth(const gbcast_platform *p, uint32_t *order, uint32_t *start) {
  for (uint32_t i = 0; i < p->switch_count; i++)
    start[p->sw[i].depth + 1]++;
  for (uint32_t d = 0; d < p->switch_count; d++)
    start[d + 1] += start[d];
  for (uint32_t i = 0; i < p->switch_count; i++)
    order[start[p->sw[i].depth]++] = i;
}

/* Without cluster lines a switch belongs to the group of the hosts on it, below it, or else above it. */
static int find_groups(gb_parser *q, const uint32_t *order) {
  gbcast_platform *p = q->p;
  for (uint32_t h = 0; h < p->host_count; h++) {
    const gb_host *host = &p->host[h];
    gb_switch *sw = host->sw == GB_NONE ? NULL : &p->sw[host->sw];
    if (sw != NULL && sw->cluster != GB_NONE && sw->cluster != host->cluster)
      return gb_fail_at(
          q->source.err, &host->where,
          "found '%s' of '%s' on switch '%s' with hosts of '%s', expected one group on a switch", host->name,
          p->cluster[host->cluster].name, sw->name, p->cluster[sw->cluster].name);
    if (sw != NULL)
      sw->cluster = host->cluster;
  }
  for (uint32_t i = p->switch_count; i-- > 0;) {
    const gb_switch *sw = &p->sw[order[i]];
    gb_switch *up = sw->uplink == GB_NONE ? NULL : &p->sw[sw->uplink];
    if (up == NULL || sw->cluster == GB_NONE)
      continue;
    if (up->cluster != GB_NONE && up->cluster != sw->cluster)
      return gb_fail_at(
          q->source.err, &q->switch_note[order[i]].uplink_at,
          "found '%s' with hosts of '%s' above '%s' with hosts of '%s', expected one group on a switch",
          up->name, p->cluster[up->cluster].name, sw->name, p->cluster[sw->cluster].name);
    up->cluster = sw->cluster;
  }
  for (uint32_t i = 0; i < p->switch_count; i++) {
    gb_switch *sw = &p->sw[order[i]];
    /* there are switches, so the array is there: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    if (sw->cluster == GB_NONE && sw->uplink != GB_NONE)
      sw->cluster = p->sw[sw->uplink].cluster;
    if (sw->cluster == GB_NONE && p->cluster_count == 1)
      sw->cluster = 0;
    if (sw->cluster == GB_NONE)
      return gb_fail_at(q->source.err, &sw->where,
                        "found '%s' without hosts, expected a cluster line above it that tells its cluster",
                        sw->name);
  }
  return GBCAST_OK;
}

/* With a topology file, a host that it does not list is a mistake in that file, not a host on the core. */
static int check_topologies(gb_parser *q) {
  const gbcast_platform *p = q->p;
  for (uint32_t i = 0; i < q->nodes_count; i++) /* without cluster lines: the groups that the file serves */
    /* bound above: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    q->cluster_note[p->sw[q->symbols[q->nodes[i].symbol].sw].cluster].topology = true;
  if (q->topology_count > 0 && p->cluster_count == 1)
    q->cluster_note[0].topology = true;
  for (uint32_t h = 0; h < p->host_count; h++)
    if (p->host[h].sw == GB_NONE && q->cluster_note[p->host[h].cluster].topology)
      return gb_fail_at(
          q->source.err, &p->host[h].where,
          "found '%s' on no switch, expected it in the topology file of cluster '%s' (names are compared "
          "whole)",
          p->host[h].name, p->cluster[p->host[h].cluster].name);
  return GBCAST_OK;
}

static void count_tops(gbcast_platform *p) {
  for (uint32_t i = 0; i < p->switch_count; i++) {
    gb_cluster *c = &p->cluster[p->sw[i].cluster];
    c->switch_count++;
    c->top_count += p->sw[i].uplink == GB_NONE;
  }
  for (uint32_t h = 0; h < p->host_count; h++)
    if (p->host[h].sw == GB_NONE)
      p->cluster[p->host[h].cluster].has_loose_hosts = true;
}

int gb_build_switches(gb_parser *q) {
  gbcast_platform *p = q->p;
  size_t n = p->switch_count;
  uint32_t *room = calloc(2 * n + 2, sizeof *room);
  if (room == NULL)
    return gb_source_no_memory(&q->source);
  int status = bind_symbols(q);
  if (status == GBCAST_OK)
    status = find_depths(q, room);
  if (status == GBCAST_OK && !q->s->cluster_lines && p->sw != NULL) {
    sort_by_depth(p, room, room + n);
    status = find_groups(q, room);
  }
  free(room);
  if (status == GBCAST_OK)
    status = check_topologies(q);
  if (status == GBCAST_OK)
    count_tops(p);
  return status;
}
