/* Who waits for the time of a send (mpi/exec/pace.h): after messages of so many bytes to one child, over a
 * link of the least rate that there is, 10 kB/s, the next child's is due. */
#include "mpi/exec/pace.h"
#include "mpi/exec/run.h"
#include "tests/support/mpi/check.h"
#include <math.h>

enum { LONG = 100 << 20 }; /* bytes: takes long enough for this program to see it wait */
enum { MOST_LATE = 8 };    /* messages that may be sent at once, whatever the pace */

static const double rate = 1e4; /* bytes/s */

static gb_channel channel_to(bool wan, size_t segment) {
  return (gb_channel){
      .direction = GB_SEND,
      .wan = wan,
      .segment = segment,
      .pacing = {.rate = rate, .shared_rate = rate, .port = 1 / rate, .window = 1, .paced = true}};
}

static bool is_held_back(size_t length, size_t segment, bool wan) {
  gb_channel child[2] = {channel_to(wan, segment), channel_to(wan, segment)};
  child[1].to_receiver = 1; /* an edge of another sort would share the first one's queue, too */
  child[1].to_site = 1;
  gb_rank_tree tree = {.receiver_count = 2, .receiver = child};
  gb_rank_schedule schedule = {.operation = GBCAST_BCAST,
                               .pace = 1,
                               .efficiency = {1, 1},
                               .channel = child,
                               .tree_count = 1,
                               .tree = &tree};
  gb_cursor cursor[2] = {{.length = length}, {.length = length}};
  gb_tree_stream stream = {.tree = &tree, .receiver = cursor, .length = length};
  gb_run run = {
      .schedule = &schedule, .stream = &stream, .cursor = cursor, .wake = INFINITY, .looked = INFINITY};
  gb_request send = {.length = length};
  for (int i = 0; i <= MOST_LATE; i++)
    gb_pace_sent(&run, &stream, 0, &send);
  bool held = !gb_pace_is_time(&run, &stream, 1);
  CHECK(held == (run.wake < INFINITY), "%zu bytes: held %d, but to wake at %g", length, held, run.wake);
  return held;
}

/* How long before the first of `count` messages, of so many bytes each, a sender might have sent it: what it
 * may catch up, in s. */
static double catches_up(size_t segment, size_t count, bool wan) {
  gb_channel child = channel_to(wan, segment);
  gb_rank_tree tree = {.receiver_count = 1, .receiver = &child};
  gb_rank_schedule schedule = {.operation = GBCAST_BCAST,
                               .pace = 1,
                               .efficiency = {1, 1},
                               .channel = &child,
                               .tree_count = 1,
                               .tree = &tree};
  gb_cursor cursor = {.length = count * segment,
                      .next = -INFINITY}; /* MPI_Wtime() may just have begun at 0 */
  gb_tree_stream stream = {.tree = &tree, .receiver = &cursor, .length = count * segment};
  gb_run run = {
      .schedule = &schedule, .stream = &stream, .cursor = &cursor, .wake = INFINITY, .looked = INFINITY};
  gb_request send = {.length = segment};
  gb_pace_sent(&run, &stream, 0, &send);
  return send.start + (double)segment / rate - cursor.next;
}

static bool is_about(double time, double wanted) {
  return fabs(time - wanted) < 1e-6; /* s; of times since some epoch */
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  CHECK(is_held_back(LONG, LONG, false), "a long whole message does not hold the next one back");
  CHECK(is_held_back(LONG / 2, LONG / 4, false), "a segment does not hold the next one back");
  CHECK(is_held_back(LONG, LONG, true), "a whole message to another site does not hold the next one back");
#ifdef GB_TEST_SMPI /* where messages share a link, the first of them has to be done */
  CHECK(is_held_back(8192, 8192, false), "a short whole message does not hold the next one back");
#else
  CHECK(!is_held_back(8192, 8192, false), "the system sends short whole messages one after the other");
#endif
#ifdef GB_TEST_SMPI
  const double nap = 1e-4, queued = 0.16, slow = 0.8; /* what one segment takes, and eight */
#else
  const double nap = 5e-4, queued = 5e-2, slow = 0.1;
#endif
  CHECK(is_about(catches_up(1000, 10, false), 0.1), "long segments: %g s", catches_up(1000, 10, false));
  CHECK(is_about(catches_up(1, 10, false), nap), "short segments: %g s", catches_up(1, 10, false));
  CHECK(is_about(catches_up(1, 10, true), 8e-4), "between sites: %g s", catches_up(1, 10, true));
  CHECK(is_about(catches_up(200, 10, true), queued), "over a slow link: %g s", catches_up(200, 10, true));
  CHECK(is_about(catches_up(1000, 10, true), slow), "over one that is slower still: %g s",
        catches_up(1000, 10, true));
  CHECK(is_about(catches_up(9000, 1, false), 0), "whole messages: %g s", catches_up(9000, 1, false));
  MUST(MPI_Finalize());
  return 0;
}
