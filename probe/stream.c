/* What a path carries: one stream of messages, timed where it arrives.
 *
 *   arrives   |  0   |  1   |  2  |  3  |  4  |  5  |  6  |  7  |      equal parts of one flood
 *              slow start     ^---- every two in a row ----^
 *
 * By the receiver's clock neither the way there nor an acknowledgement counts, and what TCP's slow start
 * takes is in the parts that are left out. */
#include "probe/wire.h"

#include <math.h>

enum { LEAST_CHUNK = 16 << 10, MOST_CHUNK = 1 << 20, UNDER_WAY = 64, COUNT_MOST = 16384, SKIPPED = 2 };

/* Long enough for the rate to settle: half a second, or 24 round trips, of which slow start takes up to ten.
 */
static const double LEAST = 0.5, ROUND_TRIPS = 24;

/* The end of a short flood may arrive all at once: a path is not this many times as fast as the flood in all.
 */
static const double BURST = 4;

enum { SHARED_MOST = 16 }; /* times as long as alone may a stream take that shares its link */

typedef struct gb_stream {
  uint64_t chunk;  /* bytes of a message */
  uint32_t count;  /* of messages: a multiple of GB_FLOOD_WINDOWS */
  uint32_t window; /* of them under way at once */
  gb_flooded flooded;
} gb_stream;

double gb_stream_seconds(double rtt) {
  return fmax(LEAST, ROUND_TRIPS * rtt);
}

/* Cuts so many bytes into chunks, an eighth of which is under way at once: in the last flood that is three
 * times what the path holds, `path` bytes. Chunks are as short as that allows, because MPI libraries send
 * short messages without a handshake. */
static gb_stream cut(double bytes, double path) {
  gb_stream s = {.chunk = LEAST_CHUNK};
  while (s.chunk < MOST_CHUNK && (double)s.chunk * UNDER_WAY < 3 * path)
    s.chunk *= 2;
  const uint32_t part =
      gb_probe_clamp(bytes / (double)s.chunk / GB_FLOOD_WINDOWS, 2, COUNT_MOST / GB_FLOOD_WINDOWS);
  s.count = GB_FLOOD_WINDOWS * part;
  s.window = part < UNDER_WAY ? part : UNDER_WAY;
  return s;
}

static int flood(const gb_probe_peer *m, int direction, gb_stream *s) {
  return gb_flood_peer(m, direction, s->chunk, s->count, s->window, &s->flooded);
}

static double bytes_of(const gb_stream *s) {
  return (double)s->chunk * s->count;
}

/* From window `first` on: the median over every two windows in a row. What TCP loses is late, and then much
 * arrives at once; and messages that are under way together may arrive together. */
static gb_median rate_of(const gb_stream *s, int first) {
  double seconds[GB_FLOOD_WINDOWS];
  uint32_t taken = 0;
  for (int i = first; i + 1 < GB_FLOOD_WINDOWS; i++)
    seconds[taken++] = s->flooded.window[i] + s->flooded.window[i + 1];
  gb_median rate = gb_median_of(seconds, taken);
  if (rate.value <= 0)
    return (gb_median){0};
  rate.value = 2 * bytes_of(s) / GB_FLOOD_WINDOWS / rate.value;
  return rate;
}

/* One direction; no samples if it would not end in time. Floods get longer until one takes long enough to
 * show the rate; of that one and a longer one the better counts, as TCP may have lost packets in either. */
static int measure(const gb_probe_peer *m, int direction, gb_median *rate) {
  const double seconds = gb_stream_seconds(m->empty);
  gb_stream s = cut(0, 0);
  int rc = MPI_SUCCESS;
  *rate = (gb_median){0};
  for (bool last = false; rc == MPI_SUCCESS;) {
    const double start = MPI_Wtime();
    rc = flood(m, direction, &s);
    const double took = MPI_Wtime() - start, before = bytes_of(&s),
                 about = fmin(rate_of(&s, GB_FLOOD_WINDOWS / 2).value, BURST * before / took);
    const gb_median found = rate_of(&s, SKIPPED);
    if ((took >= seconds / 2 || last) && found.value > rate->value)
      *rate = found;
    if (last)
      break;
    last = took >= seconds / 2 || s.count == COUNT_MOST;
    s = cut(last ? seconds * about : fmax(seconds * about, 2 * before), m->empty * about);
    if (MPI_Wtime() + bytes_of(&s) / about > m->until)
      break;
  }
  return rc;
}

int gb_measure_shared(gb_probe_peer *m, int direction, uint64_t bytes, gb_probe_table *table) {
  gb_stream s = cut((double)bytes, 2 * m->empty * (double)bytes / gb_stream_seconds(m->empty));
  double seconds = 0;
  m->share = 5 + SHARED_MOST * gb_stream_seconds(m->empty);
  int rc = flood(m, direction, &s);
  for (int i = SKIPPED; i < GB_FLOOD_WINDOWS; i++)
    seconds += s.flooded.window[i];
  if (seconds > 0)
    table->rate[direction] =
        (gb_median){bytes_of(&s) * (GB_FLOOD_WINDOWS - SKIPPED) / GB_FLOOD_WINDOWS / seconds, 0, 1};
  return rc;
}

int gb_measure_streams(gb_probe_peer *m, gb_probe_table *table) {
  int rc = MPI_SUCCESS;
  m->share = 5 + BURST * gb_stream_seconds(
                             m->empty); /* that the slowest path may take for the first flood or the last */
  for (int direction = 0; rc == MPI_SUCCESS && direction < 2; direction++)
    rc = measure(m, direction, &table->rate[direction]);
  return rc;
}
