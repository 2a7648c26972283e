/* Segment sizes: powers of two, changed a little so that all segments are nearly equal. The least is the one
 * with which the executor can still fill the path with the largest product of latency and bandwidth. */
#include "plan/search/segments.h"
#include "plan/build/build.h"
#include <stdlib.h>

#define SEGMENT_STEP 64u          /* bytes: a cache line */
#define SCATTER_MAX_SEGMENTS 8192 /* of the root's stream: a scatter is simulated to its end */

/* Sets *out to the bytes that fill, there and back, the link between sites of the job with the largest
 * product of latency and bandwidth. *guessed: one of these links has the overhead that is assumed if the file
 * gives none. */
static int look_at_links(const gb_planner *pl, double *out, bool *guessed, gbcast_error *err) {
  bool *takes_part = calloc(pl->net.p->cluster_count, sizeof *takes_part);
  double most = 0;
  *guessed = pl->net.p->assumed_mesh && pl->plan->site_count > 1;
  if (!takes_part)
    return gb_no_memory(err);
  for (uint32_t s = 0; s < pl->plan->site_count; s++)
    takes_part[pl->plan->site[s].cluster] = true;
  for (uint32_t i = 0; i < pl->net.p->link_count; i++) {
    const gb_link *l = &pl->net.p->link[i];
    double rate = l->bandwidth < l->stream_bandwidth ? l->bandwidth : l->stream_bandwidth;
    double own = pl->net.p->cluster[l->from].bandwidth;
    double bytes = 2 * l->latency * (rate < own ? rate : own);
    if (!takes_part[l->from] || !takes_part[l->to])
      continue;
    if (bytes > most)
      most = bytes;
    *guessed = *guessed || l->overhead == GB_DEFAULT_OVERHEAD;
  }
  if (pl->net.p->assumed_mesh && pl->plan->site_count > 1)
    most = 2 * pl->net.p->assumed.latency * pl->net.p->assumed.bandwidth;
  free(takes_part);
  *out = most;
  return GBCAST_OK;
}

uint64_t gb_segment_even(const gb_planner *pl, uint64_t total, uint64_t size) {
  uint64_t count = (total - 1) / size + 1; // NOLINT(clang-analyzer-core.DivideZero)
  uint64_t even = (total - 1) / count + 1;
  even = (even + SEGMENT_STEP - 1) / SEGMENT_STEP * SEGMENT_STEP;
  return even < pl->least_measured ? size : even; /* better uneven than below the first measured size */
}

int gb_segment_least(const gb_planner *pl, uint64_t *out, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  const uint64_t total = plan->class_bytes;
  double in_flight;
  bool guessed;
  int status = look_at_links(pl, &in_flight, &guessed, err);
  if (status != GBCAST_OK)
    return status;
  *out = pl->least_measured > 0 ? pl->least_measured : GB_LEAST_SEGMENT;
  if (guessed && *out < GB_LEAST_SITE_SEGMENT)
    *out = GB_LEAST_SITE_SEGMENT;
  if (gb_carries_blocks(plan->operation)) {
    const uint64_t least = total * plan->schedule.endpoint_count / SCATTER_MAX_SEGMENTS;
    *out = *out < least ? least : *out;
    return GBCAST_OK;
  }
  in_flight = in_flight < (double)total ? in_flight : (double)total;
  if ((double)*out * GB_SENDS_IN_FLIGHT < in_flight)
    *out = ((uint64_t)(in_flight / GB_SENDS_IN_FLIGHT) / SEGMENT_STEP + 1) * SEGMENT_STEP;
  return GBCAST_OK;
}

uint64_t gb_segment_near(const gb_planner *pl, uint64_t least, uint64_t size) {
  const uint64_t whole = gb_segment_whole(pl);
  if (size < least)
    size = least;
  return size < whole ? gb_segment_even(pl, whole, size) : whole;
}

uint64_t gb_segment_whole(const gb_planner *pl) {
  uint64_t total = pl->plan->class_bytes;
  if (gb_carries_blocks(pl->plan->operation))
    total *= pl->plan->schedule.endpoint_count;
  return total < 1 ? 1 : total < GB_SEGMENT_BYTES_MOST ? total : GB_SEGMENT_BYTES_MOST;
}

uint64_t gb_segment_guess(const gb_planner *pl) {
  const gbcast_plan *plan = pl->plan;
  if (plan->site_count > 1 || gb_carries_blocks(plan->operation))
    return GB_START_SEGMENT;
  gb_lan lan = gb_lan_of(pl->net.p, plan->site[0].cluster);
  gb_intra_model *pipeline = gb_intra_table[gb_intra_find("linear-contention-free", GB_BCAST)].bcast_model;
  return gb_intra_best_segment(pipeline, &lan, plan->site[0].hosts, plan->class_bytes, GB_LEAST_SEGMENT);
}
