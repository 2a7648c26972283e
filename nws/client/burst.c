/* A new connection sends w_0 bytes, waits for their acknowledgement, sends w_1 = 2 w_0, and so on, up to the
 * socket's buffer:
 *
 *   sender    |w_0|.....|= w_1 =|...|====== w_2 ======|              close
 *                  \   /         \ /                   \            /
 *   receiver        ack          ack                    last byte -'
 *             |<---- R ---->|<---- R ---->|<-- rest / C -->|<-- R -->|
 *
 * With K bursts for B bytes, a round trip R and a bandwidth C, until the close has come back,
 *
 *   t(C) = R + B / C + sum over k < K - 1 of max(0, R - w_k / C)
 *
 * which falls as C grows. Where the first q of the waits are above 0,
 *
 *   C = (B - w_0 - ... - w_(q-1)) / s,    s = t - (1 + q) R
 *
 * Nobody knows the sender: today's begins with 10 segments (RFC 6928) and doubles, an old one begins with 3
 * (RFC 3390) and grows by half, as its receiver acknowledges every second segment. The first waits least, so
 * its C is the bandwidth at least; what the other's C is above it is the error. When that is as large as the
 * value, nothing is known: round trips alone may have taken so long.
 *
 * Source: Kurose and Ross, "Computer Networking", the delay of TCP with a dynamic window. */
#include "nws/client/weather.h"

#include <math.h>

static const double segment = 1460;

typedef struct solution {
  double rate; /* C; INFINITY when waits alone explain the time */
  double time; /* s */
  double round_trips;
} solution;

static solution solve(const gb_burst *b, double first_window, double growth) {
  double t = b->bytes / b->rate, left = b->bytes, window = fmin(first_window, b->window);
  for (solution found = {.round_trips = 1};; found.round_trips++) {
    found.time = t - found.round_trips * b->round_trip;
    found.rate = found.time > 0 ? left / found.time : INFINITY;
    if (window >= b->round_trip * found.rate || window >= left)
      return found;
    left -= window; /* this window means a wait */
    window = fmin(growth * window, b->window);
  }
}

bool gb_burst_bandwidth(const gb_burst *b, double *bandwidth, double *error) {
  *bandwidth = b->rate;
  *error = b->rate_error;
  if (b->bytes >= GB_BURST_LONG)
    return true;
  if (!(b->round_trip >= 0 && b->bytes >= segment && b->window >= segment))
    return false;
  solution now = solve(b, 10 * segment, 2), old = solve(b, 3 * segment, 1.5);
  double measuring = b->bytes / b->rate * b->rate_error / b->rate; /* s */
  double round_trips = now.round_trips * fmax(b->error, 0);
  if (!(old.rate < 2 * now.rate && round_trips < now.time))
    return false;
  *bandwidth = now.rate;
  *error = old.rate - now.rate + now.rate * (measuring + round_trips) / now.time;
  return true;
}
