/* The bandwidth of a path, from the time that a short TCP transfer of a sensor takes. */
#ifndef GB_NWS_CLIENT_BURST_H
#define GB_NWS_CLIENT_BURST_H

#include <stdbool.h>

#define GB_BURST_LONG                                                                                        \
  (1024 * 1024.0) /* bytes; from here on a measurement is one of a steady stream (iperf) */

typedef struct gb_burst {   /* bandwidthTcp, and latencyTcp of the same pair */
  double bytes, window;     /* of the experiment, and of its socket buffer */
  double rate, rate_error;  /* bytes/s, as measured: bytes over time */
  double round_trip, error; /* s; negative: not known */
} gb_burst;

/* The bandwidth in bytes/s, with its error. False: the burst mostly waited for acknowledgements, so that
 * `rate` is only a lower bound. */
bool gb_burst_bandwidth(const gb_burst *b, double *bandwidth, double *error);

#endif
