/* --live of gbcast-plan. */
#ifndef GB_TOOLS_LIVE_H
#define GB_TOOLS_LIVE_H

#include <gbcast/platform.h>

/* Lays the values of any source (nws://HOST[:PORT], file:PATH, -) over the platform, as gbcast_platform_live
 * does those of files. */
int lay_live(gbcast_platform *platform, const char *source, double max_age, gbcast_error *err);

#endif
