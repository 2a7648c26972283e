/* Chooses and measures the streams that run at the same time between sites.
 *
 *   a0 === b0    several hosts of two sites:         a0 === b0    one site and several others:
 *   a1 === b1    the link may carry more than one    a1 === c0    the site's own link may carry
 *   a2 === b2    stream, or one host's link, does    a0 === d0    less than all of them do
 *
 * One direction is measured after the other: data that comes back over the same connections would delay
 * acknowledgements. */
#include "probe/lead.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINK_STREAMS = 4, SITE_STREAMS = GB_STREAMS_MOST };

/* Sets host[] to at most `most` hosts of a site that have a rank, on different machines. Returns how many. */
static uint32_t hosts_of(const gb_lead *l, uint32_t site, uint32_t most, uint32_t host[]) {
  const gb_cluster *c = &l->platform->cluster[site];
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->host_count && count < most; i++) {
    const uint32_t h = l->platform->host_of_cluster[c->host_start + i];
    bool alone = l->host_rank[h] >= 0;
    for (uint32_t k = 0; alone && k < count; k++)
      alone = l->machine[l->host_rank[h]] != l->machine[l->host_rank[host[k]]];
    if (alone)
      host[count++] = h;
  }
  return count;
}

static void add(gb_lead *l, uint32_t from, uint32_t to, uint32_t set, uint32_t site, double rough) {
  l->flow[l->flow_count++] = (gb_probe_flow){.host = {from, to},
                                             .rank = {l->host_rank[from], l->host_rank[to]},
                                             .set = set,
                                             .site = site,
                                             .rough = rough};
}

/* Adds a set of streams from hosts of site `a` to hosts of site `b`, if both have at least two. */
static void add_link(gb_lead *l, uint32_t a, uint32_t b, uint32_t *set) {
  uint32_t from[LINK_STREAMS], to[LINK_STREAMS];
  const gb_probe_task *t = gb_lead_pair_of(l, a, b);
  const uint32_t m = hosts_of(l, a, LINK_STREAMS, from), n = hosts_of(l, b, LINK_STREAMS, to),
                 streams = m < n ? m : n;
  if (t == NULL || streams < 2)
    return;
  for (uint32_t i = 0; i < streams; i++)
    add(l, from[i], to[i], *set, GB_NONE, t->rough);
  ++*set;
}

/* Adds a set of streams between site `a` and others: to them, or from them (`back`). The others are the sites
 * with the next numbers, so that each site is the other end equally often. */
static void add_site(gb_lead *l, uint32_t a, bool back, uint32_t *set) {
  const uint32_t sites = l->platform->cluster_count, first = l->flow_count;
  uint32_t host[SITE_STREAMS], streams = 0;
  const uint32_t hosts = hosts_of(l, a, SITE_STREAMS, host);
  for (uint32_t i = 1; i < sites && streams < SITE_STREAMS && hosts > 0; i++) {
    const uint32_t b = (a + i) % sites, own = host[streams % hosts], other = gb_lead_site_leader(l, b);
    const gb_probe_task *t = gb_lead_pair_of(l, a, b);
    if (t == NULL)
      continue;
    add(l, back ? other : own, back ? own : other, *set, a, t->rough);
    streams++;
  }
  if (streams < 2)
    l->flow_count = first;
  else
    ++*set;
}

static int set_rounds(gb_lead *l, gbcast_error *err) {
  gb_probe_ends *ends = calloc((size_t)l->flow_count + 1, sizeof *ends);
  int status = ends == NULL ? gb_no_memory(err) : GBCAST_OK;
  for (uint32_t i = 0; status == GBCAST_OK && i < l->flow_count; i++) {
    const gb_probe_flow *f = &l->flow[i];
    ends[i] = (gb_probe_ends){.host = {f->host[0], f->host[1]},
                              .machine = {l->machine[f->rank[0]], l->machine[f->rank[1]]},
                              .set = f->set};
  }
  if (status == GBCAST_OK)
    status = gb_probe_rounds(l->platform, l->machines, ends, l->flow_count, &l->flow_rounds, err);
  for (uint32_t i = 0; status == GBCAST_OK && i < l->flow_count; i++)
    l->flow[i].round = ends[i].round;
  free(ends);
  return status;
}

int gb_lead_choose_flows(gb_lead *l, gbcast_error *err) {
  const size_t sites = l->platform->cluster_count;
  uint32_t set = 0;
  l->flow = calloc(sites * sites * LINK_STREAMS + 2 * sites * SITE_STREAMS + 1, sizeof *l->flow);
  if (l->flow == NULL)
    return gb_no_memory(err);
  for (uint32_t a = 0; a < sites; a++)
    for (uint32_t b = 0; b < sites; b++)
      if (b != a)
        add_link(l, a, b, &set);
  for (uint32_t a = 0; a < sites; a++)
    for (int back = 0; back < 2; back++)
      add_site(l, a, back == 1, &set);
  return set_rounds(l, err);
}

static double seconds_of(const gb_lead *l, uint32_t round) {
  double most = 0;
  for (uint32_t i = 0; i < l->flow_count; i++)
    if (l->flow[i].round == round)
      most = fmax(most, gb_stream_seconds(2 * l->flow[i].rough));
  return most;
}

/* A run takes so many times the length of its streams, as it takes a while to end, and a round has about so
 * many runs. */
static const double RUN = 1.5, RUNS = 3;

double gb_lead_flow_seconds(const gb_lead *l, uint32_t round) {
  double sum = 0;
  for (uint32_t r = round; r < l->flow_rounds; r++)
    sum += RUNS * RUN * seconds_of(l, r);
  return sum;
}

static gb_probe_task *pair_of_flow(const gb_lead *l, const gb_probe_flow *f) {
  return gb_lead_pair_of(l, l->platform->host[f->host[0]].cluster, l->platform->host[f->host[1]].cluster);
}

/* What one stream carries alone between the sites of a flow, in its direction. */
static gb_median *single_of(const gb_lead *l, const gb_probe_flow *f) {
  gb_probe_task *t = pair_of_flow(l, f);
  const gb_host *host = l->platform->host;
  return &t->table.rate[host[t->host[0]].cluster == host[f->host[0]].cluster ? 0 : 1];
}

/* Whether the pairs of sites of all flows of a set were measured. `first`: its first flow; the others follow.
 */
static bool set_is_complete(const gb_lead *l, uint32_t first) {
  for (uint32_t i = first; i < l->flow_count && l->flow[i].set == l->flow[first].set; i++)
    if (!gb_task_is_complete(pair_of_flow(l, &l->flow[i]), 1))
      return false;
  return true;
}

/* Copies the flows of a round, without sets that are not complete, and sets what each carries alone. at[]:
 * their indices in l->flow. */
static uint32_t take_round(const gb_lead *l, uint32_t round, gb_probe_flow *taken, uint32_t *at) {
  uint32_t count = 0;
  bool complete = false;
  for (uint32_t i = 0; i < l->flow_count; i++) {
    const gb_probe_flow *f = &l->flow[i];
    if (i == 0 || f->set != l->flow[i - 1].set)
      complete = set_is_complete(l, i);
    if (f->round != round || !complete)
      continue;
    at[count] = i;
    taken[count] = *f;
    taken[count++].alone = single_of(l, f)->value;
  }
  return count;
}

/* What the flows of the first set carry in all, and what they carry alone, added up (bytes/s). Returns how
 * many flows it has. */
static uint32_t sum_up(const gb_probe_flow *flow, uint32_t count, double *total, double *alone) {
  uint32_t n = 0;
  *total = *alone = 0;
  for (; n < count && flow[n].set == flow[0].set; n++) {
    *total += flow[n].rate.value;
    *alone += flow[n].alone;
  }
  return n;
}

/* A stream that got more among others than alone gets as much alone: something else was in its way. */
static void raise_singles(gb_lead *l, gb_probe_flow *flow, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    gb_median *single = single_of(l, &flow[i]);
    if (flow[i].rate.value > single->value)
      *single = flow[i].rate;
    flow[i].alone = single->value;
  }
}

/* Runs the flows, and replaces those sets of best[] that now carry more. run[] has room for as many flows.
 * *faster: some set carries GB_STREAM_FASTER times as much. *limited: some set carries less than its streams
 * do alone, by that factor. */
static int run_again(gb_lead *l, gb_probe_flow *best, gb_probe_flow *run, uint32_t count, double part,
                     double seconds, bool *faster, bool *limited) {
  *faster = *limited = false;
  memcpy(run, best, count * sizeof *run);
  const int rc = gb_lead_run_flows(l, run, count, part, seconds);
  raise_singles(l, run, count);
  raise_singles(l, best, count);
  for (uint32_t i = 0, n; i < count; i += n) {
    double before, now, alone;
    n = sum_up(&best[i], count - i, &before, &alone);
    (void)sum_up(&run[i], n, &now, &alone);
    *faster = *faster || now > GB_STREAM_FASTER * before;
    *limited = *limited || GB_STREAM_FASTER * fmax(now, before) < alone;
    if (now > before || !best[i].measured)
      memcpy(&best[i], &run[i], n * sizeof *run);
  }
  return rc;
}

/* Runs the flows until each set carries about what its streams do alone, or has settled. They have little and
 * much data in flight by turns: which of the two is lost less depends on the queues (gb_stream_fill). */
static int measure_round(gb_lead *l, gb_probe_flow *best, gb_probe_flow *run, uint32_t count, double seconds,
                         double until) {
  bool little = true, faster, limited = true;
  int rc = MPI_SUCCESS, settled = 0;
  while (rc == MPI_SUCCESS && limited && settled < GB_STREAM_SETTLED &&
         gb_lead_elapsed(l) + RUN * seconds <= until) {
    rc = run_again(l, best, run, count, little ? GB_STREAM_LITTLE : 1, seconds, &faster, &limited);
    settled = faster ? 0 : settled + 1;
    little = !little;
  }
  return rc;
}

int gb_lead_measure_flows(gb_lead *l, int *status, gbcast_error *err) {
  gb_probe_flow *run = calloc((size_t)l->flow_count + 1, sizeof *run);
  gb_probe_flow *best = calloc((size_t)l->flow_count + 1, sizeof *best);
  uint32_t *at = calloc((size_t)l->flow_count + 1, sizeof *at);
  int rc = MPI_SUCCESS;
  if (run == NULL || best == NULL || at == NULL)
    *status = gb_no_memory(err);
  for (uint32_t r = 0; rc == MPI_SUCCESS && *status == GBCAST_OK && r < l->flow_rounds; r++) {
    const double seconds = seconds_of(l, r), end = 0.95 * l->options->budget;
    const double enough = gb_lead_elapsed(l) + RUNS * RUN * seconds;
    const uint32_t count = take_round(l, r, best, at);
    if (count == 0 || enough > end)
      continue;
    gb_lead_say(l, "streams at the same time, round %u of %u, about %.0f s left", (unsigned)r + 1,
                (unsigned)l->flow_rounds, gb_lead_flow_seconds(l, r));
    rc = measure_round(l, best, run, count, seconds, fmax(enough, end - gb_lead_flow_seconds(l, r + 1)));
    for (uint32_t i = 0; i < count; i++)
      l->flow[at[i]] = best[i];
  }
  free(run);
  free(best);
  free(at);
  return rc;
}
