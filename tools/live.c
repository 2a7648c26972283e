/* --live of gbcast-plan: files and standard input are read here, a weather service is asked. */
#include "live.h"
#include "platform/overlay.h"

#include <string.h>
#include <time.h>

int lay_live(gbcast_platform *platform, const char *source, double max_age, gbcast_error *err) {
  struct timespec now;
  if (strncmp(source, "nws://", 6) == 0) {
    return gb_fail(err, GBCAST_EUSAGE, "--live=%s is not available in this version", source);
  }
  (void)clock_gettime(CLOCK_REALTIME, &now);
  return gbcast_platform_live(platform, source, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec, max_age,
                              err);
}
