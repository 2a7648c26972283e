/* Turns measured times into the parameters of the cost models.
 *
 *   RTT(m) = g(m) there + L(m) + g(m) back + L(m)
 *
 * (Patarasuk, Yuan and Faraj, section 5, where g is the same in both directions: L(m) = RTT(m) / 2 - g(m)).
 *
 * A flood of n messages and the acknowledgement of the last, timed by the sender. K is all the time of a
 * message besides g, including handshakes of the MPI library:
 *
 *   sender    |g|g|g|...|g|                    ^       T = n g + K + half the RTT of an empty message
 *   receiver      \ K   | | |...| | answer ----|       RTT = g there + K + g back + K
 *
 * With a flood in each direction these are three equations for K and g of the two directions. Without K two
 * remain:
 *
 *   (n - 1/2) g - g' / 2 = T - (RTT + RTT empty) / 2       and the same with both directions exchanged
 *
 * The values of a cluster or link line are chosen by the rules of gbcast-hosts(5): a message of m bytes that
 * is alone takes o + m / bandwidth + latency + o, where o is the overhead. */
#include "platform/text/text.h"
#include "probe/analysis.h"

#include <stdio.h>
#include <stdlib.h>

enum { SLOPE_POINTS = 3 }; /* sizes that a rate needs, if a stream was measured as well */

void gb_probe_gaps(const gb_flood_times times[2], double rtt, double empty, gb_median gap[2]) {
  double n[2], right[2];
  for (int i = 0; i < 2; i++) {
    n[i] = times[i].count - 0.5;
    right[i] = times[i].total.value - (rtt + empty) / 2;
  }
  const double determinant = n[0] * n[1] - 0.25;
  for (int i = 0; i < 2; i++) {
    double g = (n[1 - i] * right[i] + 0.5 * right[1 - i]) / determinant;
    if (g <= 0) /* the jitter of the path is larger than g; the time of the sends is a lower limit */
      g = times[i].sending / times[i].count;
    gap[i].value = g > GB_LEAST_TIME ? g : GB_LEAST_TIME;
    gap[i].spread = times[i].total.spread * times[i].total.value / (times[i].count * gap[i].value);
    gap[i].samples = times[i].total.samples;
  }
}

void gb_probe_make_monotone(gb_probe_table *table) {
  for (uint32_t i = 1; i < table->count; i++)
    for (int d = 0; d < 2; d++)
      if (table->point[i].gap[d].value < table->point[i - 1].gap[d].value)
        table->point[i].gap[d] = table->point[i - 1].gap[d];
}

double gb_probe_latency(const gb_probe_point *point, bool *clamped) {
  double latency = (point->rtt.value - point->gap[0].value - point->gap[1].value) / 2;
  *clamped = latency < 0;
  return *clamped ? 0 : latency;
}

/* Returns the rate of one direction (bytes/s). Without a table, between sites, it is the rate of a stream.
 * Otherwise it is the reciprocal of the time that each further byte takes: the median of the slopes of g
 * between any two sizes (Theil and Sen). Among five or more sizes one that took too long, such as by the
 * handshake of a long message, then does not change the rate. */
static double bandwidth(const gb_probe_table *t, int direction) {
  double slope[GB_PROBE_SIZES * (GB_PROBE_SIZES - 1) / 2], bytes = (double)t->point[t->count - 1].bytes;
  uint32_t slopes = 0;
  if (t->count < SLOPE_POINTS && t->rate[direction].samples > 0)
    return t->rate[direction].value;
  for (uint32_t i = 0; i < t->count; i++)
    for (uint32_t j = i + 1; j < t->count; j++) {
      const gb_probe_point *a = &t->point[i], *b = &t->point[j];
      slope[slopes++] = (b->gap[direction].value - a->gap[direction].value) / (double)(b->bytes - a->bytes);
    }
  double each = gb_median_of(slope, slopes).value;
  if (each <= 0)
    each = t->point[t->count - 1].gap[direction].value / bytes;
  const double rate = 1 / each;
  return rate < GB_LEAST_RATE ? GB_LEAST_RATE : rate > GB_MOST_RATE ? GB_MOST_RATE : rate;
}

/* How long a send takes at the end that sends in this direction (s); if that was not measured, at the other
 * end. */
static double send_of(const gb_probe_point *point, int direction) {
  return point->send[direction].samples > 0 ? point->send[direction].value : point->send[1 - direction].value;
}

gb_probe_line gb_probe_derive(const gb_probe_table *t, int direction) {
  const gb_probe_point *first = &t->point[0];
  gb_probe_line line = {.bandwidth = bandwidth(t, direction), .overhead = send_of(first, direction)};
  double half = first->rtt.value / 2;
  if (line.overhead > half / 2) /* the send has waited for its receiver; that time is no overhead */
    line.overhead = half / 2;
  line.latency = half - 2 * line.overhead - (double)first->bytes / line.bandwidth;
  if (line.latency < GB_PROBE_LEAST_LATENCY)
    line.latency = GB_PROBE_LEAST_LATENCY;
  return line;
}

double gb_probe_round(double value) {
  char text[32];
  (void)snprintf(text, sizeof text, "%.3e", value);
  return strtod(text, NULL);
}
