/* The dummy communications of section 5: for each idle host another one on its switch that can still receive,
 * or else send, in that phase. */
#include "plan/alltoall/alltoall.h"

#include <string.h>

/* The first host on the switch of `idle` that is not marked, or GB_NONE. */
static uint32_t partner(const gb_machines *m, uint32_t idle, const bool *marked) {
  const uint32_t node = m->node[idle];
  for (uint32_t place = m->order.first[node]; place < m->count && m->order.node[place] == node; place++) {
    const uint32_t other = m->order.host[place]; /* a switch's own come first */
    if (other != idle && !marked[other]) {
      return other;
    }
  }
  return GB_NONE;
}

uint32_t gb_alltoall_dummies(const gb_alltoall_site *site, uint32_t phase, bool *busy, gb_message *out) {
  const gb_machines *m = &site->machines;
  bool *sends = busy, *receives = busy + m->count;
  uint32_t count = 0;
  memset(busy, 0, (size_t)2 * m->count * sizeof *busy);
  for (uint32_t k = site->phases.start[phase]; k < site->phases.start[phase + 1]; k++) {
    sends[site->phases.message[k].from] = receives[site->phases.message[k].to] = true;
  }
  for (uint32_t idle = 0; idle < m->count; idle++) {
    if (sends[idle] || receives[idle]) {
      continue;
    }
    const uint32_t to = partner(m, idle, receives), from = to == GB_NONE ? partner(m, idle, sends) : GB_NONE;
    if (to != GB_NONE) {
      out[count] = (gb_message){idle, to};
    } else if (from != GB_NONE) {
      out[count] = (gb_message){from, idle};
    } else {
      continue;
    }
    sends[out[count].from] = receives[out[count].to] = true;
    count++;
  }
  return count;
}
