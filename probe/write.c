/* Writes the hosts file: the platform, with the measured values in place of its own. gbcast_platform_print()
 * writes hosts, switches and clusters; this file adds a comment to each cluster line, and the links. */
#include "probe/write.h"
#include "platform/platform.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const gb_probe_task *gb_task_of(const gb_probe_report *r, uint32_t from, uint32_t to, int *direction) {
  for (uint32_t i = 0; i < r->task_count; i++) {
    const gb_probe_task *t = &r->task[i];
    uint32_t a = r->platform->host[t->host[0]].cluster, b = r->platform->host[t->host[1]].cluster;
    if ((from == to ? t->table.count > 0 : gb_task_is_complete(t, 1)) &&
        ((a == from && b == to) || (a == to && b == from))) {
      *direction = a == from ? 0 : 1;
      return t;
    }
  }
  return NULL;
}

/* Whether the hosts of the pair are on one switch. Only then is their latency that of the cluster line. */
static bool on_one_switch(const gbcast_platform *p, const gb_probe_task *t) {
  return p->host[t->host[0]].sw == p->host[t->host[1]].sw;
}

/* Sets what the site's link to all others carries: wan-bandwidth, or bandwidth if the site has one host. */
static void set_own_link(const gb_probe_report *r, uint32_t c, gb_cluster *copy) {
  const double limit = gb_probe_site_limit(r, c);
  if (limit > 0 && copy->host_count > 1) {
    copy->wan_bandwidth = gb_probe_round(limit);
  } else if (limit > 0) {
    copy->bandwidth = gb_probe_round(limit);
    copy->assumed_bandwidth = false;
  }
}

/* Returns a copy of the clusters with the measured values, to be given to free(); NULL: out of memory. */
static gb_cluster *measured_clusters(const gb_probe_report *r) {
  const gbcast_platform *p = r->platform;
  gb_cluster *copy = malloc(sizeof *copy * p->cluster_count);
  for (uint32_t c = 0; copy != NULL && c < p->cluster_count; c++) {
    int direction;
    const gb_probe_task *t = gb_task_of(r, c, c, &direction);
    copy[c] = p->cluster[c];
    copy[c].plogp = (gb_plogp){0};
    set_own_link(r, c, &copy[c]);
    if (t == NULL)
      continue;
    gb_probe_line line = gb_probe_derive(&t->table, direction);
    copy[c].bandwidth = gb_probe_round(line.bandwidth);
    copy[c].assumed_bandwidth = false;
    copy[c].overhead = gb_probe_round(line.overhead);
    if (on_one_switch(p, t))
      copy[c].latency = gb_probe_round(line.latency);
  }
  return copy;
}

static void write_cluster_origin(const gb_probe_report *r, uint32_t c, FILE *out) {
  int direction;
  const gb_probe_task *t = gb_task_of(r, c, c, &direction);
  if (t != NULL) {
    const gb_probe_point *first = &t->table.point[0];
    gb_write_origin(r, t, &first->rtt, "gap", &first->gap[direction], direction, out);
    if (!on_one_switch(r->platform, t))
      (void)fputs("; across switches, so the latency is not changed", out);
    else
      gb_write_least(gb_probe_derive(&t->table, direction).latency, out);
  } else {
    (void)fprintf(out, "  # not measured: %s",
                  r->groups != NULL ? "defaults" : "as in the file that was given");
  }
  if (gb_probe_site_limit(r, c) > 0)
    (void)fprintf(out, "; %s from streams at once to and from other sites",
                  r->platform->cluster[c].host_count > 1 ? "wan-bandwidth" : "bandwidth");
}

/* Returns a copy of the switches, to be given to free(); NULL: out of memory. If the switches were found, the
 * latency of each cable is the default, half of the cluster's. */
static gb_switch *measured_switches(const gb_probe_report *r, const gb_cluster *cluster) {
  const gbcast_platform *p = r->platform;
  gb_switch *copy = malloc(sizeof *copy * (p->switch_count + (size_t)1));
  for (uint32_t i = 0; copy != NULL && cluster != NULL && i < p->switch_count; i++) {
    copy[i] = p->sw[i];
    if (r->groups != NULL)
      copy[i].latency = gb_probe_round(cluster[copy[i].cluster].latency / 2);
  }
  return copy;
}

/* Writes hosts, switches and clusters. The cluster lines are in the order of the clusters. */
static int write_structure(const gb_probe_report *r, FILE *out, gbcast_error *err) {
  gbcast_platform shown = *r->platform; /* without links: write_link() writes these */
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&text, &length);
  shown.cluster = measured_clusters(r);
  shown.sw = measured_switches(r, shown.cluster);
  shown.link_count = 0;
  shown.assumed_mesh = false;
  int status = memory == NULL || shown.cluster == NULL || shown.sw == NULL ? gb_no_memory(err) : GBCAST_OK;
  if (status == GBCAST_OK)
    status = gbcast_platform_print(&shown, memory) == GBCAST_OK ? GBCAST_OK : gb_no_memory(err);
  if (memory != NULL && fclose(memory) != 0 && status == GBCAST_OK)
    status = gb_no_memory(err);
  uint32_t c = 0;
  for (const char *line = text; status == GBCAST_OK && *line != '\0';) {
    size_t n = strcspn(line, "\n");
    (void)fwrite(line, 1, n, out);
    if (strncmp(line, "cluster ", 8) == 0)
      write_cluster_origin(r, c++, out);
    (void)fputc('\n', out);
    line += n + (line[n] == '\n');
  }
  free(text);
  free(shown.cluster);
  free(shown.sw);
  return status;
}

/* Writes bandwidth=, what several streams carry or one does, and stream-bandwidth= if one does not fill the
 * link although the links of the hosts could. If only one stream was measured, but the given file has
 * stream-bandwidth=, the bandwidth of the file is kept. *streams: of how many streams the bandwidth is. */
static void write_rates(const gb_probe_report *r, const gb_probe_task *t, double one, const gb_link *old,
                        uint32_t from, uint32_t to, uint32_t *streams, FILE *out) {
  const gb_probe_total together = gb_probe_total_of(r, from, to);
  double total = together.sum, host = INFINITY;
  *streams = together.streams;
  for (int end = 0; end < 2; end++) {
    int direction;
    const uint32_t site = r->platform->host[t->host[end]].cluster;
    const gb_probe_task *inside = gb_task_of(r, site, site, &direction);
    host = inside != NULL ? fmin(host, gb_probe_derive(&inside->table, direction).bandwidth) : host;
  }
  const bool known = *streams == 0 && old != NULL && isfinite(old->stream_bandwidth);
  const bool host_limits = GB_PROBE_CLOSE * one >= host; /* then it may be why one stream carries less */
  total = fmax(known ? old->bandwidth : total, one);
  gb_write_key_rate(out, "bandwidth", total);
  if (known || (total > GB_PROBE_CLOSE * one && !host_limits))
    gb_write_key_rate(out, "stream-bandwidth", one);
  *streams = total > one && !known ? *streams : 1;
}

/* Writes the line of a measured link. */
static void write_measured(const gb_probe_report *r, const gb_probe_task *t, int direction,
                           const gb_link *old, const char *ends, FILE *out) {
  gb_probe_line line = gb_probe_derive(&t->table, direction);
  uint32_t streams = 0;
  (void)fprintf(out, "link %s", ends);
  gb_write_key_time(out, "latency", line.latency);
  write_rates(r, t, line.bandwidth, old, r->platform->host[t->host[direction]].cluster,
              r->platform->host[t->host[1 - direction]].cluster, &streams, out);
  const bool windowed = old != NULL && isfinite(old->initial_window);
  if (windowed || r->window > 0)
    gb_print_size(out, "initial-window", windowed ? (uint64_t)old->initial_window : r->window);
  gb_write_key_time(out, "overhead", line.overhead);
  gb_write_origin(r, t, &t->table.point[0].rtt, "bandwidth of one stream", &t->table.rate[direction],
                  direction, out);
  if (streams > 1)
    (void)fprintf(out, ", bandwidth of %u streams at once", (unsigned)streams);
  if (!windowed && r->window > 0)
    (void)fputs(", initial-window by the settings of the system", out);
  gb_write_least(line.latency, out);
  (void)fputc('\n', out);
}

static void write_kept_link(const gb_probe_report *r, const gb_link *l, const char *ends, FILE *out) {
  gb_print_link(l, ends, out);
  (void)fprintf(out, "  # as in %s, not measured\n", r->platform->file);
  gb_write_kept(&l->plogp, ends, r->platform->file, out);
}

/* Writes a comment instead of a link that was not measured. gbcast-plan then names sites without a route. */
static void write_missing(double rough, const char *ends, FILE *out) {
  (void)fprintf(out, "# link %s", ends);
  if (rough > 0)
    gb_write_key_time(out, "latency", rough);
  (void)fputs(" bandwidth=?  # not measured: complete the line, or give a longer --budget\n", out);
}

static double rough_latency(const gb_probe_report *r, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < r->task_count; i++) {
    uint32_t a = r->platform->host[r->task[i].host[0]].cluster,
             b = r->platform->host[r->task[i].host[1]].cluster;
    if ((a == from && b == to) || (a == to && b == from))
      return r->task[i].rough;
  }
  return 0;
}

static void write_link(const gb_probe_report *r, uint32_t from, uint32_t to, FILE *out) {
  const gbcast_platform *p = r->platform;
  char ends[2 * 256 + 8];
  int direction;
  const gb_probe_task *t = gb_task_of(r, from, to, &direction);
  const gb_link *old = p->assumed_mesh ? NULL : gb_platform_link(p, from, to);
  (void)snprintf(ends, sizeof ends, "%s -> %s", p->cluster[from].name, p->cluster[to].name);
  if (t != NULL)
    write_measured(r, t, direction, old, ends, out);
  else if (old != NULL)
    write_kept_link(r, old, ends, out);
  else if (p->assumed_mesh)
    write_missing(rough_latency(r, from, to), ends, out);
}

int gb_probe_write(const gb_probe_report *r, FILE *out, gbcast_error *err) {
  const gbcast_platform *p = r->platform;
  gb_write_header(r, out);
  int status = write_structure(r, out, err);
  if (status != GBCAST_OK)
    return status;
  for (uint32_t c = 0; c < p->cluster_count; c++) {
    int direction;
    const gb_probe_task *t = gb_task_of(r, c, c, &direction);
    if (t != NULL)
      gb_write_points(r, t, direction, p->cluster[c].name, out);
    else
      gb_write_kept(&p->cluster[c].plogp, p->cluster[c].name, p->file, out);
  }
  for (uint32_t from = 0; from < p->cluster_count; from++)
    for (uint32_t to = 0; to < p->cluster_count; to++)
      if (from != to)
        write_link(r, from, to, out);
  if (fflush(out) != 0 || ferror(out))
    return gb_fail(err, GBCAST_EINPUT, "cannot write the hosts file");
  return GBCAST_OK;
}
