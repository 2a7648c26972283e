/* What TCP's slow start costs a stream between sites (RFC 5681, RFC 6928).
 *
 * A stream that begins, or goes on after a pause, sends `window` bytes, waits for the first answer, and then
 * sends twice as many in each further round trip, until its rate is that of the link:
 *
 *   rounds    |==          |====        |========    |================================
 *             |<-- lost -->|                         round trip * rate <= bytes in flight
 *
 *   lost = sum over rounds k = 0, 1, ... of max(0, round trip - 2^k window / rate),
 *          as long as (2^(k+1) - 1) window < bytes
 *
 * So 1 MiB at 10 Mbit/s with a round trip of 80 ms and a window of 14480 B, ten packets, loses 159 ms; in
 * four streams, which share the link and have a window each, 34 ms.
 *
 * TCP counts packets, and MPI libraries have each message begin one (TCP_NODELAY), so short ones fill less of
 * a window. (What is written while a window is closed may share packets; the engine's pace keeps most apart.)
 *
 *   1448 B each   |########|########|   ten packets carry 14480 B
 *   1024 B each   |#####   |#####   |   ten packets carry 10240 B */
#include "platform/cost/cost.h"

double gb_filled_window(double window, uint64_t message) {
  const uint64_t packets = (message + GB_PACKET_BYTES - 1) / GB_PACKET_BYTES;
  if (message == 0 || window >= (double)UINT64_MAX)
    return window;
  const double room = (double)(packets * GB_PACKET_BYTES), whole = (double)(uint64_t)(window / room);
  const double left = window - whole * room;
  return whole * (double)message + (left < (double)message ? left : (double)message);
}

double gb_slow_start(double window, double round_trip, double rate, uint64_t bytes) {
  double lost = 0;
  for (double sent = window; sent < (double)bytes && window < rate * round_trip; sent += window) {
    lost += round_trip - window / rate;
    window *= 2;
  }
  return lost;
}
