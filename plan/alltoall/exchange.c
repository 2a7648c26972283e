/* One host's part of an all-to-all, taken from the plan for all hosts. */
#include "plan/alltoall/make.h"

#include "platform/text/text.h"

#include <stdlib.h>

enum { NO_MESSAGE = UINT32_MAX };

typedef struct steps {
  gb_exchange_step *step;
  uint32_t *message; /* of each: its number in the schedule, or NO_MESSAGE for a dummy */
  uint32_t count, capacity, message_capacity;
} steps;

typedef struct draft {
  const gb_alltoall *a;
  const gb_alltoall_site *site;
  uint32_t me; /* machine */
  steps send, receive;
  gb_message *dummy;
  bool *busy;
} draft;

static bool add(steps *s, const gb_alltoall_site *site, uint32_t peer, uint32_t phase, uint32_t message) {
  gb_exchange_step *step = gb_grow(s->step, s->count, &s->capacity, sizeof *step);
  s->step = step != NULL ? step : s->step;
  uint32_t *number = gb_grow(s->message, s->count, &s->message_capacity, sizeof *number);
  s->message = number != NULL ? number : s->message;
  if (step == NULL || number == NULL) {
    return false;
  }
  number[s->count] = message;
  step[s->count++] =
      (gb_exchange_step){.peer = site->host[peer], .phase = phase, .dummy = message == NO_MESSAGE};
  return true;
}

static bool add_ends(draft *d, const gb_message *message, uint32_t phase, uint32_t number) {
  return (message->from != d->me || add(&d->send, d->site, message->to, phase, number)) &&
         (message->to != d->me || add(&d->receive, d->site, message->from, phase, number));
}

static bool add_phase(draft *d, uint32_t phase) {
  const gb_phases *phases = &d->site->phases;
  bool enough = true;
  for (uint32_t k = phases->start[phase]; enough && k < phases->start[phase + 1]; k++) {
    enough = add_ends(d, &phases->message[k], phase, k);
  }
  const uint32_t dummies =
      d->a->sync.sync->dummies ? gb_alltoall_dummies(d->site, phase, d->busy, d->dummy) : 0;
  for (uint32_t i = 0; enough && i < dummies; i++) {
    enough = add_ends(d, &d->dummy[i], phase, NO_MESSAGE);
  }
  return enough;
}

/* The step of a message, or NULL. Steps are in the order of the messages' numbers, and in each phase dummies
 * are last. */
static gb_exchange_step *step_of(const draft *d, const steps *s, uint32_t message) {
  const uint32_t phase = d->site->phases.phase[message];
  uint32_t low = 0, high = s->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (s->step[middle].phase < phase) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (; low < s->count && s->step[low].phase == phase; low++) {
    if (s->message[low] == message) {
      return &s->step[low];
    }
  }
  return NULL;
}

/* The steps of this host at the two ends of a dependence: after whose end it signals, and before which it
 * waits for a signal; NULL where that is another host. */
typedef struct ends {
  gb_exchange_step *signaller, *waiter;
  uint32_t signalled, signalling; /* machines */
} ends;

static ends ends_of(const draft *d, const gb_dependence *dependence) {
  const gb_message *message = d->site->phases.message, *before = &message[dependence->before];
  const bool sender = d->a->sync.sync->signaller == GB_SIGNALLER_SENDER;
  ends e = {.signalled = message[dependence->after].from, .signalling = sender ? before->from : before->to};
  if (e.signalling == d->me) {
    e.signaller = step_of(d, sender ? &d->send : &d->receive, dependence->before);
  }
  if (e.signalled == d->me) {
    e.waiter = step_of(d, &d->send, dependence->after);
  }
  return e;
}

/* Counts the signals that each step waits for and sends; `signal_host`, unless it is NULL, gets their hosts,
 * too. */
static void visit_signals(draft *d, uint32_t *signal_host) {
  for (size_t i = 0; i < d->site->order.count; i++) {
    const gb_dependence *dependence = &d->site->order.dependence[i];
    if (!gb_alltoall_needs_signal(d->site, d->a->sync, dependence)) {
      continue;
    }
    const ends e = ends_of(d, dependence);
    if (e.signaller != NULL && signal_host != NULL) {
      signal_host[e.signaller->signal + e.signaller->signals] = d->site->host[e.signalled];
    }
    if (e.waiter != NULL && signal_host != NULL) {
      signal_host[e.waiter->wait + e.waiter->waits] = d->site->host[e.signalling];
    }
    if (e.signaller != NULL) {
      e.signaller->signals++;
    }
    if (e.waiter != NULL) {
      e.waiter->waits++;
    }
  }
}

/* Sets where the signals of each step begin, from `begin` on; the counts begin again. Returns the end. */
static uint32_t place_signals(steps *s, uint32_t begin) {
  for (uint32_t i = 0; i < s->count; i++) {
    gb_exchange_step *step = &s->step[i];
    step->wait = begin;
    step->signal = begin + step->waits;
    begin += step->waits + step->signals;
    step->waits = step->signals = 0;
  }
  return begin;
}

static bool fill_steps(draft *d, gb_exchange *out, uint32_t *signals) {
  bool enough = d->dummy != NULL && d->busy != NULL;
  for (uint32_t p = 0; enough && p < d->site->phases.count; p++) {
    enough = add_phase(d, p);
  }
  if (!enough) {
    return false;
  }
  for (uint32_t i = 0; d->a->sync.sync->paced && d->a->bytes > 0 && i < d->send.count; i++) {
    d->send.step[i].pace = gb_alltoall_pace(d->site, d->a->bytes) / (double)d->a->bytes;
    d->send.step[i].ahead = GB_PACED_AHEAD - 1;
  }
  visit_signals(d, NULL);
  *signals = place_signals(&d->receive, place_signals(&d->send, 0));
  out->signal_host = malloc((*signals + (size_t)1) * sizeof *out->signal_host);
  if (out->signal_host != NULL) {
    visit_signals(d, out->signal_host);
  }
  return out->signal_host != NULL;
}

static draft find(const gb_alltoall *a, uint32_t host) {
  draft d = {.a = a, .site = a->site};
  while (d.site->host[d.me] != host) {
    if (++d.me == d.site->machines.count) {
      d.me = 0;
      d.site++;
    }
  }
  return d;
}

/* The track of its own site, in phases. */
static bool add_phases(draft *d, gb_exchange *out, uint32_t *signals) {
  d->dummy = malloc(d->site->machines.count * sizeof *d->dummy);
  d->busy = malloc(d->site->machines.count * sizeof *d->busy * 2);
  const bool enough = fill_steps(d, out, signals);
  out->track[out->track_count++] = (gb_exchange_track){.blocks = 1,
                                                       .send = d->send.step,
                                                       .receive = d->receive.step,
                                                       .send_count = d->send.count,
                                                       .receive_count = d->receive.count};
  free(d->send.message);
  free(d->receive.message);
  free(d->dummy);
  free(d->busy);
  return enough;
}

int gb_exchange_new(const gb_alltoall *a, uint32_t host, gb_exchange *out, gbcast_error *err) {
  draft d = find(a, host);
  const bool alone = a->site_count == 1, phases = gb_sync_in_phases(a->sync.sync);
  const uint32_t site = (uint32_t)(d.site - a->site), tracks = alone ? 2 : a->transfers.tracks[site];
  uint32_t signals = 0;
  *out = (gb_exchange){.track = calloc(tracks, sizeof *out->track),
                       .barriers = gb_alltoall_barriers(d.site, a->sync),
                       .block = a->sync.block};
  const bool enough =
      out->track != NULL &&
      (phases ? add_phases(&d, out, &signals) : gb_exchange_at_once(d.site, d.me, a->sync, out)) &&
      (alone || gb_exchange_add_transfers(a, site, d.me, out, signals));
  if (!enough) {
    gb_exchange_free(out);
    return gb_no_memory(err);
  }
  return GBCAST_OK;
}

void gb_exchange_free(gb_exchange *exchange) {
  for (uint32_t i = 0; exchange->track != NULL && i < exchange->track_count; i++) {
    free(exchange->track[i].send);
    free(exchange->track[i].receive);
  }
  free(exchange->track);
  free(exchange->signal_host);
  free(exchange->place);
  *exchange = (gb_exchange){0};
}
