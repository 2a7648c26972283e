/* From what was timed to what the models need.
 *
 *   RTT(m) = g(m) there + L(m) + g(m) back + L(m)
 *
 * (Patarasuk, Yuan and Faraj, section 5, with the same g both ways: L(m) = RTT(m) / 2 - g(m)).
 *
 * A flood of n messages and the acknowledgement of the last, seen from the sender, where K is all that a
 * message takes besides g, handshakes of the MPI library included:
 *
 *   sender    |g|g|g|...|g|                    ^       T = n g + K + half the RTT of an empty message
 *   receiver      \ K   | | |...| | answer ----|       RTT = g there + K + g back + K
 *
 * With a flood in either direction these are three equations for the two g and K. Two remain without K:
 *
 *   (n - 1/2) g - g' / 2 = T - (RTT + RTT empty) / 2       and the same with both directions exchanged
 *
 * A cluster or link line stands for the same by the rules of the design: alone, a message of m bytes takes
 * o + m / bandwidth + latency + o, where o is the overhead. */
#include "platform/text/text.h"
#include "probe/analysis.h"

#include <stdio.h>
#include <stdlib.h>

enum { SLOPE_POINTS = 3 }; /* fewer show no rate */

void gb_probe_gaps(const gb_flood_times times[2], double rtt, double empty, gb_median gap[2]) {
  double n[2], right[2];
  for (int i = 0; i < 2; i++) {
    n[i] = times[i].count - 0.5;
    right[i] = times[i].total.value - (rtt + empty) / 2;
  }
  const double determinant = n[0] * n[1] - 0.25;
  for (int i = 0; i < 2; i++) {
    double g = (n[1 - i] * right[i] + 0.5 * right[1 - i]) / determinant;
    if (g <=
        0) /* the messages took less than the jitter of the path; at least that long they kept the sender */
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

/* What a stream carries, where there is no table: between sites. Elsewhere what each further byte takes: the
 * median of the slopes of g between any two sizes (Theil and Sen), so that of five or more one that took too
 * long, as the handshake of a long message may, does not count. */
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

/* Of this end; where there was no time for it, of the other. */
static double send_of(const gb_probe_point *point, int direction) {
  return point->send[direction].samples > 0 ? point->send[direction].value : point->send[1 - direction].value;
}

gb_probe_line gb_probe_derive(const gb_probe_table *t, int direction) {
  const gb_probe_point *first = &t->point[0];
  gb_probe_line line = {.bandwidth = bandwidth(t, direction), .overhead = send_of(first, direction)};
  double half = first->rtt.value / 2;
  if (line.overhead > half / 2) /* a send that waits for its receiver is no overhead */
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
