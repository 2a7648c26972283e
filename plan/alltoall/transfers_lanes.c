/* The messages of a site transfer over its lanes.
 *
 *   host       a0       a1       a2                each to receivers 0 ... n - 1, counted around
 *   work    |........|........|........|
 *   lanes   |.....0.....|.....1.....|...           cut to the same length, but not less than a host's work
 *
 * The host at a cut has the end of the one lane and the beginning of the next, at different times. Within a
 * lane receivers follow each other around, and so on from one lane to the next where a host is cut: its two
 * parts together make all of them. Where a lane begins with a whole host, it begins at a receiver of its own.
 *
 * Senders begin `shift` further on for each transfer of a site, so that its transfers have different hosts.
 */
#include "plan/alltoall/make.h"

/* Where lane l begins, counted in receivers of the host that has the work from `begin` on. */
static uint32_t cut(uint64_t lane, uint64_t length, uint64_t begin, uint64_t ranks, uint32_t receivers) {
  const uint64_t at = lane * length;
  if (at <= begin) {
    return 0;
  }
  const uint64_t inside = (at - begin) / ranks;
  return inside < receivers ? (uint32_t)inside : receivers;
}

/* Work is counted in ranks of the sender times receivers. */
static uint64_t lane_length(const gb_alltoall_site *from, uint64_t all, uint32_t lanes, uint32_t receivers) {
  uint64_t length = (all + lanes - 1) / lanes;
  for (uint32_t i = 0; i < from->machines.count; i++) {
    const uint64_t own = (uint64_t)from->ranks[i] * receivers;
    length = own > length ? own : length;
  }
  return length;
}

double gb_transfer_fill_lanes(const gb_alltoall *a, gb_site_transfer *transfer, uint32_t shift) {
  const gb_alltoall_site *from = &a->site[transfer->from];
  const uint32_t senders = from->machines.count, receivers = a->site[transfer->to].machines.count;
  const uint64_t all = from->all_ranks * receivers,
                 length = lane_length(from, all, transfer->lanes, receivers);
  const uint32_t wanted = transfer->lanes;
  uint32_t lane = 0, slots = 0, in_lane = 0, whole = 0, at = transfer->from % receivers;
  uint64_t begin = 0;
  transfer->lanes = (uint32_t)((all + length - 1) / length);
  transfer->lane[0] = 0;
  for (uint32_t k = 0; k < senders; k++) {
    const uint32_t machine = (shift + k) % senders;
    const uint64_t ranks = from->ranks[machine];
    /* The lane that begins in this host's work, if one does. */
    const uint32_t head = cut(lane + 1, length, begin, ranks, receivers);
    if (head > 0) {
      transfer->slot[slots++] = (gb_lane_slot){machine, at, head, in_lane};
      at = (at + head) % receivers;
      in_lane += head;
    }
    if (head < receivers) {
      if (head == 0) {
        whole++;
        at = (uint32_t)((transfer->from + (uint64_t)whole * receivers / wanted) % receivers);
      }
      transfer->lane[++lane] = slots;
      transfer->slot[slots++] = (gb_lane_slot){machine, at, receivers - head, 0};
      at = (at + receivers - head) % receivers;
      in_lane = receivers - head;
    }
    begin += ranks * receivers;
  }
  transfer->lane[transfer->lanes] = slots;
  return (double)length / (double)all;
}
