/* A platform as data see it that go against the direction in which it is planned: every link of two sites
 * turned round, or each pair of links as one that is as good as both together.
 *
 *   A -> B  40 ms, 100 Mbit/s         round:  A -> B  60 ms, 20 Mbit/s
 *   B -> A  60 ms,  20 Mbit/s         both:   A -> B  50 ms, 20 Mbit/s, and B -> A the same
 *
 * A tree that is planned on the first one carries a reduction in the time that it takes to broadcast: let
 * time run backwards, and every message arrives where it was sent. On the second one segments go up and then
 * down the same tree: the slower direction sets their pace, and the latencies of both add up. Links inside
 * sites are the same in both directions. */
#include "platform/platform.h"
#include <stdlib.h>

static bool is_symmetric(const gbcast_platform *p) {
  bool symmetric = true;
  for (uint32_t i = 0; symmetric && !p->assumed_mesh && i < p->link_count; i++) {
    const gb_link *back = gb_platform_link(p, p->link[i].to, p->link[i].from);
    symmetric = back != NULL && gb_links_alike(&p->link[i], back);
  }
  return symmetric;
}

/* The gap of the longest message that was measured, for each of its bytes. */
static double last_gap(const gb_link *l) {
  const gb_plogp_point *last = &l->plogp.point[l->plogp.count - 1];
  return last->gap / (double)(last->bytes > 0 ? last->bytes : 1);
}

/* The link `there` as one that is used in both directions. A table of measured times is that of the slower
 * one. */
static gb_link join(const gb_link *there, const gb_link *back) {
  gb_link both = *there;
  both.latency = (there->latency + back->latency) / 2;
  both.bandwidth = gb_smaller(there->bandwidth, back->bandwidth);
  both.overhead = gb_larger(there->overhead, back->overhead);
  both.stream_bandwidth = gb_smaller(there->stream_bandwidth, back->stream_bandwidth);
  both.initial_window = gb_smaller(there->initial_window, back->initial_window);
  both.injection = gb_larger(there->injection, back->injection);
  if (back->plogp.count > 0 && (there->plogp.count == 0 || last_gap(back) > last_gap(there)))
    both.plogp = back->plogp;
  return both;
}

/* Where no link leads back, it is taken to be as the one that leads there. */
static void fill(const gbcast_platform *p, enum gb_turn turn, gbcast_platform *out) {
  uint32_t count = 0;
  for (uint32_t from = 0; from < p->cluster_count; from++) {
    out->link_start[from] = count;
    for (uint32_t to = 0; to < p->cluster_count; to++) {
      const gb_link *there = gb_platform_link(p, from, to), *back = gb_platform_link(p, to, from);
      if (back == NULL && (turn == GB_TURN_ROUND || there == NULL))
        continue;
      gb_link *made = &out->link[count++];
      *made = turn == GB_TURN_ROUND ? *back : join(there ? there : back, back ? back : there);
      made->from = from;
      made->to = to;
    }
  }
  out->link_start[p->cluster_count] = out->link_count = count;
}

int gb_platform_turn(const gbcast_platform *p, enum gb_turn turn, gbcast_platform **out, gbcast_error *err) {
  *out = NULL;
  if (turn == GB_TURN_NOT || is_symmetric(p))
    return GBCAST_OK;
  gbcast_platform *turned = malloc(sizeof *turned);
  if (turned != NULL) {
    *turned = *p; /* all but the links is shared */
    turned->link = calloc(2 * (size_t)p->link_count + 1, sizeof *turned->link);
    turned->link_start = calloc(p->cluster_count + (size_t)1, sizeof *turned->link_start);
  }
  if (turned == NULL || turned->link == NULL || turned->link_start == NULL) {
    gb_platform_turned_free(turned);
    return gb_no_memory(err);
  }
  fill(p, turn, turned);
  *out = turned;
  return GBCAST_OK;
}

void gb_platform_turned_free(gbcast_platform *turned) {
  if (turned == NULL)
    return;
  free(turned->link);
  free(turned->link_start);
  free(turned);
}
