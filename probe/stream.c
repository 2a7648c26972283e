/* What a path carries: one stream of messages, timed where it arrives.
 *
 *   arrives   |  0   |  1   |  2  |  3  |  4  |  5  |  6  |  7  |      equal parts of one flood
 *              slow start     ^--------- rates: 6 samples --------^
 *
 * By the receiver's clock neither the way there nor an acknowledgement counts, and what TCP's slow start
 * takes is in the parts that are left out. */
#include "probe/wire.h"

#include <math.h>

enum { CHUNK = 16 << 10, MOST = 8192, SKIPPED = 2 };

/* Long enough for the rate to settle: half a second, or 24 round trips, of which slow start takes up to ten.
 */
static const double LEAST = 0.5, ROUND_TRIPS = 24;

/* The end of a short flood may arrive all at once: a path is not this many times as fast as the flood in all.
 */
static const double BURST = 4;

enum { SHARED_MOST = 16 }; /* times as long as alone may a stream take that shares its link */

/* From window `first` on. */
static gb_median rate_of(const gb_flooded *flooded, uint32_t count, int first) {
  double rate[GB_FLOOD_WINDOWS];
  uint32_t taken = 0;
  for (int i = first; i < GB_FLOOD_WINDOWS; i++)
    if (flooded->window[i] > 0)
      rate[taken++] = (double)CHUNK * (count / GB_FLOOD_WINDOWS) / flooded->window[i];
  return gb_median_of(rate, taken);
}

double gb_stream_seconds(double rtt) {
  return fmax(LEAST, ROUND_TRIPS * rtt);
}

static uint32_t chunks(double seconds, double rate) {
  return GB_FLOOD_WINDOWS *
         gb_probe_clamp(seconds * rate / CHUNK / GB_FLOOD_WINDOWS, 1, MOST / GB_FLOOD_WINDOWS);
}

/* One direction; no samples if it would not end in time. Floods get longer until one takes long enough to
 * tell how many chunks the last one needs. */
static int measure(const gb_measurement *m, int direction, gb_median *rate) {
  const double seconds = gb_stream_seconds(m->empty);
  uint32_t count = GB_FLOOD_WINDOWS;
  gb_flooded flooded = {0};
  int rc = MPI_SUCCESS;
  *rate = (gb_median){0};
  for (bool last = false; rc == MPI_SUCCESS;) {
    const double start = MPI_Wtime();
    rc = gb_flood_peer(m, direction, CHUNK, count, &flooded);
    if (last) {
      *rate = rate_of(&flooded, count, SKIPPED);
      break;
    }
    const double took = MPI_Wtime() - start, overall = (double)count * CHUNK / took,
                 about = fmin(rate_of(&flooded, count, GB_FLOOD_WINDOWS / 2).value, BURST * overall);
    last = took >= seconds / 4 || count == MOST;
    const uint32_t next = chunks(last ? seconds : seconds / 2, about);
    count = last || next > 2 * count ? next : 2 * count;
    if (MPI_Wtime() + (double)count * CHUNK / about > m->until)
      break;
  }
  return rc;
}

/* Over all of the last windows. */
int gb_measure_shared(gb_measurement *m, int direction, uint64_t bytes, gb_probe_table *table) {
  const uint32_t count =
      GB_FLOOD_WINDOWS * gb_probe_clamp((double)bytes / CHUNK / GB_FLOOD_WINDOWS, 1, MOST / GB_FLOOD_WINDOWS);
  gb_flooded flooded = {0};
  double seconds = 0;
  m->share = 5 + SHARED_MOST * gb_stream_seconds(m->empty);
  int rc = gb_flood_peer(m, direction, CHUNK, count, &flooded);
  for (int i = SKIPPED; i < GB_FLOOD_WINDOWS; i++)
    seconds += flooded.window[i];
  if (seconds > 0)
    table->rate[direction] =
        (gb_median){(double)CHUNK * count / GB_FLOOD_WINDOWS * (GB_FLOOD_WINDOWS - SKIPPED) / seconds, 0, 1};
  return rc;
}

int gb_measure_streams(gb_measurement *m, gb_probe_table *table) {
  int rc = MPI_SUCCESS;
  m->share = 5 + BURST * gb_stream_seconds(
                             m->empty); /* that the slowest path may take for the first flood, or the last */
  for (int direction = 0; rc == MPI_SUCCESS && direction < 2; direction++)
    rc = measure(m, direction, &table->rate[direction]);
  return rc;
}
