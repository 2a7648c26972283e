/* One host's tracks to other sites. A host that has had its turn in a lane tells the next; the last ones of a
 * way tell those that begin the next way on the track. There lanes a and b belong together where a = b modulo
 * the lesser number of lanes:
 *
 *   way    lane 0   a0 ... a2 --.
 *          lane 1   a1 ... a3 --|--.
 *   next   lane 0   a1 <--------'  |
 *          lane 1   a0 <-----------'                                                                      */
#include "plan/alltoall/exchange_transfers.h"

#include "platform/text/text.h"

#include <stdlib.h>

/* A receive, and when it is planned. In this order of all messages (time, way, slot, lane)
 * each host does all that it does, so that none waits for ever. */
typedef struct arrival {
  double time;
  uint32_t way, lane;
  gb_exchange_step step;
} arrival;

typedef struct part {
  const gb_alltoall *a;
  uint32_t site, me; /* machine */
  gb_exchange *out;
  uint32_t words, word_capacity;
} part;

static int earlier(const void *left, const void *right) {
  const arrival *a = left, *b = right;
  if (a->time < b->time || a->time > b->time) {
    return a->time < b->time ? -1 : 1;
  }
  if (a->way != b->way) {
    return a->way < b->way ? -1 : 1;
  }
  if (a->step.phase != b->step.phase) {
    return a->step.phase < b->step.phase ? -1 : 1;
  }
  return (a->lane > b->lane) - (a->lane < b->lane);
}

/* Another machine of this site says a word, or hears one; *count counts them. */
static bool add_word(part *p, uint32_t machine, uint32_t *count) {
  if (machine == p->me) {
    return true;
  }
  uint32_t *grown = gb_grow(p->out->word, p->words, &p->word_capacity, sizeof *grown);
  if (grown != NULL) {
    p->out->word = grown;
    grown[p->words++] = p->a->site[p->site].host[machine];
    ++*count;
  }
  return grown != NULL;
}

enum side { ENDS, BEGINS };

/* Those at one side of the lanes of another way on the track that belong to this lane. */
static bool add_neighbours(part *p, const gb_way *way, uint32_t lane, uint32_t number, enum side side,
                           uint32_t *count) {
  bool enough = true;
  if (number != GB_NONE) {
    const gb_way *other = &p->a->ways.way[number];
    const uint32_t common = way->lanes < other->lanes ? way->lanes : other->lanes;
    for (uint32_t l = lane % common; enough && l < other->lanes; l += common) {
      const uint32_t turn = side == ENDS ? other->lane[l + 1] - 1 : other->lane[l];
      enough = add_word(p, other->turn[turn].machine, count);
    }
  }
  return enough;
}

/* Of the longest lane. */
static uint32_t slots_of(const gb_way *way) {
  uint32_t slots = 0;
  for (uint32_t l = 0; l < way->lanes; l++) {
    const gb_turn *last = &way->turn[way->lane[l + 1] - 1];
    slots = last->slot + last->count > slots ? last->slot + last->count : slots;
  }
  return slots;
}

/* The sends of one turn, to step[turn->count]. */
static bool add_turn(part *p, const gb_way *way, uint32_t lane, uint32_t number, gb_exchange_step *step) {
  const gb_turn *turn = &way->turn[number];
  const gb_alltoall_site *to = &p->a->site[way->to];
  const double slots = slots_of(way), seconds = (way->end - way->start) / slots;
  for (uint32_t i = 0; i < turn->count; i++) {
    step[i] = (gb_exchange_step){.peer = to->host[(turn->first + i) % to->machines.count],
                                 .phase = turn->slot + i,
                                 .ahead = way->ahead,
                                 .pace = way->paced ? seconds / (double)p->a->ways.bytes : 0,
                                 .wait = p->words,
                                 .tell = p->words};
  }
  const bool first = number == way->lane[lane], last = number + 1 == way->lane[lane + 1];
  bool enough = first ? add_neighbours(p, way, lane, way->previous, ENDS, &step->waits)
                      : add_word(p, way->turn[number - 1].machine, &step->waits);
  const uint32_t early = way->early < turn->count ? way->early : turn->count - 1;
  gb_exchange_step *teller = &step[turn->count - 1 - early];
  teller->tell = p->words;
  if (enough) {
    enough = last ? add_neighbours(p, way, lane, way->next, BEGINS, &teller->tells)
                  : add_word(p, way->turn[number + 1].machine, &teller->tells);
  }
  return enough;
}

/* The host's one or two turns; returns the end of their steps, or NULL. That at the beginning of a lane comes
 * first. */
static gb_exchange_step *add_sends(part *p, const gb_way *way, gb_exchange_step *step) {
  for (int begins = 1; begins >= 0; begins--) {
    for (uint32_t l = 0; l < way->lanes; l++) {
      for (uint32_t i = way->lane[l]; i < way->lane[l + 1]; i++) {
        if (way->turn[i].machine == p->me && (i == way->lane[l]) == (begins == 1)) {
          if (!add_turn(p, way, l, i, step)) {
            return NULL;
          }
          step += way->turn[i].count;
        }
      }
    }
  }
  return step;
}

/* From each host of another site; returns the end of them. */
static arrival *add_arrivals(const part *p, uint32_t from, arrival *next) {
  const gb_ways *ways = &p->a->ways;
  const gb_way *way = gb_way_between(ways, p->a->site_count, from, p->site);
  const uint32_t receivers = p->a->site[p->site].machines.count, slots = slots_of(way);
  for (uint32_t l = 0; l < way->lanes; l++) {
    for (uint32_t i = way->lane[l]; i < way->lane[l + 1]; i++) {
      const gb_turn *turn = &way->turn[i];
      const uint32_t place = (p->me + receivers - turn->first) % receivers, slot = turn->slot + place;
      if (place < turn->count) {
        *next++ = (arrival){.time = way->start + (way->end - way->start) * slot / slots,
                            .way = (uint32_t)(way - ways->way),
                            .lane = l,
                            .step = {.peer = p->a->site[from].host[turn->machine], .phase = slot}};
      }
    }
  }
  return next;
}

/* The ways from `first` on, and what comes from where they lead to. list: for as many as come. */
static bool add_track(part *p, uint32_t first, arrival *list) {
  const gb_ways *ways = &p->a->ways;
  gb_exchange_track *track = &p->out->track[ways->way[first].track];
  arrival *end = list;
  track->blocks = 1;
  for (uint32_t w = first; w != GB_NONE; w = ways->way[w].next) {
    track->send_count += p->a->site[ways->way[w].to].machines.count;
    end = add_arrivals(p, ways->way[w].to, end);
  }
  track->receive_count = (uint32_t)(end - list);
  track->send = calloc(track->send_count + (size_t)1, sizeof *track->send);
  track->receive = calloc(track->receive_count + (size_t)1, sizeof *track->receive);
  gb_exchange_step *step = track->receive != NULL ? track->send : NULL;
  for (uint32_t w = first; step != NULL && w != GB_NONE; w = ways->way[w].next) {
    step = add_sends(p, &ways->way[w], step);
  }
  if (step != NULL) {
    qsort(list, track->receive_count, sizeof *list, earlier);
    for (uint32_t i = 0; i < track->receive_count; i++) {
      track->receive[i] = list[i].step;
    }
  }
  return step != NULL;
}

bool gb_exchange_add_ways(const gb_alltoall *a, uint32_t site, uint32_t machine, gb_exchange *out,
                          uint32_t words) {
  part p = {.a = a, .site = site, .me = machine, .out = out, .words = words, .word_capacity = words};
  const uint32_t others = a->site_count - 1;
  arrival *list = calloc(GB_ALLTOALL_HOSTS, sizeof *list);
  bool enough = list != NULL;
  out->track_count = a->ways.tracks[site];
  for (uint32_t w = site * others; enough && w < (site + 1) * others; w++) {
    enough = a->ways.way[w].previous != GB_NONE || add_track(&p, w, list);
  }
  free(list);
  return enough;
}
