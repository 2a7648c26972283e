/* A live file: it is read, its wrong lines are left out with their places, and laid over a platform it leaves
 * links that can be planned on. */
#include "planned.h"

#include "platform/live/live.h"

static const char linked[] =
    "cluster a wan-bandwidth=20Mbit/s\na0.a\na1.a:2\ncluster b\nb0\n[fe80::1]\ncluster c\nc0\n"
    "link a b latency=10ms bandwidth=100Mbit/s injection=1ms stream-bandwidth=40Mbit/s\n"
    "link b c latency=1ms bandwidth=1Gbit/s\n"
    "plogp a b size=1k gap=1ms latency=11ms\nplogp b -> c size=64k gap=20ms latency=1ms\n";
static const char assumed[] = "a0.a\na1.a\nb0.b\nc0.c\n10.0.0.1\n";

static void lay(const char *hosts, const gb_live *live) {
  gbcast_platform *p = NULL;
  must(gbcast_platform_parse(hosts, strlen(hosts), "hosts", &p, NULL) == GBCAST_OK);
  must(gb_live_overlay(p, live, GB_LIVE_MAX_AGE, NULL) == GBCAST_OK);
  must_hold(p);
  gbcast_platform_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gb_live live = {.source = "file:live"};
  gbcast_error err = {""};
  int status = gb_live_parse(&live, (const char *)data, size, "live", 1e9, &err);
  must(status == GBCAST_OK && (live.left_out == 0 || strncmp(live.first, "live:", 5) == 0));
  lay(linked, &live);
  lay(assumed, &live);
  gb_live_release(&live);
  return 0;
}
