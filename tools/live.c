/* --live of gbcast-plan: files and standard input are read here, a weather service is asked. */
#include "live.h"
#include "nws/client/client.h"
#include "platform/live/live.h"

#include <time.h>

#define SECONDS_MOST 10.0 /* that a weather service may take */

static void tell(void *context, const char *message) {
  (void)context;
  fprintf(stderr, "%s\n", message);
}

static int ask_service(gbcast_platform *platform, const char *source, double now, double max_age,
                       gbcast_error *err) {
  gb_nws_weather *service = NULL;
  gb_live live = {.source = source};
  int status = gb_nws_weather_open(source, tell, NULL, &service, err);
  if (status == GBCAST_OK) {
    status = gb_nws_weather_look(service, SECONDS_MOST, now, &live, err);
  }
  if (status == GBCAST_OK && gb_nws_weather_trouble(service) != NULL) {
    fprintf(stderr, "gbcast-plan: %s: %s\n", source, gb_nws_weather_trouble(service));
  }
  if (status == GBCAST_OK) {
    status = gb_live_overlay(platform, &live, max_age, err);
  } else if (status != GBCAST_EMEMORY) {
    gbcast_error why = *err;
    status = gb_fail(err, status, "--live=%s: %s", source, why.message);
  }
  gb_live_release(&live);
  gb_nws_weather_close(service);
  return status;
}

enum { TOLD_MOST = 20 }; /* lines */

static void tell_line(void *context, const char *message) {
  const gb_live *live = context;
  if (live->left_out <= TOLD_MOST) {
    fprintf(stderr, "%s; this line is left out\n", message);
  }
}

static int read_file(gbcast_platform *platform, const char *source, double now, double max_age,
                     gbcast_error *err) {
  gb_live live = {.source = source, .report = tell_line, .context = &live};
  int status = gb_live_read(&live, now, err);
  if (live.left_out > TOLD_MOST) {
    fprintf(stderr, "gbcast-plan: %u more lines of %s are left out\n", (unsigned)(live.left_out - TOLD_MOST),
            source);
  }
  if (status == GBCAST_OK) {
    status = gb_live_overlay(platform, &live, max_age, err);
  }
  gb_live_release(&live);
  return status;
}

int lay_live(gbcast_platform *platform, const char *source, double max_age, gbcast_error *err) {
  struct timespec clock;
  (void)clock_gettime(CLOCK_REALTIME, &clock);
  double now = (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
  if (gb_live_service(source) != NULL) {
    return ask_service(platform, source, now, max_age, err);
  }
  return read_file(platform, source, now, max_age, err);
}
