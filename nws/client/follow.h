/* Keeps a survey's series of one memory up to date by a subscription. When the connection ends it reconnects
 * after a pause, fetches what was stored since the last known sequence number, and subscribes again. */
#ifndef GB_NWS_CLIENT_FOLLOW_H
#define GB_NWS_CLIENT_FOLLOW_H

#include "nws/client/survey.h"

typedef struct gb_follow {
  gb_survey *survey; /* owner of the series; outlives this */
  gb_nws_address memory;
  gb_client client; /* to be served */
  bool missed;      /* a fetch failed: the subscription alone would leave a gap */
  double pause;     /* s before the next attempt: doubles with each that fails */
} gb_follow;

void gb_follow_init(gb_follow *f, gb_survey *survey, const gb_nws_address *memory);
void gb_follow_release(gb_follow *f);

/* Begins, or begins again with the survey's current series. False: out of memory. */
bool gb_follow_begin(gb_follow *f);

#endif
