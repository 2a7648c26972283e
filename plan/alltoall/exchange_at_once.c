/* One host's part of an all-to-all in which nobody waits: all that it sends is under way at once. */
#include "plan/alltoall/make.h"
#include "platform/text/text.h"

#include <stdlib.h>

/* Some hosts of a site, each at the same distance behind the one before, and this one's position. */
typedef struct line_up {
  const uint32_t *host;
  uint32_t apart, count, mine;
} line_up;

/* In each step all hosts send the same number of places further on, so that no two send to the same one.
 * Hosts side by side are on one switch: with strides of the golden section a host's messages go near and far
 * from the beginning on, so that all links are busy. */
static uint32_t stride_of(uint32_t count) {
  uint32_t stride = (uint32_t)((uint64_t)count * 618 / 1000) + 1;
  while (gb_common_divisor(stride, count) > 1) {
    stride++;
  }
  return stride;
}

static bool add_track(const line_up *r, uint32_t blocks, gb_exchange *out) {
  gb_exchange_track *track = &out->track[out->track_count++];
  const uint32_t stride = stride_of(r->count);
  *track = (gb_exchange_track){.blocks = blocks,
                               .send = calloc(r->count, sizeof *track->send),
                               .receive = calloc(r->count, sizeof *track->receive)};
  if (track->send == NULL || track->receive == NULL) {
    return false;
  }
  for (uint32_t i = 1; i < r->count; i++) {
    const uint32_t on = (uint32_t)((uint64_t)i * stride % r->count);
    const uint32_t to = (r->mine + on) % r->count, from = (r->mine + r->count - on) % r->count;
    track->send[track->send_count++] =
        (gb_exchange_step){.peer = r->host[(size_t)to * r->apart], .phase = i - 1, .ahead = r->count};
    track->receive[track->receive_count++] =
        (gb_exchange_step){.peer = r->host[(size_t)from * r->apart], .phase = i - 1};
  }
  return true;
}

/* Hosts of one switch are side by side. */
static uint32_t *list_places(const gb_alltoall_site *site, uint32_t machine, uint32_t *mine) {
  uint32_t *host = malloc(site->machines.count * sizeof *host);
  for (uint32_t place = 0; host != NULL && place < site->machines.count; place++) {
    const uint32_t at = site->machines.order.host[place];
    host[place] = site->host[at];
    *mine = at == machine ? place : *mine;
  }
  return host;
}

bool gb_exchange_at_once(const gb_alltoall_site *site, uint32_t machine, gb_sync_choice choice,
                         gb_exchange *out) {
  const uint32_t count = site->machines.count, group = choice.sync->groups ? choice.block : count;
  uint32_t mine = 0;
  out->place = list_places(site, machine, &mine);
  if (out->place == NULL) {
    return false;
  }
  const line_up own = {&out->place[mine - mine % group], 1, group, mine % group};
  if (!choice.sync->groups) {
    return add_track(&own, 1, out);
  }
  const line_up across = {&out->place[mine % group], group, count / group, mine / group};
  out->group = group;
  out->mine = mine;
  out->places = count;
  return add_track(&own, across.count, out) && add_track(&across, group, out);
}
