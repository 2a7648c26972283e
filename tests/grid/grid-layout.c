/* What grid-up builds from a hosts file: a plain list, one thing a line, everything numbered from 0. Rates in
 * bit/s, times in ns; `-` stands for "none" and "no limit".
 *
 *     grid-layout HOSTS
 *     site N RATE NAME              RATE: of the cable that all its traffic to other sites shares
 *     switch N SITE UPLINK RATE     UPLINK: a switch, or - for the core of the site; RATE: of the cable to it
 *     host N SITE SWITCH RATE SLOTS NAME
 *     link FROM TO DELAY RATE       one direction, between two sites
 *     path FROM TO NEXT DELAY RATE  by which site packets leave; RATE: what one TCP stream gets on the way */
#include "platform/cost/cost.h"
#include "platform/platform.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* 1 bit/s to 1 Tbit/s: what tc reads. */
static void print_rate(double bytes_a_second) {
  double bits = 8 * bytes_a_second;
  if (isinf(bits))
    printf(" -");
  else
    printf(" %.0f", bits < 1 ? 1.0 : bits > 1e12 ? 1e12 : bits);
}

static void print_index(uint32_t index) {
  if (index == GB_NONE)
    printf(" -");
  else
    printf(" %" PRIu32, index);
}

static void print_sites(const gbcast_platform *p) {
  for (uint32_t c = 0; c < p->cluster_count; c++) {
    printf("site %" PRIu32, c);
    print_rate(p->cluster[c].wan_bandwidth);
    printf(" %s\n", p->cluster[c].name);
  }
}

/* Only traffic to other sites would cross the cable of a switch that all hosts of its site are below, and to
 * that the switches' cables do not count (design, "What a message costs"). */
static bool is_core(const gbcast_platform *p, const gb_switch *sw) {
  const gb_cluster *cluster = &p->cluster[sw->cluster];
  return sw->uplink == GB_NONE && cluster->top_count == 1 && !cluster->has_loose_hosts;
}

static void print_switches(const gbcast_platform *p) {
  for (uint32_t s = 0; s < p->switch_count; s++) {
    const gb_switch *sw = &p->sw[s];
    printf("switch %" PRIu32 " %" PRIu32, s, sw->cluster);
    print_index(sw->uplink);
    print_rate(is_core(p, sw) ? INFINITY : sw->bandwidth);
    printf("\n");
  }
}

static void print_hosts(const gbcast_platform *p) {
  for (uint32_t h = 0; h < p->host_count; h++) {
    const gb_host *host = &p->host[h];
    printf("host %" PRIu32 " %" PRIu32, h, host->cluster);
    print_index(host->sw);
    print_rate(p->cluster[host->cluster].bandwidth);
    printf(" %" PRIu32 " %s\n", host->slots, host->name);
  }
}

static void print_links(const gbcast_platform *p) {
  for (uint32_t from = 0; from < p->cluster_count; from++)
    for (uint32_t to = 0; to < p->cluster_count; to++) {
      const gb_link *link = gb_platform_link(p, from, to);
      if (link == NULL)
        continue;
      printf("link %" PRIu32 " %" PRIu32 " %.0f", from, to, 1e9 * link->latency);
      print_rate(link->bandwidth);
      printf("\n");
    }
}

static void print_path(const gbcast_platform *p, uint32_t from, uint32_t to, const uint32_t *prev) {
  uint32_t next = to;
  double latency = 0, stream = INFINITY;
  bool direct = gb_platform_link(p, from, to) != NULL; /* even where a detour has less latency */
  for (uint32_t site = to; site != from; next = site, site = direct ? from : prev[site]) {
    const gb_link *link = gb_platform_link(p, direct ? from : prev[site], site);
    latency += link->latency;
    stream = fmin(stream, link->stream_bandwidth);
  }
  printf("path %" PRIu32 " %" PRIu32 " %" PRIu32 " %.0f", from, to, next, 1e9 * latency);
  print_rate(stream);
  printf("\n");
}

static int print_paths(const gbcast_platform *p, gbcast_error *err) {
  uint32_t *prev = malloc(p->cluster_count * sizeof *prev);
  int status = prev == NULL ? gb_no_memory(err) : GBCAST_OK;
  for (uint32_t from = 0; status == GBCAST_OK && from < p->cluster_count; from++) {
    status = gb_route_row(p, from, prev, NULL, err);
    for (uint32_t to = 0; status == GBCAST_OK && to < p->cluster_count; to++) {
      if (to == from)
        continue;
      if (prev[to] == GB_NONE)
        status = gb_fail_at(err, &p->cluster[to].where, "no links lead from '%s' to '%s'",
                            p->cluster[from].name, p->cluster[to].name);
      else
        print_path(p, from, to, prev);
    }
  }
  free(prev);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: grid-layout HOSTS\n");
    return 2;
  }
  gbcast_platform *p = NULL;
  gbcast_error err = {0};
  int status = gbcast_platform_read(argv[1], &p, &err);
  if (status == GBCAST_OK) {
    print_sites(p);
    print_switches(p);
    print_hosts(p);
    print_links(p);
    status = print_paths(p, &err);
  }
  if (status != GBCAST_OK)
    fprintf(stderr, "%s\n", err.message);
  gbcast_platform_free(p);
  if (fflush(stdout) != 0) {
    perror("grid-layout");
    return 1;
  }
  return status == GBCAST_OK ? 0 : 1;
}
