/* An all-to-all in two steps, for short blocks: hosts make groups of g, side by side in the depth-first order
 * of the switches, so that most groups are on one switch. A host gives each other one of its group what is
 * for the hosts of that one's position in all groups; and these pass it on, with what the others have given
 * them:
 *
 *      group 0:  a0 --> a1     what a0 has for a1, b1, c1, ...     g - 1 messages of M / g blocks
 *      group 1:         b1 <-- a1, what a0, a1, ... have for b1    M / g - 1 messages of g blocks
 *
 * So M - 1 messages become g + M / g - 2, a little more than 2 sqrt(M) at best. With the time tau_1 and tau_2
 * that the busiest link needs for a step that takes
 *
 *      2 (g + M / g - 2) o + (tau_1 + tau_2) (1 + contention) + L + the same, or less, inside groups
 *
 * as in plan/alltoall/time.c, where the symbols are explained. */
#include "intra/intra.h"
#include "plan/alltoall/make.h"

typedef struct division {
  const gb_alltoall_site *site;
  uint32_t group, groups;
  uint64_t bytes; /* of a block */
} division;

/* How many of position, position + apart, position + 2 apart, ... are less than `below`. */
static uint32_t before(uint32_t below, uint32_t position, uint32_t apart) {
  return below > position ? (below - position - 1) / apart + 1 : 0;
}

/* Messages from the places first .. end - 1 to the others. */
static uint64_t cross(const division *d, bool inside, uint32_t first, uint32_t end) {
  const uint32_t rows = inside ? d->groups : d->group, row = inside ? d->group : d->groups;
  uint64_t messages = 0;
  for (uint32_t i = 0; i < rows; i++) {
    uint64_t here;
    if (inside) {
      const uint32_t begin = i * row, stop = begin + row;
      const uint32_t from = first > begin ? first : begin, to = end < stop ? end : stop;
      here = to > from ? to - from : 0;
    } else {
      here = before(end, i, rows) - before(first, i, rows);
    }
    messages += here * (row - here);
  }
  return messages;
}

/* One of the two steps. */
static double step_time(const division *d, bool inside) {
  const gb_alltoall_site *site = d->site;
  const gb_switch_order *order = &site->machines.order;
  const gb_lan lan = gb_alltoall_lan(site);
  const uint32_t others = (inside ? d->group : d->groups) - 1;
  const double message = (double)d->bytes * (inside ? d->groups : d->group);
  double link = message * others / gb_machines_bandwidth(&site->machines, 0);
  bool leaves = false;
  if (others == 0) {
    return 0;
  }
  for (uint32_t v = 1; v < order->node_count; v++) {
    const uint64_t messages = cross(d, inside, order->first[v], order->end[v]);
    const double need =
        message * (double)messages / gb_machines_bandwidth(&site->machines, 2 * (site->machines.count + v));
    link = need > link ? need : link;
    leaves |= messages > 0;
  }
  return 2 * others * lan.overhead + link * (1 + gb_alltoall_contention_of_all(site, (uint64_t)message)) +
         gb_lan_latency(&lan, (uint64_t)message) + (leaves ? site->farthest : 0);
}

double gb_alltoall_step_time(const gb_alltoall_site *site, uint32_t group, uint64_t bytes, bool inside) {
  const division d = {site, group, site->machines.count / group, bytes};
  return step_time(&d, inside);
}

double gb_alltoall_groups_time(const gb_alltoall_site *site, uint32_t group, uint64_t bytes) {
  return gb_alltoall_step_time(site, group, bytes, true) + gb_alltoall_step_time(site, group, bytes, false);
}

uint32_t gb_alltoall_group(const gb_alltoall_site *site, uint64_t bytes) {
  uint32_t best = 1;
  double least = gb_alltoall_groups_time(site, 1, bytes);
  for (uint32_t group = 2; group < site->machines.count; group++) {
    if (site->machines.count % group != 0) {
      continue;
    }
    const double time = gb_alltoall_groups_time(site, group, bytes);
    if (time < least) {
      least = time;
      best = group;
    }
  }
  return best;
}
