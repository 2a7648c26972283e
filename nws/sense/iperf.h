/* Bandwidth as iperf3 measures it, over a transfer that is long enough to get past TCP's slow start. libiperf
 * may exit and keeps global state, so each end runs in its own child process.
 *
 * The end that measures sends GB_IPERF_ASK, without a body, to the sensor's port. The answer is TCP_HANDSHAKE
 * with the port of an iperf server that waits for one test, or SENSOR_FAILED. The connection stays open
 * during the test. Other sensors than ours close it. */
#ifndef GB_NWS_SENSE_IPERF_H
#define GB_NWS_SENSE_IPERF_H

#include "nws/sense/subprocess.h"

#include <netinet/in.h>
#include <stdint.h>

enum { GB_IPERF_ASK = 850, GB_IPERF_ANSWER = 64 /* bytes, at most */ };
enum { GB_IPERF_SECONDS = 25 };                         /* the longest that an end lives */
enum { GB_IPERF_SIZE = 16384, GB_IPERF_MESSAGE = 128 }; /* kB: of a test, of each write */

typedef struct gb_iperf_end { /* of the server */
  char address[INET_ADDRSTRLEN];
  uint16_t port;
} gb_iperf_end;

/* Both take a gb_iperf_end and run in a child. Serving is 0 when a test was done; measuring gives Mbit/s, of
 * 1e6 bits, as they arrived; below 0: it failed. */
gb_subprocess_work gb_iperf_serve, gb_iperf_measure;

#endif
