/* Hosts inside their sites: the host that leads a site, and hosts that are far from the others. */
#include "platform/text/text.h"
#include "probe/lead.h"

#include <math.h>
#include <stdlib.h>

uint32_t gb_lead_site_leader(const gb_lead *l, uint32_t site) {
  const gb_cluster *c = &l->platform->cluster[site];
  uint32_t leader = gb_platform_leader(l->platform, site);
  if (l->host_rank[leader] >= 0)
    return leader;
  for (uint32_t i = 0; i < c->host_count; i++) {
    uint32_t h = l->platform->host_of_cluster[c->host_start + i];
    if (l->host_rank[h] >= 0)
      return h;
  }
  return GB_NONE;
}

/* Measures the leader against up to GB_NEAR_MOST hosts from host_of_cluster[*at] on; moves *at past them. */
static int check_some(gb_lead *l, uint32_t leader, uint32_t *at, uint32_t end, double seconds) {
  gb_order order = {.kind = GB_ORDER_NEAR, .above = INFINITY, .seconds = seconds};
  uint32_t host[GB_NEAR_MOST] = {0};
  gb_report report = {0};
  for (; *at < end && order.count < GB_NEAR_MOST; (*at)++) {
    uint32_t h = l->platform->host_of_cluster[*at];
    if (h == leader || l->host_rank[h] < 0)
      continue;
    host[order.count] = h;
    order.peer[order.count++] = l->host_rank[h];
  }
  if (order.count == 0)
    return MPI_SUCCESS;
  int rc = gb_lead_near(l, l->host_rank[leader], &order, &report);
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < report.count && i < order.count; i++)
    l->host_near[host[i]] = report.near[i];
  return rc;
}

int gb_lead_check_hosts(gb_lead *l) {
  const gbcast_platform *p = l->platform;
  const double share = 0.15 * l->options->budget;
  int rc = MPI_SUCCESS;
  for (uint32_t c = 0; rc == MPI_SUCCESS && c < p->cluster_count; c++) {
    uint32_t leader = gb_lead_site_leader(l, c);
    uint32_t at = p->cluster[c].host_start, end = at + p->cluster[c].host_count;
    gb_lead_say(l, "hosts of %s", p->cluster[c].name);
    while (rc == MPI_SUCCESS && leader != GB_NONE && at < end && gb_lead_elapsed(l) < share)
      rc = check_some(l, leader, &at, end, fmin(share - gb_lead_elapsed(l), GB_LEAD_NEAR_MOST));
  }
  return rc;
}

/* Notes the outliers of one site, and how many of its hosts have no rank. `host`, `value` and `outlier` have
 * room for all of its hosts. */
static int note_site(gb_lead *l, uint32_t c, uint32_t *host, double *value, bool *outlier,
                     gbcast_error *err) {
  const gbcast_platform *p = l->platform;
  const gb_cluster *cluster = &p->cluster[c];
  gb_median usual;
  uint32_t count = 0, silent = 0;
  for (uint32_t i = 0; i < cluster->host_count; i++) {
    uint32_t h = p->host_of_cluster[cluster->host_start + i];
    silent += l->host_rank[h] < 0;
    if (l->host_near[h] <= 0)
      continue;
    host[count] = h;
    value[count++] = l->host_near[h];
  }
  if (silent > 0)
    (void)fprintf(l->notes, "# %s: %u of its %u hosts take no part, since they have no rank\n", cluster->name,
                  (unsigned)silent, (unsigned)cluster->host_count);
  int status = gb_outliers(value, count, outlier, &usual, err);
  for (uint32_t i = 0; status == GBCAST_OK && i < count; i++) {
    char own[GB_UNIT_TEXT], others[GB_UNIT_TEXT];
    if (!outlier[i])
      continue;
    gb_write_time(own, gb_probe_round(value[i]));
    gb_write_time(others, gb_probe_round(usual.value));
    (void)fprintf(l->notes, "# outlier: %s has a latency of %s to the leader of %s; the median is %s\n",
                  p->host[host[i]].name, own, cluster->name, others);
    if (!l->options->quiet) {
      gb_lead_say(l, "%s", "");
      fprintf(stderr, "gbcast-probe: outlier: %s has a latency of %s to the leader of %s; the median is %s\n",
              p->host[host[i]].name, own, cluster->name, others);
    }
  }
  return status;
}

int gb_lead_note_outliers(gb_lead *l, gbcast_error *err) {
  uint32_t hosts = l->platform->host_count;
  uint32_t *host = malloc(sizeof *host * hosts);
  double *value = malloc(sizeof *value * hosts);
  bool *outlier = malloc(sizeof *outlier * hosts);
  int status = host == NULL || value == NULL || outlier == NULL ? gb_no_memory(err) : GBCAST_OK;
  for (uint32_t c = 0; status == GBCAST_OK && c < l->platform->cluster_count; c++)
    status = note_site(l, c, host, value, outlier, err);
  free(host);
  free(value);
  free(outlier);
  return status;
}
