/* What a name server's sensors have measured, as live values of links. */
#ifndef GB_NWS_CLIENT_WEATHER_H
#define GB_NWS_CLIENT_WEATHER_H

#include "nws/client/settings.h"
#include "nws/client/survey.h"
#include "platform/live.h"

typedef struct gb_nws_weather gb_nws_weather;

/* `source` is "nws://host[:port]". Nothing is asked yet. Bad lines of ~/.nwsrc, which may tell ports, go to
 * `tell` (may be NULL). GBCAST_EUSAGE: no such source; GBCAST_EINPUT: a setting is no port. */
int gb_nws_weather_open(const char *source, gb_nws_tell *tell, void *context, gb_nws_weather **out,
                        gbcast_error *err);
void gb_nws_weather_close(gb_nws_weather *w);
const char *gb_nws_weather_source(const gb_nws_weather *w);

/* Asks for at most `seconds`, and adds all that is known by then to `live`; `clock` is the time in s since
 * 1970, that ages are told against. When the time is up, the next call goes on from there, and what was known
 * before is given again, older. GBCAST_EINPUT: nothing is known, and why. */
int gb_nws_weather_look(gb_nws_weather *w, double seconds, double clock, gb_live *live, gbcast_error *err);

/* Why something is missing of what the last call gave; NULL: nothing is. */
const char *gb_nws_weather_trouble(const gb_nws_weather *w);

/* The part without I/O: what the survey knows. GBCAST_EMEMORY. */
int gb_nws_weather_values(const gb_survey *survey, double clock, gb_live *live, gbcast_error *err);

#endif
