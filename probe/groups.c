/* Finds sites from latencies: hosts whose latency to each other is well below their latency to the others.
 *
 * Pairs are taken in order of increasing latency, and join the groups of their two hosts (single linkage). A
 * pair is too long if its latency is FAR times the latency that last joined one of the two groups. Then it
 * joins nothing, and both groups are complete: all shorter pairs have been seen.
 *
 *   a0 -50us- a1      c0 -80us- c1          l0 -50us- l1
 *          \__ 1.6ms __/   \_____ 46ms _____/                3 groups: 1.6ms > FAR * 50us, 46ms > FAR * 80us
 *
 * Latencies in a LAN differ, too (two hosts of a blade, hosts behind a second switch): all latencies below
 * SMALL count as equal. The first pair of two single hosts always joins them, since there is nothing to
 * compare with. When such a group is complete, it stays together if a pair of it is nearer than LONE, and its
 * latency is below LONE or well below that to the others; otherwise each of its hosts is a group. */
#include "probe/analysis.h"

#include <stdlib.h>

static const double FAR = 4, SMALL = GB_PROBE_NEAR / 4, LONE = 1e-3; /* a factor; s; s */

typedef struct growing_group { /* a group that is not complete yet; its index is its lowest host */
  double height;               /* latency of the last pair that joined hosts of it (s) */
  double least;                /* and of the first (s) */
  uint32_t hosts;
  bool ended, scattered; /* scattered: each host is a group of its own */
} growing_group;

static int by_latency(const void *a, const void *b) {
  const gb_near *x = a, *y = b;
  if (x->latency != y->latency)
    return x->latency < y->latency ? -1 : 1;
  if (x->a != y->a)
    return x->a < y->a ? -1 : 1;
  return (x->b > y->b) - (x->b < y->b);
}

static uint32_t find(uint32_t *of, uint32_t host) {
  while (of[host] != host) {
    of[host] = of[of[host]];
    host = of[host];
  }
  return host;
}

static bool ends(const growing_group *p, double latency) {
  double height = p->height > SMALL ? p->height : SMALL;
  return p->hosts > 1 && latency >= FAR * height;
}

/* Completes a group. `latency` to the nearest other group (s), or 0 if there is none. */
static void end(growing_group *p, double latency) {
  if (p->ended)
    return;
  p->ended = true;
  p->scattered = p->least >= LONE || (p->height >= LONE && (latency <= 0 || latency < FAR * p->height));
}

static void join(uint32_t *of, growing_group *part_of, const gb_near *pair) {
  uint32_t a = find(of, pair->a), b = find(of, pair->b);
  if (a == b)
    return;
  uint32_t low = a < b ? a : b, high = a < b ? b : a;
  growing_group *p = &part_of[low], *q = &part_of[high];
  if (p->ended || q->ended || ends(p, pair->latency) || ends(q, pair->latency)) {
    end(p, pair->latency);
    end(q, pair->latency);
    return;
  }
  of[high] = low;
  if (p->hosts == 1 || (q->hosts > 1 && q->least < p->least))
    p->least = q->hosts > 1 ? q->least : pair->latency;
  p->height = pair->latency;
  p->hosts += q->hosts;
}

/* Numbers the groups by their first hosts. */
static void number(uint32_t hosts, uint32_t *root, const growing_group *part_of, gb_groups *out) {
  uint32_t *of = out->of; /* a group's lowest host comes first, so its number is known to the others */
  for (uint32_t h = 0; h < hosts; h++) {
    uint32_t r = find(root, h);
    bool first = r == h || part_of[r].scattered;
    of[h] = first ? out->count : of[r];
    if (first)
      out->group[out->count++] = (gb_group){.within = part_of[r].scattered ? 0 : part_of[r].height};
    out->group[of[h]].hosts++;
  }
}

static void note_apart(gb_group *g, const gb_near *pair, bool swapped) {
  if (g->apart > 0)
    return; /* pairs come in order of increasing latency: the first is the shortest */
  g->apart = pair->latency;
  g->inner = swapped ? pair->b : pair->a;
  g->outer = swapped ? pair->a : pair->b;
}

int gb_probe_groups(uint32_t hosts, gb_near *pair, uint32_t pairs, gb_groups *out, gbcast_error *err) {
  uint32_t *root = malloc(sizeof *root * ((size_t)hosts + 1));
  growing_group *part_of = calloc((size_t)hosts + 1, sizeof *part_of);
  *out = (gb_groups){.of = calloc((size_t)hosts + 1, sizeof *out->of),
                     .group = calloc((size_t)hosts + 1, sizeof *out->group)};
  int status = root == NULL || part_of == NULL || out->of == NULL || out->group == NULL ? gb_no_memory(err)
                                                                                        : GBCAST_OK;
  if (status == GBCAST_OK) {
    for (uint32_t h = 0; h < hosts; h++) {
      root[h] = h;
      part_of[h].hosts = 1;
    }
    if (pairs > 0)
      qsort(pair, pairs, sizeof *pair, by_latency);
    for (uint32_t i = 0; i < pairs; i++)
      join(root, part_of, &pair[i]);
    for (uint32_t h = 0; h < hosts; h++)
      if (root[h] == h)
        end(&part_of[h], 0);
    number(hosts, root, part_of, out);
    for (uint32_t i = 0; i < pairs; i++)
      if (out->of[pair[i].a] != out->of[pair[i].b]) {
        note_apart(&out->group[out->of[pair[i].a]], &pair[i], false);
        note_apart(&out->group[out->of[pair[i].b]], &pair[i], true);
      }
  }
  free(root);
  free(part_of);
  if (status != GBCAST_OK)
    gb_groups_release(out);
  return status;
}

void gb_groups_release(gb_groups *groups) {
  free(groups->of);
  free(groups->group);
  *groups = (gb_groups){0};
}
