/* The search for the candidate with the least predicted time, or the least cost: downhill from many starts,
 * by successive halving (K. Jamieson and A. Talwalkar, Non-stochastic best arm identification and
 * hyperparameter optimization, AISTATS 2016).
 *
 *   rung 0   every start is simulated for a few segments
 *   rung 1   more segments; each spec changes in one choice at a time, as long as that helps
 *   rung 2   all segments, and smaller changes of the segment size
 *
 * Each rung has a budget of simulated sends, which specs use up in the order of their last score, so the more
 * costly they are, the fewer get there. Counts, not seconds: plans are the same on every machine. Nothing
 * more is tried when the best is as good as the lower bound. */
#include "plan/bound/bound.h"
#include "plan/search/generate.h"
#include "plan/search/reduced.h"
#include <math.h>
#include <stdlib.h>

#define RUNGS 3u
static const struct gb_rung {
  uint32_t segments; /* that are simulated */
  double budget;     /* the part of the budget that is used by the end of the rung */
  bool improves, fine;
} rung_table[RUNGS] = {{16, 0.4, false, false}, {32, 0.8, true, false}, {UINT32_MAX, 1, true, true}};

/* The budget of a plan with n ranks, simulated sends: BUDGET times the square root of n, or of FEWEST. */
#define BUDGET 60000u
#define FEWEST 64u

/* Ranks times trees of a plan whose trees the request does not name, at most. */
#define EDGES_MOST (1u << 17)

#define ENOUGH 1.005  /* times the lower bound: nothing more is tried */
#define NEAR_TIE 1.02 /* times the least: may be as good when simulated in full */
#define GAIN 0.999    /* of the value so far: a change that gains less is not worth it */
#define TIE 1.01      /* times the least predicted time: as good; then the simplest one */

typedef struct gb_search_state {
  gb_planner *pl;
  gb_choices choices;
  gb_scored *item; /* count: those that are still in the race */
  size_t count;
  gb_scored *tried; /* tried_count: with their last scores, whatever became of them */
  size_t tried_count, tried_capacity, full_from; /* full_from: the first of the last rung */
  uint32_t effort;
  uint64_t budget;      /* of pl->work, in this rung */
  double least, enough; /* the least value in this rung; what is good enough, below 0 for nothing */
} gb_search_state;

static int keep_tried(gb_search_state *st, const gb_scored *item, gbcast_error *err) {
  if (st->tried_count == st->tried_capacity) {
    const size_t capacity = st->tried_capacity ? 2 * st->tried_capacity : 64;
    gb_scored *grown = realloc(st->tried, capacity * sizeof *grown);
    if (!grown)
      return gb_no_memory(err);
    st->tried = grown;
    st->tried_capacity = capacity;
  }
  st->tried[st->tried_count++] = *item;
  return GBCAST_OK;
}

/* A few segments do not tell exactly whether a plan is in time: until all are simulated, one that is not
 * counts as dearer, the more so the later it is. */
static void set_value(const gb_search_state *st, gb_scored *item) {
  const gb_limits *limits = st->choices.limits;
  const double seconds = item->score.predicted, late = seconds / limits->within;
  item->value = gb_value_of(limits, seconds, item->score.usd);
  if (limits->within > 0 && st->effort < UINT32_MAX && late > 1 && seconds < INFINITY)
    item->value = item->score.usd * late * late * late * late;
}

static int score(gb_search_state *st, gb_scored *item, gbcast_error *err) {
  const uint32_t most = gb_spec_effort_most(st->pl, item->spec.lanes);
  const int status =
      gb_spec_score(st->pl, &item->spec, st->effort < most ? st->effort : most, &item->score, err);
  set_value(st, item);
  st->least = item->value < st->least ? item->value : st->least;
  return status == GBCAST_OK && item->score.predicted < INFINITY ? keep_tried(st, item, err) : status;
}

/* Of what costs the same the faster is better. */
static bool is_better(const gb_scored *other, const gb_scored *than) {
  return other->value < than->value * GAIN ||
         (other->value == than->value && other->score.predicted < than->score.predicted * GAIN);
}

/* Goes downhill: takes a neighbour if it is better, and then the next one in the same direction. Uses at most
 * half of the budget that is left, so that others get some, too. */
static int improve(gb_search_state *st, gb_scored *item, bool fine, gbcast_error *err) {
  int status = GBCAST_OK;
  const uint64_t budget = st->pl->work + (st->budget - st->pl->work) / 2;
  bool moved = true;
  while (moved) {
    moved = false;
    for (size_t k = 0; k < gb_spec_neighbours(); k++) {
      bool better = true;
      while (status == GBCAST_OK && better && st->pl->work < budget) {
        gb_scored other;
        better = gb_spec_neighbour(&st->choices, &item->spec, k, fine, &other.spec);
        if (!better)
          break;
        status = score(st, &other, err);
        better = status == GBCAST_OK && is_better(&other, item);
        if (better)
          *item = other;
        moved = moved || better;
      }
    }
  }
  return status;
}

/* Of specs with the same trees keeps the first, and drops those whose trees cannot be made. */
static size_t drop_copies(gb_scored *item, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    bool known = item[i].score.predicted == INFINITY;
    for (size_t k = 0; k < kept && !known; k++)
      known = item[k].score.checksum == item[i].score.checksum;
    if (!known)
      item[kept++] = item[i];
  }
  return kept;
}

static double square_root(uint32_t n) {
  double root = 1;
  for (int i = 0; i < 40; i++) /* Newton: enough for any n, and the same everywhere */
    root = (root + n / root) / 2;
  return root;
}

/* Puts the starts into the order of their estimates. */
static int sort_starts(gb_search_state *st, gbcast_error *err) {
  int status = GBCAST_OK;
  st->effort = 0;
  for (size_t i = 0; status == GBCAST_OK && i < st->count; i++) {
    status = gb_spec_estimate(st->pl, &st->item[i].spec, &st->item[i].score, err);
    set_value(st, &st->item[i]);
  }
  qsort(st->item, st->count, sizeof *st->item, gb_scored_order);
  return status;
}

static int climb(gb_search_state *st, const struct gb_rung *rung, gbcast_error *err) {
  int status = GBCAST_OK;
  size_t i = 0;
  st->effort = rung->segments;
  const uint32_t n = st->pl->plan->schedule.endpoint_count;
  st->budget = (uint64_t)(rung->budget * BUDGET * square_root(n < FEWEST ? FEWEST : n));
  st->least = INFINITY;
  for (; status == GBCAST_OK && i < st->count &&
         (i == 0 || (st->pl->work < st->budget && st->least > st->enough));
       i++) {
    status = score(st, &st->item[i], err);
    if (status == GBCAST_OK && rung->improves && st->pl->work < st->budget)
      status = improve(st, &st->item[i], rung->fine, err);
  }
  qsort(st->item, i, sizeof *st->item, gb_scored_order);
  st->count = drop_copies(st->item, i);
  return status;
}

/* Of all specs that were tried and are as fast as the best, the simplest becomes the first. Where the cost
 * counts nothing is done: candidates of equal cost are already in the order of their times. */
static int settle_ties(gb_search_state *st, gbcast_error *err) {
  const double best = st->item[0].score.predicted;
  if (st->choices.limits->within > 0)
    return GBCAST_OK;
  int status = GBCAST_OK;
  st->effort = UINT32_MAX;
  for (size_t i = 0, count = st->tried_count; status == GBCAST_OK && i < count; i++) {
    gb_scored other = st->tried[i];
    if (other.score.predicted > NEAR_TIE * best || gb_scored_simpler(&other, &st->item[0]) >= 0)
      continue;
    status = score(st, &other, err);
    if (status == GBCAST_OK && other.score.predicted <= TIE * best)
      st->item[0] = other;
  }
  return status;
}

/* Sets *item to the winner, and behind it the best that was tried of each pair of algorithms, in one lane and
 * in several; with room for one more. */
static int list_candidates(gb_search_state *st, gb_scored **item, size_t *count, gbcast_error *err) {
  gb_scored *list = malloc((st->tried_count + 2) * sizeof *list);
  if (!list)
    return gb_no_memory(err);
  qsort(st->tried, st->tried_count, sizeof *st->tried, gb_scored_order);
  list[0] = st->item[0];
  *count = 1;
  for (size_t i = 0; i < st->tried_count; i++) {
    const gb_spec *spec = &st->tried[i].spec;
    bool listed = false;
    for (size_t k = 0; k < *count && !listed; k++)
      listed = list[k].spec.inter == spec->inter && list[k].spec.exchange == spec->exchange &&
               list[k].spec.intra == spec->intra &&
               (list[k].spec.spending == spec->spending || list[k].value == st->tried[i].value) &&
               (list[k].spec.lanes > 1) == (spec->lanes > 1);
    if (!listed)
      list[(*count)++] = st->tried[i];
  }
  *item = list;
  return GBCAST_OK;
}

static int search(gb_search_state *st, gbcast_error *err) {
  gb_spec *spec = NULL;
  int status = gb_specs_generate(&st->choices, &spec, &st->count, err);
  st->item = malloc((st->count + 1) * sizeof *st->item);
  if (status == GBCAST_OK && !st->item)
    status = gb_no_memory(err);
  for (size_t i = 0; status == GBCAST_OK && i < st->count; i++)
    st->item[i] = (gb_scored){.spec = spec[i]};
  free(spec);
  if (status == GBCAST_OK)
    status = sort_starts(st, err);
  for (uint32_t rung = 0; status == GBCAST_OK && rung < RUNGS; rung++) {
    st->full_from = st->tried_count;
    status = climb(st, &rung_table[rung], err);
  }
  if (status == GBCAST_OK && st->count == 0) /* *err says why */
    status = st->choices.limits->segment || st->choices.limits->lanes > 1 ? GBCAST_EUSAGE : GBCAST_EINPUT;
  return status;
}

/* Of what was simulated in full, the cheapest that is in time, or else the fastest. */
static gb_spec cheapest_in_time(const gb_search_state *st, const gb_limits *limits) {
  const gb_scored *best = &st->item[0];
  double least = gb_value_of(limits, best->score.predicted, best->score.usd);
  for (size_t i = st->full_from; i < st->tried_count; i++) {
    const double value = gb_value_of(limits, st->tried[i].score.predicted, st->tried[i].score.usd);
    if (value < least) {
      best = &st->tried[i];
      least = value;
    }
  }
  return best->spec;
}

/* Where the time is limited, first looks for what is fast: the search then begins with the cheapest of that.
 */
static int search_in_time(gb_search_state *st, const gb_limits *limits, gbcast_error *err) {
  gb_limits fast = *limits;
  fast.within = 0;
  st->choices.limits = &fast;
  int status = search(st, err);
  if (status == GBCAST_OK)
    status = settle_ties(st, err);
  st->choices.limits = limits;
  if (status != GBCAST_OK)
    return status;
  gb_scored other = {.spec = cheapest_in_time(st, limits)};
  free(st->item);
  st->item = NULL;
  st->tried_count = 0;
  st->pl->work = 0;
  st->enough = -1;
  status = search(st, err);
  if (status == GBCAST_OK)
    status = score(st, &other, err);
  if (status == GBCAST_OK && other.value < st->item[0].value)
    st->item[0] = other;
  return status;
}

int gb_search(gb_planner *pl, const gb_limits *limits, gb_scored **item, size_t *count, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  gb_search_state st = {0};
  gb_reduced reduced = {0};
  const uint32_t affordable = EDGES_MOST / plan->schedule.endpoint_count;
  if (limits->lanes == 0 && limits->inter == SIZE_MAX && limits->intra == SIZE_MAX &&
      affordable < GB_TREES_MOST)
    pl->most_trees = affordable < 2 ? 2 : affordable;
  int status = gb_choices_find(pl, limits, &st.choices, err);
  if (status == GBCAST_OK)
    status = gb_plan_bound(plan, plan->class_bytes, &st.enough, err);
  st.enough = limits->within == INFINITY ? -1 : st.enough * ENOUGH;
  if (status == GBCAST_OK)
    status = gb_reduced_new(pl, &reduced, err);
  st.pl = reduced.pl;
  if (status == GBCAST_OK)
    status =
        limits->within > 0 && limits->within < INFINITY ? search_in_time(&st, limits, err) : search(&st, err);
  if (status == GBCAST_OK)
    status = settle_ties(&st, err);
  if (status == GBCAST_OK)
    status = list_candidates(&st, item, count, err);
  gb_reduced_release(&reduced);
  free(st.item);
  free(st.tried);
  return status;
}
