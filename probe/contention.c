/* Measures how much longer messages take where many of them meet: contention= of a cluster line.
 *
 * All hosts of a site, up to GB_NEAR_MOST of them, send each other a block of 16 KiB at the same time. For
 * that block the time which gbcast-plan predicts for the scheme at-once is linear in contention=
 * (plan/alltoall/time.c). So the value of contention= that makes it predict the measured time is
 *
 *     c = (T - T0) / (T1 - T0)     T: measured; T0, T1: predicted with contention=0 and contention=1
 *
 * and 0 if the exchange was faster than T0. */
#include "gbcast/plan.h"
#include "probe/lead.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS_LEAST = 3 }; /* between two hosts no messages meet */
static const uint64_t BLOCK = 16384;
static const double SLOWER = 4;  /* time for the exchanges, as a multiple of what the links alone need */
static const double UNKNOWN = 1; /* s for all exchanges of a site that has no table yet */
/* contention=1 makes the predicted time at least this many round trips of the smallest message longer. So an
 * error of one round trip in the hosts' own work changes contention= by no more than 1/16. */
static const double TRIPS_LEAST = 16;
static const double MOST = 100; /* that a hosts file may have */

/* Sets host[] to the hosts of a site that take part. Returns how many; 0: there are too few. */
static uint32_t hosts_of(const gb_lead *l, uint32_t site, uint32_t host[GB_NEAR_MOST]) {
  const gb_cluster *c = &l->platform->cluster[site];
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->host_count && count < GB_NEAR_MOST; i++) {
    const uint32_t h = l->platform->host_of_cluster[c->host_start + i];
    if (l->host_rank[h] >= 0)
      host[count++] = h;
  }
  return count >= HOSTS_LEAST ? count : 0;
}

/* The measured table of a site, or NULL. */
static const gb_probe_table *table_of(const gb_lead *l, uint32_t site) {
  const gb_probe_task *t = gb_lead_pair_of(l, site, site);
  return t != NULL && t->table.count > 0 ? &t->table : NULL;
}

/* About how long the exchanges of a site take (s). */
static double seconds_of(const gb_lead *l, uint32_t site) {
  uint32_t host[GB_NEAR_MOST];
  const uint32_t hosts = hosts_of(l, site, host);
  const gb_probe_table *table = table_of(l, site);
  if (hosts == 0)
    return 0;
  return table == NULL ? UNKNOWN
                       : SLOWER * (GB_EXCHANGES + 1) * (hosts - 1) * (double)BLOCK /
                             gb_probe_derive(table, 0).bandwidth;
}

double gb_lead_contention_seconds(const gb_lead *l) {
  double sum = 0;
  for (uint32_t c = 0; c < l->platform->cluster_count; c++)
    sum += seconds_of(l, c);
  return sum;
}

const char *gb_lead_contention_left_out(const gb_lead *l) {
  uint32_t host[GB_NEAR_MOST];
  for (uint32_t c = 0; l->exchange != NULL && c < l->platform->cluster_count; c++)
    if (l->exchange[c] <= 0 && hosts_of(l, c, host) > 0)
      return l->platform->cluster[c].name;
  return NULL;
}

static void take_longer(double seconds[GB_EXCHANGES], const gb_report *report) {
  for (int i = 0; i < GB_EXCHANGES; i++)
    seconds[i] = gb_larger(seconds[i], report->exchange[i]);
}

/* Has the hosts exchange blocks. An exchange lasts until its slowest rank is done. Its mean time counts, not
 * the median: where messages are lost now and then, some exchanges take much longer than the others. */
static int exchange(gb_lead *l, const uint32_t *host, uint32_t count, double seconds, double *mean) {
  gb_order order = {.kind = GB_ORDER_EXCHANGE, .count = count, .bytes = BLOCK, .seconds = seconds};
  gb_report report = {0};
  double longest[GB_EXCHANGES] = {0}, sum = 0;
  uint32_t others = 0;
  int rc = MPI_SUCCESS;
  for (uint32_t i = 0; i < count; i++)
    order.peer[i] = l->host_rank[host[i]];
  for (uint32_t i = 0; i < count && rc == MPI_SUCCESS; i++)
    if (order.peer[i] != 0) {
      rc = gb_send_order(l->x, order.peer[i], &order);
      others++;
    }
  if (rc == MPI_SUCCESS && others < count) {
    rc = gb_measure_exchange(l->x, &order, &report);
    take_longer(longest, &report);
  }
  gb_watchdog_expect(l->x->watch, gb_order_patience(seconds),
                     "gbcast-probe: no answer: a host of %s has died or cannot be reached",
                     l->platform->cluster[l->platform->host[host[0]].cluster].name);
  for (; rc == MPI_SUCCESS && others > 0; others--) {
    int source;
    rc = gb_lead_await_report(l, &report, &source);
    if (rc == MPI_SUCCESS)
      take_longer(longest, &report);
  }
  gb_watchdog_rest(l->x->watch);
  for (int i = 0; i < GB_EXCHANGES; i++)
    sum += longest[i];
  *mean = sum / GB_EXCHANGES;
  return rc;
}

int gb_lead_measure_contention(gb_lead *l, int *status, gbcast_error *err) {
  int rc = MPI_SUCCESS;
  l->exchange = calloc(l->platform->cluster_count, sizeof *l->exchange);
  if (l->exchange == NULL)
    *status = gb_no_memory(err);
  for (uint32_t c = 0; *status == GBCAST_OK && rc == MPI_SUCCESS && c < l->platform->cluster_count; c++) {
    uint32_t host[GB_NEAR_MOST];
    const uint32_t hosts = hosts_of(l, c, host);
    const double seconds = seconds_of(l, c);
    if (hosts == 0 || table_of(l, c) == NULL || gb_lead_elapsed(l) + seconds > 0.95 * l->options->budget)
      continue;
    gb_lead_say(l, "exchanges among %u hosts of %s", (unsigned)hosts, l->platform->cluster[c].name);
    rc = exchange(l, host, hosts, seconds, &l->exchange[c]);
  }
  return rc;
}

/* Sets *seconds to what is predicted for the exchange if contention= has this value in the measured file. */
static int predict(gbcast_platform *measured, uint32_t site, const uint32_t *ranks, double contention,
                   double *seconds, gbcast_error *err) {
  const gbcast_request request = {
      .operation = GBCAST_ALLTOALL, .bytes = BLOCK, .sync = "at-once", .ranks = ranks, .chosen_only = true};
  gbcast_plan *plan = NULL;
  measured->cluster[site].contention = contention;
  const int status = gbcast_plan_make(measured, &request, &plan, err);
  *seconds = status == GBCAST_OK ? gbcast_plan_predicted(plan) : 0;
  gbcast_plan_free(plan);
  return status;
}

/* Sets *contention for a site whose exchanges were measured, and *known, unless the links are too fast for
 * that. `ranks` has room for all hosts. */
static int fit(const gb_lead *l, gbcast_platform *measured, uint32_t site, uint32_t *ranks,
               double *contention, bool *known, gbcast_error *err) {
  uint32_t host[GB_NEAR_MOST];
  const uint32_t hosts = hosts_of(l, site, host);
  double none = 0, full = 0;
  memset(ranks, 0, sizeof *ranks * measured->host_count);
  for (uint32_t i = 0; i < hosts; i++)
    ranks[gb_platform_find_host(measured, l->platform->host[host[i]].name)] = 1;
  int status = predict(measured, site, ranks, 0, &none, err);
  if (status == GBCAST_OK)
    status = predict(measured, site, ranks, 1, &full, err);
  if (status != GBCAST_OK || full - none < TRIPS_LEAST * table_of(l, site)->point[0].rtt.value)
    return status;
  const double c = (l->exchange[site] - none) / (full - none);
  *contention = round(100 * gb_larger(0, gb_smaller(c, MOST))) / 100;
  *known = true;
  return status;
}

int gb_lead_set_contention(gb_lead *l, gbcast_error *err) {
  gbcast_platform *p = l->platform, *measured = NULL;
  bool any = false, known = false;
  for (uint32_t c = 0; c < p->cluster_count; c++)
    any |= l->exchange[c] > 0;
  if (!any)
    return GBCAST_OK;
  uint32_t *ranks = malloc(sizeof *ranks * p->host_count);
  int status = ranks != NULL ? gb_lead_parse_measured(l, &measured, err) : gb_no_memory(err);
  for (uint32_t c = 0; status == GBCAST_OK && c < p->cluster_count; c++)
    if (l->exchange[c] > 0)
      status = fit(l, measured, c, ranks, &p->cluster[c].contention, &known, err);
  if (status == GBCAST_OK && known)
    (void)fprintf(
        l->notes,
        "# contention= is chosen so that gbcast-plan predicts, for an all-to-all of 16 KiB blocks with "
        "--sync=at-once, the measured time: the mean of %d exchanges among the hosts of a site\n",
        GB_EXCHANGES);
  gbcast_platform_free(measured);
  free(ranks);
  return status;
}
