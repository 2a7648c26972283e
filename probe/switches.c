/* Finds which hosts of a site share a switch, from the rates of streams that run at the same time.
 *
 * A switch carries everything that its hosts send to each other. A cable between two switches is shared by
 * all streams over it. In a round all hosts send at the same time, each to the host k places further on in a
 * random order. A stream is slow if it shares a cable:
 *
 *     a0  b0        a0 -> a1  full        between hosts on one switch every stream is as fast as alone;
 *     a1--b1        a1 -> b0  half        between hosts on different switches only one that has the
 *     a2  b2        a2 -> b1  half        cable for itself is
 *
 * The nearness of two hosts is the mean share of its full rate that the slower half of their streams had.
 * Groups are joined by average linkage. A cable that carries everything that is sent over it is not found; it
 * does not slow down a broadcast either. */
#include "probe/switches.h"

#include "probe/analysis.h"

#include <stdlib.h>
#include <string.h>

/* A stream with less than this share of its full rate shares a cable. With one other stream it gets about a
 * half, but TCP's shares differ by a quarter. */
static const double FULL = 0.75;

enum { ROUNDS_LEAST = 12, ROUNDS_MOST = 24 }; /* if there are few hosts, all pairs are measured often */

typedef struct gb_sharing { /* the search in one site */
  const gb_stream_bed *bed;
  uint32_t hosts, rounds, passes;
  uint32_t *label;         /* the hosts in random order */
  gb_probe_stream *stream; /* of all rounds: hosts * rounds */
  double *best;            /* for each host: rate of the fastest stream that it sent or received, bytes/s */
  double *near;            /* for each pair of groups, by their first hosts: mean nearness, 0 to 1 */
  double *weight;          /* for each group, by its first host: its hosts */
  uint64_t random;
} gb_sharing;

/* Fisher-Yates shuffle, with the Lewis-Goodman-Miller generator, so that two probes of one site use the same
 * order. */
static void shuffle(gb_sharing *s) {
  for (uint32_t i = 0; i < s->hosts; i++)
    s->label[i] = i;
  for (uint32_t i = s->hosts - 1; i > 0; i--) {
    s->random = s->random * 48271 % 2147483647;
    const uint32_t k = (uint32_t)(s->random % (i + 1)), t = s->label[i];
    s->label[i] = s->label[k];
    s->label[k] = t;
  }
}

/* Measures all pairs once in each direction, in a new random order. Two hosts never send to each other at the
 * same time, since data that comes back would delay acknowledgements. */
static int measure_all(gb_sharing *s) {
  int status = GBCAST_OK;
  shuffle(s);
  for (uint32_t k = 1; k < s->hosts && status == GBCAST_OK; k++, s->rounds++) {
    gb_probe_stream *stream = s->stream + (size_t)s->rounds * s->hosts;
    const uint32_t first = 2 * k == s->hosts ? k : s->hosts;
    for (uint32_t i = 0; i < s->hosts; i++)
      stream[i] = (gb_probe_stream){.from = s->label[i], .to = s->label[(i + k) % s->hosts]};
    status = s->bed->run(s->bed->state, stream, first);
    if (status == GBCAST_OK && first < s->hosts)
      status = s->bed->run(s->bed->state, stream + first, s->hosts - first);
  }
  s->passes++;
  return status;
}

/* The share of its full rate that a stream had, 0 to 1. Full is the rate of the fastest stream of the slower
 * of its two hosts, since hosts may have links of different rates. */
static double share_of(const gb_sharing *s, const gb_probe_stream *x) {
  const double full = gb_smaller(s->best[x->from], s->best[x->to]);
  return full > 0 ? gb_smaller(x->rate / full, 1) : 0;
}

/* Sets s->best. Returns whether some stream was slow. */
static bool find_best(gb_sharing *s) {
  const size_t count = (size_t)s->rounds * s->hosts;
  bool slow = false;
  memset(s->best, 0, s->hosts * sizeof *s->best);
  for (const gb_probe_stream *x = s->stream; x < s->stream + count; x++) {
    s->best[x->from] = x->rate > s->best[x->from] ? x->rate : s->best[x->from];
    s->best[x->to] = x->rate > s->best[x->to] ? x->rate : s->best[x->to];
  }
  for (const gb_probe_stream *x = s->stream; x < s->stream + count; x++)
    slow = slow || share_of(s, x) < FULL;
  return slow;
}

/* Sets s->near to the mean of the lower half of the shares that the streams between two hosts had. */
static int set_near(gb_sharing *s, gbcast_error *err) {
  const size_t n = s->hosts, count = s->rounds * n;
  const uint32_t passes = s->passes, samples = 2 * passes;
  if (passes == 0) /* nothing was measured, and all are alike */
    return GBCAST_OK;
  double *sample = calloc(n * n, samples * sizeof *sample);
  uint32_t *taken = calloc(n * n, sizeof *taken);
  const bool enough = sample != NULL && taken != NULL;
  for (const gb_probe_stream *x = s->stream; enough && x < s->stream + count; x++) {
    const size_t pair = x->from < x->to ? x->from * n + x->to : x->to * n + x->from;
    sample[pair * samples + taken[pair]++] = share_of(s, x);
  }
  for (size_t a = 0; enough && a < n; a++)
    for (size_t b = a + 1; b < n; b++) {
      const size_t pair = a * n + b;
      double sum = 0;
      gb_sort_samples(&sample[pair * samples], taken[pair]);
      for (uint32_t i = 0; i < passes; i++)
        sum += sample[pair * samples + i];
      s->near[pair] = s->near[b * n + a] = sum / passes;
    }
  free(sample);
  free(taken);
  return enough ? GBCAST_OK : gb_no_memory(err);
}

/* Finds the two groups that are nearest to each other; *a and *b are their first hosts. False: none are near
 * enough. */
static bool nearest(const gb_sharing *s, const uint32_t *of, uint32_t *a, uint32_t *b) {
  double best = FULL;
  bool found = false;
  for (uint32_t i = 0; i < s->hosts; i++)
    for (uint32_t k = i + 1; k < s->hosts && of[i] == i; k++)
      if (of[k] == k && s->near[(size_t)i * s->hosts + k] >= best) {
        best = s->near[(size_t)i * s->hosts + k];
        *a = i;
        *b = k;
        found = true;
      }
  return found;
}

static void join(gb_sharing *s, uint32_t *of, uint32_t a, uint32_t b) {
  const size_t n = s->hosts;
  for (size_t k = 0; k < n; k++) {
    const double weight = s->weight[a] + s->weight[b];
    s->near[a * n + k] = s->near[k * n + a] =
        (s->near[a * n + k] * s->weight[a] + s->near[b * n + k] * s->weight[b]) / weight;
    of[k] = of[k] == b ? a : of[k];
  }
  s->weight[a] += s->weight[b];
}

/* Moves each host that is alone in its group to the nearest group of two or more: nobody shares its cable, so
 * that is like the host's own link. If there is no such group, all hosts are on one switch. */
static void place_lone_hosts(const gb_sharing *s, uint32_t *of) {
  for (uint32_t h = 0; h < s->hosts; h++) {
    uint32_t best = GB_NONE;
    if (of[h] != h || s->weight[h] > 1)
      continue;
    for (uint32_t g = 0; g < s->hosts; g++)
      if (of[g] == g && s->weight[g] > 1 &&
          (best == GB_NONE || s->near[(size_t)h * s->hosts + g] > s->near[(size_t)h * s->hosts + best]))
        best = g;
    of[h] = best == GB_NONE ? 0 : best;
  }
}

/* Replaces the first host of each group in of[] by the group's number; returns how many groups there are.
 * number[] has room for all hosts. */
static uint32_t renumber(uint32_t *of, uint32_t *number, uint32_t hosts) {
  uint32_t count = 0;
  for (uint32_t h = 0; h < hosts; h++)
    number[h] = GB_NONE;
  for (uint32_t h = 0; h < hosts; h++) {
    if (number[of[h]] == GB_NONE)
      number[of[h]] = count++;
    of[h] = number[of[h]];
  }
  return count;
}

static int group(gb_sharing *s, uint32_t *of, uint32_t *count, gbcast_error *err) {
  uint32_t a = 0, b = 0;
  int status = set_near(s, err);
  for (uint32_t h = 0; h < s->hosts; h++) {
    of[h] = h;
    s->weight[h] = 1;
  }
  while (status == GBCAST_OK && nearest(s, of, &a, &b))
    join(s, of, a, b);
  place_lone_hosts(s, of);
  *count = renumber(of, s->label, s->hosts);
  return status;
}

static int look(gb_sharing *s, uint32_t passes, uint32_t *of, uint32_t *count, gbcast_error *err) {
  bool slow = false;
  int status = GBCAST_OK;
  for (uint32_t pass = 0; pass < passes && status == GBCAST_OK; pass++) {
    if (s->rounds >= ROUNDS_LEAST && !slow)
      break;
    status = measure_all(s);
    slow = find_best(s);
  }
  return status == GBCAST_OK && slow ? group(s, of, count, err) : status;
}

int gb_probe_switch_groups(uint32_t hosts, const gb_stream_bed *bed, uint32_t *of, uint32_t *count,
                           double *best, gbcast_error *err) {
  *count = 1;
  memset(of, 0, hosts * sizeof *of);
  if (hosts < GB_SWITCH_HOSTS_LEAST)
    return GBCAST_OK;
  const size_t n = hosts;
  const uint32_t wanted = (ROUNDS_MOST + hosts - 2) / (hosts - 1), passes = wanted > 2 ? wanted : 2;
  gb_sharing s = {.bed = bed,
                  .hosts = hosts,
                  .label = calloc(n, sizeof *s.label),
                  .stream = calloc(n * (n - 1), passes * sizeof *s.stream),
                  .best = best,
                  .near = calloc(n * n, sizeof *s.near),
                  .weight = calloc(n, sizeof *s.weight),
                  .random = 1};
  int status = s.label != NULL && s.stream != NULL && s.near != NULL && s.weight != NULL
                   ? look(&s, passes, of, count, err)
                   : gb_no_memory(err);
  free(s.label);
  free(s.stream);
  free(s.near);
  free(s.weight);
  return status;
}
