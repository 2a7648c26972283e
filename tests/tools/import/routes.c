/* A platform as gbcast-import reads it, against SimGrid itself: latency and bandwidth between each two sites,
 * and inside them.
 *
 *   routes PLATFORM.xml */
#include "tools/import/import.h"

#include <math.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdlib.h>

typedef struct {
  unsigned paths, wrong;
} tally;

static void compare(tally *t, const char *from, const char *to, double latency, double bandwidth) {
  const sg_host_t a = sg_host_by_name(from), b = sg_host_by_name(to);
  const double their_latency = sg_host_get_route_latency(a, b),
               their_bandwidth = sg_host_get_route_bandwidth(a, b);
  t->paths++;
  if (fabs(latency - their_latency) <= 1e-9 * their_latency &&
      fabs(bandwidth - their_bandwidth) <= 1e-9 * their_bandwidth)
    return;
  t->wrong++;
  printf("%s -> %s: %.12g s, %.12g B/s, but SimGrid has %.12g s, %.12g B/s\n", from, to, latency, bandwidth,
         their_latency, their_bandwidth);
}

static const char *host_of(const gb_import *m, uint32_t site, uint32_t number) {
  for (uint32_t h = 0; h < m->host_count; h++)
    if (m->host[h].site == site && number-- == 0)
      return m->host[h].name;
  return NULL;
}

int main(int argc, char **argv) {
  gb_import m = {0};
  gb_import_reader *reader = NULL;
  gbcast_error err = {""};
  char *text = NULL;
  size_t length = 0;
  tally t = {0};
  if (argc != 2 ||
      gb_read_file(argv[1], &(gb_place){argv[1], 1, 1}, NULL, &text, &length, &err) != GBCAST_OK ||
      gb_import_find_format("simgrid", &reader, &err) != GBCAST_OK ||
      reader(&m, argv[1], text, length, &err) != GBCAST_OK) {
    printf("%s\n", err.message);
    return 2;
  }
  int count = 2;
  char *arguments[] = {argv[0], (char[]){"--log=root.thresh:error"}, NULL};
  simgrid_init(&count, arguments);
  simgrid_load_platform(argv[1]);
  simgrid_run(); /* nothing, but with it routes are there */
  for (uint32_t i = 0; i < m.link_count; i++) {
    const gb_import_link *l = &m.link[i];
    compare(&t, host_of(&m, l->from, 0), host_of(&m, l->to, 0), l->latency, l->bandwidth);
    if (l->both)
      compare(&t, host_of(&m, l->to, 0), host_of(&m, l->from, 0), l->latency, l->bandwidth);
  }
  for (uint32_t s = 0; s < m.site_count; s++)
    if (m.site[s].hosts > 1)
      compare(&t, host_of(&m, s, 0), host_of(&m, s, 1), m.site[s].latency, m.site[s].bandwidth);
  printf("%u paths, %u wrong\n", t.paths, t.wrong);
  gb_import_release(&m);
  free(text);
  return t.paths > 0 && t.wrong == 0 ? 0 : 1;
}
