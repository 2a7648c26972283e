/* GBCAST_LIVE: what live values say about the links now. */
#include "mpi/live.h"
#include <string.h>
#include <time.h>

static int read_source(gb_live *live, gbcast_error *err) {
  struct timespec now;
  if (strncmp(live->source, "nws://", 6) == 0)
    return gb_fail(err, GBCAST_EINPUT, "%s: weather services are not available in this version",
                   live->source);
  if (strcmp(live->source, "-") == 0) /* belongs to the program */
    return gb_fail(err, GBCAST_EUSAGE, "GBCAST_LIVE=-: expected file:PATH or nws://HOST[:PORT]");
  (void)clock_gettime(CLOCK_REALTIME, &now);
  return gb_live_read(live, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec, err);
}

int gb_live_find(const gb_settings *settings, const gbcast_platform *p, gb_weather *out, gbcast_error *err) {
  *out = (gb_weather){0};
  err->message[0] = '\0';
  if (settings->live == NULL)
    return GBCAST_OK;
  gb_live live = {.source = settings->live};
  int status = read_source(&live, err);
  if (status == GBCAST_EINPUT) { /* half of a file is none */
    gb_live_release(&live);
    status = GBCAST_OK;
  }
  if (status == GBCAST_OK)
    status = gb_weather_find(p, &live, settings->max_age, out, err);
  gb_live_release(&live);
  return status;
}
