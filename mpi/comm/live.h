/* GBCAST_LIVE: what live values say about the links now. Rank 0 only; the others are sent what it found. */
#ifndef GB_MPI_COMM_LIVE_H
#define GB_MPI_COMM_LIVE_H

#include "mpi/comm/settings.h"
#include "nws/client/client.h"
#include "platform/live/live.h"

#define GB_LIVE_SECONDS 0.05 /* that a weather service may take of a call */

/* Reads the source and fills `out` for the platform as the hosts file has it; without GBCAST_LIVE nothing is
 * read and out->source is NULL. May be called again at any time. A source that cannot be read is no failure:
 * nothing is found then, and err->message says why (else it is empty). GBCAST_EUSAGE: no such kind of source;
 * GBCAST_EMEMORY.
 *
 * *service is what a weather service has said until now: it goes on from there, for no longer than
 * GB_LIVE_SECONDS. NULL at first; opened when the source is one, and closed when it is another. */
int gb_live_find(const gb_settings *settings, const gbcast_platform *p, gb_nws_weather **service,
                 gb_weather *out, gbcast_error *err);

#endif
