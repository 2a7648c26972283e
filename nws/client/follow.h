/* Keeps a survey's series of one memory up to date by a subscription. Whenever the connection ends, it is
 * made anew after a pause; what was stored meanwhile is fetched, by the sequence number of the last store
 * seen, and then the subscription begins again. */
#ifndef GB_NWS_CLIENT_FOLLOW_H
#define GB_NWS_CLIENT_FOLLOW_H

#include "nws/client/survey.h"

typedef struct gb_follow {
  gb_survey *survey; /* whose series these are; outlives this */
  gb_nws_address memory;
  gb_client client; /* to be served */
  bool missed;      /* a series could not be fetched: the subscription alone would leave a gap */
  double pause;     /* s before the next attempt: doubles with each that fails */
} gb_follow;

void gb_follow_init(gb_follow *f, gb_survey *survey, const gb_nws_address *memory);
void gb_follow_release(gb_follow *f);

/* Begins, or begins again with the series that the survey has by now. False: out of memory. */
bool gb_follow_begin(gb_follow *f);

#endif
