/* A live file: it is read or refused with its place, and laid over a platform it leaves links that can be
 * planned on. */
#include "fuzz.h"

#include "platform/overlay.h"
#include "platform/units.h"

#include <math.h>
#include <string.h>

static const char linked[] =
    "cluster a wan-bandwidth=20Mbit/s\na0.a\na1.a:2\ncluster b\nb0\n[fe80::1]\ncluster c\nc0\n"
    "link a b latency=10ms bandwidth=100Mbit/s injection=1ms stream-bandwidth=40Mbit/s\n"
    "link b c latency=1ms bandwidth=1Gbit/s\n"
    "plogp a b size=1k gap=1ms latency=11ms\nplogp b -> c size=64k gap=20ms latency=1ms\n";
static const char assumed[] = "a0.a\na1.a\nb0.b\nc0.c\n10.0.0.1\n";

static void check_platform(const gbcast_platform *p) {
  for (uint32_t i = 0; i < p->link_count; i++) {
    const gb_link *l = &p->link[i];
    must(l->latency >= GB_LEAST_TIME && l->latency <= GB_MOST_TIME);
    must(l->bandwidth >= GB_LEAST_RATE && l->bandwidth <= GB_MOST_RATE);
    must(l->stream_bandwidth == INFINITY || l->stream_bandwidth <= l->bandwidth);
    for (uint32_t k = 0; k < l->plogp.count; k++)
      must(l->plogp.point[k].latency >= 0 && isfinite(l->plogp.point[k].latency));
  }
  char *text = NULL;
  size_t length = 0;
  gbcast_platform *again = NULL;
  FILE *out = open_memstream(&text, &length);
  must(out != NULL && gbcast_platform_print(p, out) == GBCAST_OK);
  must(gbcast_platform_print_live(p, out) == GBCAST_OK);
  (void)fclose(out);
  char *table = strstr(text, "\nLive values of ");
  must(table != NULL);
  must(gbcast_platform_parse(text, (size_t)(table - text), "printed", &again, NULL) == GBCAST_OK);
  must(again->link_count == p->link_count);
  gbcast_platform_free(again);
  free(text);
}

static void lay(const char *hosts, const gb_live *live) {
  gbcast_platform *p = NULL;
  must(gbcast_platform_parse(hosts, strlen(hosts), "hosts", &p, NULL) == GBCAST_OK);
  must(gb_live_lay(p, live, GB_LIVE_MAX_AGE, NULL) == GBCAST_OK);
  check_platform(p);
  gbcast_platform_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gb_live live = {.source = "file:live"};
  gbcast_error err = {""};
  int status = gb_live_parse(&live, (const char *)data, size, "live", 1e9, &err);
  must(status == GBCAST_OK || (status == GBCAST_EINPUT && strncmp(err.message, "live:", 5) == 0));
  if (status == GBCAST_OK) {
    lay(linked, &live);
    lay(assumed, &live);
  }
  gb_live_release(&live);
  return 0;
}
