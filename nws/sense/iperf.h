/* Bandwidth as iperf3 measures it, over a transfer that is long enough to get past TCP's slow start. libiperf
 * may exit, hang and change global state, so each end runs in its own child process.
 *
 * The end that measures sends IPERF_ASK, without a body, to the sensor's port. The answer is TCP_HANDSHAKE
 * with the port of an iperf server that waits for one test, or SENSOR_FAILED. The connection stays open
 * during the test. Other sensors than ours close it. */
#ifndef GB_NWS_SENSE_IPERF_H
#define GB_NWS_SENSE_IPERF_H

#include <event2/event.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { GB_IPERF_SECONDS = 25 };                         /* the longest that an end lives */
enum { GB_IPERF_SIZE = 16384, GB_IPERF_MESSAGE = 128 }; /* kB: of a test, of each write */

typedef struct gb_iperf_end { /* of the server */
  char address[INET_ADDRSTRLEN];
  uint16_t port;
} gb_iperf_end;

/* Called from the event loop when the child has ended: Mbit/s, of 1e6 bits, as they arrived; of a server 0
 * when a test was done. Below 0: it failed, or took too long. */
typedef void gb_iperf_ended(void *context, double result);

typedef struct gb_iperf_process { /* starts as zeros: none */
  struct event *event;
  pid_t id; /* 0: none */
  int pipe;
  gb_iperf_ended *ended;
  void *context;
} gb_iperf_process;

enum gb_iperf_role { GB_IPERF_SERVE, GB_IPERF_MEASURE };

/* The child is killed after GB_IPERF_SECONDS, even if this process ends first. It keeps only a pipe and the
 * standard descriptors, redirected to /dev/null. */
bool gb_iperf_start(gb_iperf_process *p, struct event_base *base, enum gb_iperf_role role,
                    const gb_iperf_end *end, gb_iperf_ended *ended, void *context);

/* Kills the child without calling `ended`. Does nothing when there is none. */
void gb_iperf_stop(gb_iperf_process *p);

#endif
