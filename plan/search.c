/* The search for the candidate with the least predicted time.
 *
 *   1. the mix (each site's best LAN algorithm) with every tree over sites, uncut, then cut: the segment size
 * is found by walking downhill over powers of two from 16 KiB (one site: from formula (1)), all trees
 * together;
 *   2. `exact` at the segment size that was best, where it takes the others' best tree when the judge prefers
 * that;
 *   3. each single LAN algorithm for all sites, with the tree that has been best so far;
 *   4. `packing`, several trees over the sites, with the best of these.
 *
 * A pair of algorithms keeps its best segment: that is one candidate. */
#include "plan/search.h"
#include "plan/local.h"
#include "plan/trial.h"
#include <math.h>
#include <stdlib.h>

#define MAX_SEGMENTS 64
#define SEGMENT_STEP 64u   /* bytes: whole cache lines */
#define LEAST_SEGMENT 512u /* bytes; smaller ones are all overhead */
#define START_SEGMENT ((uint64_t)16 << 10)
#define PACKED_SITES 64u          /* of more sites it is not tried unless asked for */
#define PACKED_RANKS 1024u        /* over all LAN algorithms that are tried with it, for time */
#define SCATTER_MAX_SEGMENTS 4096 /* of the root's stream: a scatter is walked to its end */

typedef struct gb_search_state {
  gb_planner *pl;
  const gb_limits *limits;
  gb_trial *best;        /* (gb_intra_count + 1) * gb_inter_count; the last row is the mix */
  double lowest;         /* of the current call of gb_trial_price */
  gb_trial top;          /* over all */
  size_t exact, packing; /* their indices, the last ones */
} gb_search_state;

static void keep(void *context, const gb_trial *trial) {
  gb_search_state *st = context;
  size_t row = trial->intra == GB_INTRA_MIXED ? gb_intra_count : trial->intra;
  gb_trial *slot = &st->best[row * gb_inter_count + trial->inter];
  if (trial->predicted < slot->predicted)
    *slot = *trial;
  if (trial->predicted < st->lowest)
    st->lowest = trial->predicted;
  if (trial->predicted < st->top.predicted)
    st->top = *trial;
}

/* All trees but exact and packing, or the wanted one; lowest gets the least price. */
static int price(gb_search_state *st, uint64_t segment, size_t intra, gbcast_error *err) {
  st->lowest = INFINITY;
  size_t wanted = st->limits->inter;
  if (wanted != SIZE_MAX && wanted != st->exact)
    return gb_trial_price(st->pl, segment, intra, wanted, wanted + 1, keep, st, err);
  if (st->pl->plan->site_count == 1)
    return gb_trial_price(st->pl, segment, intra, 0, 1, keep, st, err);
  return gb_trial_price(st->pl, segment, intra, 0, st->exact, keep, st, err);
}

/* Bytes on the way, there and back, on the longest fattest link between sites that take part. */
static int most_in_flight(const gb_planner *pl, double *out, gbcast_error *err) {
  bool *takes_part = calloc(pl->p->cluster_count, sizeof *takes_part);
  double most = 0;
  if (!takes_part)
    return gb_no_memory(err);
  for (uint32_t s = 0; s < pl->plan->site_count; s++)
    takes_part[pl->plan->site[s].cluster] = true;
  for (uint32_t i = 0; i < pl->p->link_count; i++) {
    const gb_link *l = &pl->p->link[i];
    double rate = l->bandwidth < l->stream_bandwidth ? l->bandwidth : l->stream_bandwidth;
    double own = pl->p->cluster[l->from].bandwidth;
    double bytes = 2 * l->latency * (rate < own ? rate : own);
    if (takes_part[l->from] && takes_part[l->to] && bytes > most)
      most = bytes;
  }
  if (pl->p->assumed_mesh && pl->plan->site_count > 1)
    most = 2 * pl->p->assumed.latency * pl->p->assumed.bandwidth;
  free(takes_part);
  *out = most;
  return GBCAST_OK;
}

/* Segment sizes worth a try, increasing, without the whole message; all segments nearly equal. */
static int list_segments(const gb_planner *pl, uint64_t *list, size_t *out, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  uint64_t total = plan->class_bytes,
           least = pl->least_measured > LEAST_SEGMENT ? pl->least_measured : LEAST_SEGMENT;
  if (plan->operation == GBCAST_SCATTER) {
    total *= plan->endpoint_count;
    if (least < total / SCATTER_MAX_SEGMENTS)
      least = total / SCATTER_MAX_SEGMENTS;
  }
  double way;
  int status = most_in_flight(pl, &way, err);
  if (status != GBCAST_OK)
    return status;
  way = way < (double)total ? way : (double)total;
  if ((double)least * GB_SENDS_IN_FLIGHT < way)
    least = ((uint64_t)(way / GB_SENDS_IN_FLIGHT) / 4096 + 1) * 4096;
  size_t count = 0;
  for (uint64_t s = 1; s < total && s <= GB_MAX_SEGMENT; s *= 2) {
    if (2 * s <= least)
      continue;
    uint64_t size = s > least ? s : least;    /* both at least 1 */
    uint64_t pieces = (total - 1) / size + 1; // NOLINT(clang-analyzer-core.DivideZero)
    uint64_t even = (total - 1) / pieces + 1;
    even = (even + SEGMENT_STEP - 1) / SEGMENT_STEP * SEGMENT_STEP;
    if (even < pl->least_measured) /* rather uneven than smaller than what was measured */
      even = size;
    if (even < total && (count == 0 || even > list[count - 1]) && count < MAX_SEGMENTS)
      list[count++] = even;
  }
  *out = count;
  return GBCAST_OK;
}

static uint64_t whole_segment(const gb_planner *pl) {
  uint64_t total = pl->plan->class_bytes;
  if (pl->plan->operation == GBCAST_SCATTER)
    total *= pl->plan->endpoint_count;
  return total < 1 ? 1 : total < GB_MAX_SEGMENT ? total : GB_MAX_SEGMENT;
}

/* Downhill from a start, one step at a time, to where both neighbours are higher. */
static int descend(gb_search_state *st, size_t intra, const uint64_t *list, size_t count, size_t at,
                   gbcast_error *err) {
  double value[MAX_SEGMENTS];
  for (size_t i = 0; i < count; i++)
    value[i] = -1;
  for (;;) {
    size_t next = at;
    for (size_t i = at > 0 ? at - 1 : at; i <= at + 1 && i < count; i++) {
      if (value[i] < 0) {
        int status = price(st, list[i], intra, err);
        if (status != GBCAST_OK)
          return status;
        value[i] = st->lowest;
      }
      if (value[i] < value[next] || value[next] < 0)
        next = i;
    }
    if (next == at)
      return GBCAST_OK;
    at = next;
  }
}

static size_t nearest(const uint64_t *list, size_t count, uint64_t segment) {
  size_t at = 0;
  while (at + 1 < count && list[at] < segment)
    at++;
  return at;
}

/* Whether a choice of LAN algorithms may run cut, or whole. */
static bool allowed(const gb_planner *pl, size_t intra, bool cut) {
  if (pl->plan->operation == GBCAST_SCATTER)
    return true;
  for (uint32_t s = 0; s < pl->plan->site_count; s++) {
    size_t a = pl->forced_intra[s] != SIZE_MAX ? pl->forced_intra[s] : intra;
    if (a != GB_INTRA_MIXED && a != GB_INTRA_AUTO && cut && !gb_intra_table[a].segmented)
      return false;
  }
  return true;
}

static int try_intra(gb_search_state *st, size_t intra, const uint64_t *list, size_t count, size_t start,
                     gbcast_error *err) {
  if (st->limits->segment)
    return price(st, st->limits->segment, intra, err);
  int status = allowed(st->pl, intra, false) ? price(st, whole_segment(st->pl), intra, err) : GBCAST_OK;
  if (status == GBCAST_OK && count > 0 && allowed(st->pl, intra, true))
    status = descend(st, intra, list, count, start, err);
  return status;
}

/* `exact` at the best segment so far; the judge's favourite among all trees there goes by its name too. */
static int try_exact(gb_search_state *st, gbcast_error *err) {
  gb_trial top = st->top;
  if (st->pl->plan->site_count == 1 || (st->limits->inter != SIZE_MAX && st->limits->inter != st->exact))
    return GBCAST_OK;
  if (top.predicted == INFINITY)
    return GBCAST_OK;
  int status = gb_trial_price(st->pl, top.segment, top.intra, st->exact, st->exact + 1, keep, st, err);
  if (status != GBCAST_OK)
    return status;
  size_t row = top.intra == GB_INTRA_MIXED ? gb_intra_count : top.intra;
  gb_trial *slot = &st->best[row * gb_inter_count + st->exact];
  if (top.predicted < slot->predicted) {
    top.inter = st->exact;
    *slot = top;
  }
  return GBCAST_OK;
}

/* The LAN algorithm for all sites that was best so far of those not tried yet; SIZE_MAX when there is none.
 */
static size_t next_single(const gb_search_state *st, uint64_t tried) {
  size_t best = SIZE_MAX;
  double least = INFINITY;
  for (size_t i = 0; i < gb_intra_count * gb_inter_count; i++)
    if (!(tried >> i / gb_inter_count & 1) && gb_intra_table[i / gb_inter_count].segmented &&
        st->best[i].predicted < least) {
      best = i / gb_inter_count;
      least = st->best[i].predicted;
    }
  return best;
}

/* Several trees over the sites, at the best segment so far, with the mix and the best LAN algorithms: fewer
 * of them in larger plans, for time. Then downhill with the best of these. */
static int try_packing(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err) {
  const gbcast_plan *plan = st->pl->plan;
  gb_limits only = *st->limits;
  gb_search_state sub = *st;
  const bool any = only.intra == SIZE_MAX && !only.per_site;
  const uint64_t start = st->top.segment < plan->class_bytes ? st->top.segment : START_SEGMENT;
  const uint64_t segment = only.segment || count == 0 ? only.segment : list[nearest(list, count, start)];
  const size_t first = any ? GB_INTRA_MIXED : st->top.intra;
  if (only.inter != SIZE_MAX || plan->operation != GBCAST_BCAST || plan->site_count < 3 ||
      plan->site_count > PACKED_SITES || segment == 0 || !allowed(st->pl, first, true))
    return GBCAST_OK;
  only.inter = st->packing;
  sub.limits = &only;
  int status = price(&sub, segment, first, err);
  const size_t row = first == GB_INTRA_MIXED ? gb_intra_count : first;
  if (status != GBCAST_OK || st->best[row * gb_inter_count + st->packing].site_trees == 1)
    return status; /* one tree will do, and single trees have been tried */
  uint64_t tried = 0;
  for (uint32_t i = 0; status == GBCAST_OK && any && i * (uint64_t)plan->endpoint_count < PACKED_RANKS; i++) {
    const size_t intra = next_single(st, tried);
    if (intra == SIZE_MAX)
      break;
    tried |= (uint64_t)1 << intra;
    status = price(&sub, segment, intra, err);
  }
  if (status == GBCAST_OK && !only.segment && sub.top.inter == st->packing)
    status = descend(&sub, sub.top.intra, list, count, nearest(list, count, segment), err);
  st->top = sub.top;
  return status;
}

/* Where the walk downhill begins: inside one site, at the segment that is best for its pipeline by formula
 * (1). */
static uint64_t first_guess(const gb_planner *pl) {
  const gbcast_plan *plan = pl->plan;
  if (plan->site_count > 1 || plan->operation != GBCAST_BCAST)
    return START_SEGMENT;
  gb_lan lan = gb_lan_of(pl->p, plan->site[0].cluster);
  gb_intra_model *pipeline = gb_intra_table[gb_intra_find("linear-contention-free", GB_BCAST)].bcast_model;
  return gb_intra_best_segment(pipeline, &lan, plan->site[0].hosts, plan->class_bytes, LEAST_SEGMENT);
}

static int explore(gb_search_state *st, gbcast_error *err) {
  gb_planner *pl = st->pl;
  uint64_t list[MAX_SEGMENTS];
  size_t count;
  int status = list_segments(pl, list, &count, err);
  if (status != GBCAST_OK)
    return status;
  const gb_limits *limits = st->limits;
  size_t guess = nearest(list, count, first_guess(pl));
  if (limits->intra != SIZE_MAX || limits->per_site) {
    size_t intra = limits->intra != SIZE_MAX ? limits->intra : GB_INTRA_MIXED;
    status = try_intra(st, intra, list, count, guess, err);
    if (status == GBCAST_OK)
      status = try_exact(st, err);
    return status == GBCAST_OK ? try_packing(st, list, count, err) : status;
  }
  status = try_intra(st, GB_INTRA_MIXED, list, count, guess, err);
  gb_limits narrow = *limits;
  narrow.inter = st->top.inter;
  if (status == GBCAST_OK)
    status = try_exact(st, err);
  gb_search_state sub = *st;
  sub.limits = &narrow;
  for (size_t a = 0; status == GBCAST_OK && a < gb_intra_count; a++) {
    gb_flow flow = gb_trial_flow(pl, st->top.segment);
    bool cut = gb_intra_table[a].segmented;
    if (!gb_local_fits(&flow, cut, &gb_intra_table[a]) || (cut && count == 0))
      continue;
    size_t start = nearest(list, count, st->top.segment < flow.bytes ? st->top.segment : START_SEGMENT);
    status = try_intra(&sub, a, list, count, start, err);
  }
  st->top = sub.top;
  return status == GBCAST_OK ? try_packing(st, list, count, err) : status;
}

static int by_price(const void *a, const void *b) {
  const gb_trial *x = a, *y = b;
  if (x->predicted != y->predicted)
    return x->predicted < y->predicted ? -1 : 1;
  if (x->inter != y->inter)
    return x->inter < y->inter ? -1 : 1;
  return x->intra < y->intra ? -1 : x->intra > y->intra;
}

int gb_search(gb_planner *pl, const gb_limits *limits, gb_trial **trial, size_t *count, gbcast_error *err) {
  size_t slots = (gb_intra_count + 1) * gb_inter_count;
  gb_search_state st = {.pl = pl,
                        .limits = limits,
                        .best = malloc((slots + 1) * sizeof *st.best),
                        .top = {.predicted = INFINITY},
                        .exact = gb_inter_find("exact"),
                        .packing = gb_inter_find("packing")};
  if (!st.best)
    return gb_no_memory(err);
  for (size_t i = 0; i < slots; i++)
    st.best[i] = (gb_trial){.predicted = INFINITY};
  int status = explore(&st, err);
  *count = 0;
  for (size_t i = 0; i < slots; i++)
    if (st.best[i].predicted < INFINITY &&
        (limits->inter == SIZE_MAX || pl->plan->site_count == 1 || st.best[i].inter == limits->inter))
      st.best[(*count)++] = st.best[i];
  if (status == GBCAST_OK && *count == 0)
    status = limits->segment ? GBCAST_EUSAGE : GBCAST_EINPUT; /* gb_trial_price has said why */
  qsort(st.best, *count, sizeof *st.best, by_price);
  if (status != GBCAST_OK) {
    free(st.best);
    return status;
  }
  *trial = st.best;
  return status;
}
