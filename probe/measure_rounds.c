/* Chooses the pairs to measure, and measures them in the rounds of probe/rounds.c. */
#include "probe/lead.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The host that the leader of a site is measured against: one on its switch, or else any other. GB_NONE: the
 * site has no other host with a rank. */
static uint32_t partner(const gb_lead *l, uint32_t site, uint32_t leader) {
  const gbcast_platform *p = l->platform;
  const gb_cluster *c = &p->cluster[site];
  uint32_t any = GB_NONE;
  for (uint32_t i = 0; i < c->host_count; i++) {
    uint32_t h = p->host_of_cluster[c->host_start + i];
    if (h == leader || l->host_rank[h] < 0)
      continue;
    if (p->host[h].sw == p->host[leader].sw)
      return h;
    any = any == GB_NONE ? h : any;
  }
  return any;
}

/* The latency between two sites (s) as far as it is known before the measurement; 0: not known. */
static double rough_between(const gb_lead *l, uint32_t a, uint32_t b) {
  double least = l->platform->assumed_mesh ? 0 : gb_platform_link(l->platform, a, b)->latency;
  for (uint32_t i = 0; l->groups.count > 0 && i < l->near_count; i++) {
    uint32_t from = l->groups.of[l->near[i].a], to = l->groups.of[l->near[i].b];
    if (((from == a && to == b) || (from == b && to == a)) && (least <= 0 || l->near[i].latency < least))
      least = l->near[i].latency;
  }
  return least;
}

static void add(gb_lead *l, uint32_t a, uint32_t b, int rank_a, int rank_b, double rough) {
  bool swap = rank_b < rank_a; /* so rank 0 always leads: it cannot take orders while it waits for reports */
  gb_probe_task *t = &l->task[l->task_count++];
  *t = (gb_probe_task){.host = {swap ? b : a, swap ? a : b},
                       .rank = {swap ? rank_b : rank_a, swap ? rank_a : rank_b}};
  t->rough = rough;
}

/* If the whole job is on one host, chooses two of its ranks: only their shared memory can be measured. */
static bool add_shared_memory(gb_lead *l) {
  if (l->platform->host_count > 1)
    return false;
  add(l, 0, 0, 0, 1, 0);
  (void)fputs(
      "# The job has one host: these numbers were measured between two of its ranks, through its memory.\n",
      l->notes);
  return true;
}

static void add_pairs(gb_lead *l) {
  const gbcast_platform *p = l->platform;
  for (uint32_t a = 0; a < p->cluster_count; a++) {
    uint32_t leader = gb_lead_site_leader(l, a), other = leader == GB_NONE ? GB_NONE : partner(l, a, leader);
    if (other != GB_NONE)
      add(l, leader, other, l->host_rank[leader], l->host_rank[other], 0);
  }
  for (uint32_t a = 0; a < p->cluster_count; a++)
    for (uint32_t b = a + 1; b < p->cluster_count; b++) {
      uint32_t s = gb_lead_site_leader(l, a), t = gb_lead_site_leader(l, b);
      bool joined =
          p->assumed_mesh || (gb_platform_link(p, a, b) != NULL && gb_platform_link(p, b, a) != NULL);
      if (s != GB_NONE && t != GB_NONE && joined)
        add(l, s, t, l->host_rank[s], l->host_rank[t], rough_between(l, a, b));
    }
}

int gb_lead_choose_pairs(gb_lead *l, gbcast_error *err) {
  size_t sites = 0;
  for (uint32_t c = 0; c < l->platform->cluster_count; c++)
    sites += gb_lead_site_leader(l, c) != GB_NONE;
  l->task = calloc(l->platform->cluster_count + sites * sites / 2 + 1, sizeof *l->task);
  if (l->task == NULL)
    return gb_no_memory(err);
  if (!add_shared_memory(l))
    add_pairs(l);
  return l->task_count > 0
             ? GBCAST_OK
             : gb_fail(err, GBCAST_EUSAGE,
                       "nothing to measure: the %d ranks are on one host of the file, or on hosts without "
                       "links between them",
                       l->x->size);
}

static const double TABLE_SECONDS = 5; /* that a table takes, about */

/* Rank 0 waits so many times as long for a pair as it usually takes, or twice its share of the budget, and
 * some seconds more. A rank that waits for a dead peer ends the job much earlier. */
static const double PATIENCE = 10, MORE_PATIENCE = 60;

static const char *host_of_rank(const gb_lead *l, const gb_probe_task *t, int end) {
  return l->platform->host[t->host[end]].name;
}

bool gb_lead_is_far(const gb_lead *l, const gb_probe_task *t) {
  return l->platform->host[t->host[0]].cluster != l->platform->host[t->host[1]].cluster;
}

gb_probe_task *gb_lead_pair_of(const gb_lead *l, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < l->task_count; i++) {
    gb_probe_task *t = &l->task[i];
    const uint32_t x = l->platform->host[t->host[0]].cluster, y = l->platform->host[t->host[1]].cluster;
    if ((x == a && y == b) || (x == b && y == a))
      return t;
  }
  return NULL;
}

static int start_task(gb_lead *l, const gb_probe_task *t, double seconds, gb_order *order) {
  *order = (gb_order){.kind = GB_ORDER_MEASURE, .count = l->options->size_count, .seconds = seconds};
  if (gb_lead_is_far(l, t) || l->options->check)
    order->kind = GB_ORDER_STREAM;
  order->peer[0] = t->rank[1];
  memcpy(order->size, l->options->size, sizeof order->size);
  return t->rank[0] == 0 ? MPI_SUCCESS : gb_send_order(l->x, t->rank[0], order);
}

/* Waits for the reports of `waiting` pairs of a round, which other ranks lead. */
static int collect(gb_lead *l, uint32_t round, uint32_t waiting, double seconds) {
  int rc = MPI_SUCCESS;
  while (rc == MPI_SUCCESS && waiting > 0) {
    gb_report report;
    int source;
    for (uint32_t i = 0; i < l->task_count; i++) {
      const gb_probe_task *t = &l->task[i];
      if (t->round == round && t->rank[0] != 0 && !t->reported)
        gb_watchdog_expect(
            l->x->watch, seconds,
            "gbcast-probe: no answer: rank %d on %s, or rank %d on %s, has died or cannot be reached",
            t->rank[0], host_of_rank(l, t, 0), t->rank[1], host_of_rank(l, t, 1));
    }
    rc = gb_lead_await_report(l, &report, &source);
    if (rc != MPI_SUCCESS)
      return rc;
    for (uint32_t i = 0; i < l->task_count; i++)
      if (l->task[i].round == round && l->task[i].rank[0] == source) {
        l->task[i].table = report.table;
        l->task[i].reported = true;
      }
    waiting--;
  }
  return rc;
}

/* About how long a pair takes (s): in each direction four streams, and short ones; inside a site the table,
 * too. */
static double seconds_of_pair(const gb_lead *l, const gb_probe_task *t) {
  return 11 * gb_stream_seconds(2 * t->rough) +
         (gb_lead_is_far(l, t) || l->options->check ? 0.5 : TABLE_SECONDS);
}

static double seconds_of(const gb_lead *l, uint32_t round) {
  double most = 0;
  for (uint32_t i = 0; i < l->task_count; i++)
    if (l->task[i].round == round)
      most = fmax(most, seconds_of_pair(l, &l->task[i]));
  return most;
}

/* About how long this round and those after it take (s). */
static double seconds_from(const gb_lead *l, uint32_t round, uint32_t rounds) {
  double sum = 0;
  for (uint32_t r = round; r < rounds; r++)
    sum += seconds_of(l, r);
  return sum;
}

/* And what follows the rounds. */
static double seconds_after_rounds(const gb_lead *l) {
  return gb_lead_flow_seconds(l, 0) + (l->options->check ? 0 : gb_lead_contention_seconds(l));
}

/* Measures all pairs of a round at the same time, each within `seconds`. */
static int measure_round(gb_lead *l, uint32_t round, uint32_t rounds, double seconds) {
  gb_probe_task *own = NULL;
  gb_order order;
  uint32_t others = 0;
  int rc = MPI_SUCCESS;
  const double patience = MORE_PATIENCE + (isinf(seconds) ? PATIENCE * seconds_of(l, round) : 2 * seconds);
  const double left = seconds_from(l, round, rounds) + seconds_after_rounds(l);
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < l->task_count; i++) {
    gb_probe_task *t = &l->task[i];
    if (t->round != round)
      continue;
    gb_lead_say(l, "round %u of %u, about %.0f s left: %s - %s", (unsigned)round + 1, (unsigned)rounds, left,
                host_of_rank(l, t, 0), host_of_rank(l, t, 1));
    if (t->rank[0] == 0)
      own = t;
    else
      others++;
    rc = start_task(l, t, seconds, &order);
  }
  if (rc == MPI_SUCCESS && own != NULL) {
    gb_watchdog_expect(l->x->watch, patience,
                       "gbcast-probe: no answer: rank %d on %s has died or cannot be reached", own->rank[1],
                       host_of_rank(l, own, 1));
    (void)start_task(l, own, seconds, &order);
    rc = gb_measure_pair(l->x, &order, &own->table);
  }
  return rc != MPI_SUCCESS ? rc : collect(l, round, others, patience);
}

enum { LEFT_OUT = 2 * GB_MAX_NAME + 16 }; /* bytes for the name of something that was not measured */

/* Names the first thing that was not measured; false: all was. */
static bool find_left_out(const gb_lead *l, char what[LEFT_OUT]) {
  for (uint32_t i = 0; i < l->task_count; i++) {
    const gb_probe_task *t = &l->task[i];
    if (gb_task_is_complete(t, gb_lead_is_far(l, t) || l->options->check ? 1 : l->options->size_count))
      continue;
    (void)snprintf(what, LEFT_OUT, "%s - %s", host_of_rank(l, t, 0), host_of_rank(l, t, 1));
    return true;
  }
  for (uint32_t i = 0; i < l->flow_count; i++) {
    const gb_probe_flow *f = &l->flow[i];
    if (f->measured)
      continue;
    (void)snprintf(what, LEFT_OUT, "%s - %s", l->platform->host[f->host[0]].name,
                   l->platform->host[f->host[1]].name);
    return true;
  }
  const char *site = gb_lead_contention_left_out(l);
  if (site != NULL)
    (void)snprintf(what, LEFT_OUT, "contention= of %s", site);
  return site != NULL;
}

/* Says what was not measured. `enough`: a budget (s) that would probably be enough. */
static void tell_left_out(gb_lead *l, double enough) {
  char what[LEFT_OUT];
  if (!find_left_out(l, what))
    return;
  (void)fprintf(l->notes,
                "# Not everything was measured in time, for example not %s; --budget=%.0f would be enough.\n",
                what, ceil(enough));
  gb_lead_say(l, "%s", "");
  fprintf(stderr,
          "gbcast-probe: not everything was measured in time, for example not %s; %s; "
          "--budget=%.0f would be enough\n",
          what, l->options->merge ? "the file keeps its numbers there" : "the file says what is missing",
          ceil(enough));
}

static int set_rounds(gb_lead *l, uint32_t *rounds, gbcast_error *err) {
  gb_probe_ends *ends = calloc((size_t)l->task_count + 1, sizeof *ends);
  int status = ends == NULL ? gb_no_memory(err) : GBCAST_OK;
  for (uint32_t i = 0; status == GBCAST_OK && i < l->task_count; i++) {
    const gb_probe_task *t = &l->task[i];
    ends[i] = (gb_probe_ends){.host = {t->host[0], t->host[1]},
                              .machine = {l->machine[t->rank[0]], l->machine[t->rank[1]]},
                              .set = GB_NONE};
  }
  if (status == GBCAST_OK)
    status = gb_probe_rounds(l->platform, l->machines, ends, l->task_count, rounds, err);
  for (uint32_t i = 0; status == GBCAST_OK && i < l->task_count; i++)
    l->task[i].round = ends[i].round;
  free(ends);
  return status;
}

/* Each round gets a share of the budget in proportion to the time that it needs. Flows and exchanges get the
 * rest. */
int gb_lead_measure(gb_lead *l, int *status, gbcast_error *err) {
  uint32_t rounds = 0, points = 0;
  int rc = MPI_SUCCESS;
  *status = set_rounds(l, &rounds, err);
  for (uint32_t r = 0; rc == MPI_SUCCESS && *status == GBCAST_OK && r < rounds; r++) {
    /* 5 % are for sending orders and reports */
    const double left = 0.95 * l->options->budget - gb_lead_elapsed(l);
    if (left > 0)
      rc = measure_round(l, r, rounds, left * seconds_of(l, r) / seconds_from(l, r, rounds));
  }
  gb_watchdog_rest(l->x->watch);
  if (rc == MPI_SUCCESS && *status == GBCAST_OK)
    rc = gb_lead_measure_flows(l, status, err);
  if (rc == MPI_SUCCESS && *status == GBCAST_OK && !l->options->check)
    rc = gb_lead_measure_contention(l, status, err);
  for (uint32_t i = 0; i < l->task_count; i++)
    points += l->task[i].table.count > 0;
  if (rc == MPI_SUCCESS && *status == GBCAST_OK && points == 0)
    *status = gb_fail(err, GBCAST_EUSAGE, "nothing could be measured within %.6g s; give a longer --budget",
                      l->options->budget);
  if (rc == MPI_SUCCESS && *status == GBCAST_OK)
    tell_left_out(l, gb_lead_elapsed(l) / 0.95 + seconds_from(l, 0, rounds) + seconds_after_rounds(l));
  return rc;
}
