/* One host's tracks to other sites. A host that is done with its slot of a lane signals the next host; the
 * last ones of a transfer signal those that begin the next transfer on the track. There lanes a and b belong
 * together where a = b modulo the lesser number of lanes:
 *
 *   transfer   lane 0   a0 ... a2 --.
 *              lane 1   a1 ... a3 --|--.
 *   next       lane 0   a1 <--------'  |
 *              lane 1   a0 <-----------'                                                                  */
#include "plan/alltoall/make.h"

#include "platform/text/text.h"

#include <stdlib.h>

/* A receive, and when it is planned. All hosts keep to this order of all messages (time, transfer, messages
 * before it, lane), so that none waits for ever. */
typedef struct planned_receive {
  double time;
  uint32_t transfer, lane;
  gb_exchange_step step;
} planned_receive;

typedef struct host_part {
  const gb_alltoall *a;
  uint32_t site, me; /* machine */
  gb_exchange *out;
  uint32_t signals, signal_capacity;
} host_part;

static int earlier(const void *left, const void *right) {
  const planned_receive *a = left, *b = right;
  if (a->time < b->time || a->time > b->time) {
    return a->time < b->time ? -1 : 1;
  }
  if (a->transfer != b->transfer) {
    return a->transfer < b->transfer ? -1 : 1;
  }
  if (a->step.phase != b->step.phase) {
    return a->step.phase < b->step.phase ? -1 : 1;
  }
  return (a->lane > b->lane) - (a->lane < b->lane);
}

/* Another machine of this site signals, or is signalled; *count counts them. */
static bool add_signal(host_part *p, uint32_t machine, uint32_t *count) {
  if (machine == p->me) {
    return true;
  }
  uint32_t *grown = gb_grow(p->out->signal_host, p->signals, &p->signal_capacity, sizeof *grown);
  if (grown != NULL) {
    p->out->signal_host = grown;
    grown[p->signals++] = p->a->site[p->site].host[machine];
    ++*count;
  }
  return grown != NULL;
}

enum side { ENDS, BEGINS };

/* Those at one side of the lanes of another transfer on the track that belong to this lane. */
static bool add_neighbours(host_part *p, const gb_site_transfer *transfer, uint32_t lane, uint32_t number,
                           enum side side, uint32_t *count) {
  bool enough = true;
  if (number != GB_NONE) {
    const gb_site_transfer *other = &p->a->transfers.transfer[number];
    const uint32_t common = transfer->lanes < other->lanes ? transfer->lanes : other->lanes;
    for (uint32_t l = lane % common; enough && l < other->lanes; l += common) {
      const uint32_t slot = side == ENDS ? other->lane[l + 1] - 1 : other->lane[l];
      enough = add_signal(p, other->slot[slot].machine, count);
    }
  }
  return enough;
}

/* Messages of the longest lane. */
static uint32_t longest_lane(const gb_site_transfer *transfer) {
  uint32_t longest = 0;
  for (uint32_t l = 0; l < transfer->lanes; l++) {
    const gb_lane_slot *last = &transfer->slot[transfer->lane[l + 1] - 1];
    longest = last->before + last->count > longest ? last->before + last->count : longest;
  }
  return longest;
}

/* The sends of one slot, to step[slot->count]. */
static bool add_slot(host_part *p, const gb_site_transfer *transfer, uint32_t lane, uint32_t number,
                     gb_exchange_step *step) {
  const gb_lane_slot *slot = &transfer->slot[number];
  const gb_alltoall_site *to = &p->a->site[transfer->to];
  const double seconds = (transfer->end - transfer->start) / longest_lane(transfer);
  for (uint32_t i = 0; i < slot->count; i++) {
    step[i] = (gb_exchange_step){.peer = to->host[(slot->first + i) % to->machines.count],
                                 .phase = slot->before + i,
                                 .ahead = transfer->ahead,
                                 .pace = transfer->paced ? seconds / (double)p->a->transfers.bytes : 0,
                                 .wait = p->signals,
                                 .signal = p->signals};
  }
  const bool first = number == transfer->lane[lane], last = number + 1 == transfer->lane[lane + 1];
  bool enough = first ? add_neighbours(p, transfer, lane, transfer->previous, ENDS, &step->waits)
                      : add_signal(p, transfer->slot[number - 1].machine, &step->waits);
  const uint32_t early = transfer->early < slot->count ? transfer->early : slot->count - 1;
  gb_exchange_step *signaller = &step[slot->count - 1 - early];
  signaller->signal = p->signals;
  if (enough) {
    enough = last ? add_neighbours(p, transfer, lane, transfer->next, BEGINS, &signaller->signals)
                  : add_signal(p, transfer->slot[number + 1].machine, &signaller->signals);
  }
  return enough;
}

/* The host's one or two slots; returns the end of their steps, or NULL. The slot at the beginning of a lane
 * comes first. */
static gb_exchange_step *add_sends(host_part *p, const gb_site_transfer *transfer, gb_exchange_step *step) {
  for (int begins = 1; begins >= 0; begins--) {
    for (uint32_t l = 0; l < transfer->lanes; l++) {
      for (uint32_t i = transfer->lane[l]; i < transfer->lane[l + 1]; i++) {
        if (transfer->slot[i].machine == p->me && (i == transfer->lane[l]) == (begins == 1)) {
          if (!add_slot(p, transfer, l, i, step)) {
            return NULL;
          }
          step += transfer->slot[i].count;
        }
      }
    }
  }
  return step;
}

/* From each host of another site; returns the end of them. */
static planned_receive *add_arrivals(const host_part *p, uint32_t from, planned_receive *next) {
  const gb_site_transfers *transfers = &p->a->transfers;
  const gb_site_transfer *transfer = gb_transfer_between(transfers, p->a->site_count, from, p->site);
  const uint32_t receivers = p->a->site[p->site].machines.count, longest = longest_lane(transfer);
  for (uint32_t l = 0; l < transfer->lanes; l++) {
    for (uint32_t i = transfer->lane[l]; i < transfer->lane[l + 1]; i++) {
      const gb_lane_slot *slot = &transfer->slot[i];
      const uint32_t place = (p->me + receivers - slot->first) % receivers, before = slot->before + place;
      if (place < slot->count) {
        *next++ =
            (planned_receive){.time = transfer->start + (transfer->end - transfer->start) * before / longest,
                              .transfer = (uint32_t)(transfer - transfers->transfer),
                              .lane = l,
                              .step = {.peer = p->a->site[from].host[slot->machine], .phase = before}};
      }
    }
  }
  return next;
}

/* The transfers from `first` on, and what comes from where they lead to. list: for as many as come. */
static bool add_track(host_part *p, uint32_t first, planned_receive *list) {
  const gb_site_transfers *transfers = &p->a->transfers;
  gb_exchange_track *track = &p->out->track[transfers->transfer[first].track];
  planned_receive *end = list;
  track->blocks = 1;
  for (uint32_t w = first; w != GB_NONE; w = transfers->transfer[w].next) {
    track->send_count += p->a->site[transfers->transfer[w].to].machines.count;
    end = add_arrivals(p, transfers->transfer[w].to, end);
  }
  track->receive_count = (uint32_t)(end - list);
  track->send = calloc(track->send_count + (size_t)1, sizeof *track->send);
  track->receive = calloc(track->receive_count + (size_t)1, sizeof *track->receive);
  gb_exchange_step *step = track->receive != NULL ? track->send : NULL;
  for (uint32_t w = first; step != NULL && w != GB_NONE; w = transfers->transfer[w].next) {
    step = add_sends(p, &transfers->transfer[w], step);
  }
  if (step != NULL) {
    qsort(list, track->receive_count, sizeof *list, earlier);
    for (uint32_t i = 0; i < track->receive_count; i++) {
      track->receive[i] = list[i].step;
    }
  }
  return step != NULL;
}

bool gb_exchange_add_transfers(const gb_alltoall *a, uint32_t site, uint32_t machine, gb_exchange *out,
                               uint32_t signals) {
  host_part p = {
      .a = a, .site = site, .me = machine, .out = out, .signals = signals, .signal_capacity = signals};
  const uint32_t others = a->site_count - 1;
  planned_receive *list = calloc(GB_ALLTOALL_HOSTS, sizeof *list);
  bool enough = list != NULL;
  out->track_count = a->transfers.tracks[site];
  for (uint32_t w = site * others; enough && w < (site + 1) * others; w++) {
    enough = a->transfers.transfer[w].previous != GB_NONE || add_track(&p, w, list);
  }
  free(list);
  return enough;
}
