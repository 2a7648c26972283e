/* What each host does in an all-to-all of several clusters, played through with messages that take as long as
 * they like. */
#include "plan/alltoall/alltoall.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"

enum { GRID_HOSTS = 64, GRID_SITES = 6 };

/* A host's track. */
typedef struct actor {
  uint32_t host, site, number; /* of the track */
  const gb_exchange *part;
  const gb_exchange_track *track;
  uint32_t started, sent; /* sends that have begun; that are over, without a gap */
  uint32_t waited;        /* words that the next one has had */
  uint32_t told;          /* receives after which all was said that is to be said */
  bool over[GRID_HOSTS];  /* by send */
} actor;

/* A host's messages that have a lane, of which the next host has not been told; paced: all that have begun.
 */
typedef struct lane {
  uint32_t host, messages;
} lane;

typedef struct stage {
  const gbcast_platform *p;
  const gb_alltoall *a;
  gb_random random;
  bool in_order; /* a message ends only when the receiver has all that it receives before */
  gb_exchange part[GRID_HOSTS];
  actor actor[GRID_HOSTS * GRID_SITES];
  uint32_t actors;
  bool had[GRID_HOSTS][GRID_HOSTS];                  /* from - to */
  uint32_t word[GRID_SITES][GRID_HOSTS][GRID_HOSTS]; /* track, from, to */
  lane lane[GRID_SITES * GRID_SITES][GRID_HOSTS];    /* by way */
} stage;

static uint32_t site_of(const stage *s, uint32_t host) {
  uint32_t site = 0;
  for (uint32_t i = 0; s->a->site[site].host[i] != host;)
    if (++i == s->a->site[site].machines.count) {
      i = 0;
      site++;
    }
  return site;
}

/* The way of a send, or NULL inside the site. */
static const gb_site_transfer *way_of(const stage *s, const actor *x, uint32_t send) {
  const uint32_t to = site_of(s, x->track->send[send].peer);
  return to == x->site ? NULL : gb_transfer_between(&s->a->transfers, s->a->site_count, x->site, to);
}

/* The lane of a send, or GB_NONE where the next host of the lane has been told. */
static uint32_t lane_of(const stage *s, const actor *x, const gb_site_transfer *transfer, uint32_t send) {
  const uint32_t phase = x->track->send[send].phase;
  for (uint32_t l = 0; l < transfer->lanes; l++)
    for (uint32_t i = transfer->lane[l]; i < transfer->lane[l + 1]; i++) {
      const gb_lane_slot *slot = &transfer->slot[i];
      if (s->a->site[x->site].host[slot->machine] == x->host && phase >= slot->before &&
          phase < slot->before + slot->count)
        return transfer->paced || phase == slot->before ||
                       phase + transfer->early < slot->before + slot->count
                   ? l
                   : GB_NONE;
    }
  cr_assert_fail("%u has no turn for message %u", x->host, phase);
  return GB_NONE;
}

static uint32_t length_of(const gb_site_transfer *transfer, uint32_t number) {
  const gb_lane_slot *last = &transfer->slot[transfer->lane[number + 1] - 1];
  return last->before + last->count;
}

/* Paced messages begin in the order of their lane, and when all have on the way before. */
static void follow_lane(stage *s, const actor *x, const gb_site_transfer *transfer, uint32_t number,
                        uint32_t send) {
  lane *own = &s->lane[transfer - s->a->transfers.transfer][number];
  cr_assert_eq(own->messages, x->track->send[send].phase, "lane %u of %u -> %u is not in order", number,
               transfer->from, transfer->to);
  own->messages++;
  if (transfer->previous != GB_NONE) {
    const gb_site_transfer *before = &s->a->transfers.transfer[transfer->previous];
    const uint32_t common = before->lanes < transfer->lanes ? before->lanes : transfer->lanes;
    for (uint32_t l = number % common; l < before->lanes; l += common)
      cr_assert_eq(s->lane[transfer->previous][l].messages, length_of(before, l), "%u -> %u began too soon",
                   transfer->from, transfer->to);
  }
}

/* Gives a message its lane, where no other host is, and where the way before on the track has gone. */
static void enter_lane(stage *s, const actor *x, uint32_t send) {
  const gb_site_transfer *transfer = way_of(s, x, send);
  const uint32_t number = transfer == NULL ? GB_NONE : lane_of(s, x, transfer, send);
  if (number == GB_NONE)
    return;
  if (transfer->paced) {
    follow_lane(s, x, transfer, number, send);
    return;
  }
  lane *own = &s->lane[transfer - s->a->transfers.transfer][number];
  cr_assert(own->messages == 0 || own->host == x->host, "lane %u of %u -> %u has two senders", number,
            transfer->from, transfer->to);
  own->host = x->host;
  own->messages++;
  if (transfer->previous != GB_NONE) {
    const gb_site_transfer *before = &s->a->transfers.transfer[transfer->previous];
    const uint32_t common = before->lanes < transfer->lanes ? before->lanes : transfer->lanes;
    for (uint32_t l = number % common; l < before->lanes; l += common)
      cr_assert(s->lane[transfer->previous][l].messages == 0 ||
                    s->lane[transfer->previous][l].host == x->host,
                "%u -> %u began too soon", transfer->from, transfer->to);
  }
}

static void leave_lane(stage *s, const actor *x, uint32_t send) {
  const gb_site_transfer *transfer = way_of(s, x, send);
  const uint32_t number = transfer == NULL ? GB_NONE : lane_of(s, x, transfer, send);
  if (number != GB_NONE && !transfer->paced)
    s->lane[transfer - s->a->transfers.transfer][number].messages--;
}

static void say(stage *s, const actor *x, const gb_exchange_step *step) {
  for (uint32_t i = 0; i < step->signals; i++)
    s->word[x->number][x->host][x->part->signal_host[step->signal + i]]++;
}

/* A receiver says in the order of its receives what it has to say about them. */
static void pass_receives(stage *s, actor *x) {
  for (; x->told < x->track->receive_count; x->told++) {
    const gb_exchange_step *step = &x->track->receive[x->told];
    if (!s->had[step->peer][x->host])
      return;
    say(s, x, step);
  }
}

static actor *receiver_of(stage *s, const actor *x, uint32_t send, uint32_t *place) {
  const uint32_t to = x->track->send[send].peer;
  for (uint32_t i = 0; i < s->actors; i++)
    for (*place = 0; s->actor[i].host == to && *place < s->actor[i].track->receive_count; ++*place)
      if (s->actor[i].track->receive[*place].peer == x->host)
        return &s->actor[i];
  cr_assert_fail("%u does not expect %u", to, x->host);
  return NULL;
}

static bool start(stage *s, actor *x) {
  const gb_exchange_step *step = &x->track->send[x->started];
  if (x->started == x->track->send_count || x->started - x->sent > step->ahead)
    return false;
  for (; x->waited < step->waits; x->waited++) {
    uint32_t *word = &s->word[x->number][x->part->signal_host[step->wait + x->waited]][x->host];
    if (*word == 0)
      return false;
    --*word;
  }
  enter_lane(s, x, x->started++);
  x->waited = 0;
  if (step->pace > 0)
    say(s, x, step);
  return true;
}

static bool end(stage *s, actor *x, uint32_t send) {
  const uint32_t to = x->track->send[send].peer;
  uint32_t place;
  actor *receiver = receiver_of(s, x, send, &place);
  if (x->over[send] || (s->in_order && place != receiver->told))
    return false;
  cr_assert(!s->had[x->host][to], "%u has two messages from %u", to, x->host);
  s->had[x->host][to] = x->over[send] = true;
  leave_lane(s, x, send);
  pass_receives(s, receiver);
  for (; x->sent < x->started && x->over[x->sent]; x->sent++)
    if (x->track->send[x->sent].pace == 0)
      say(s, x, &x->track->send[x->sent]);
  return true;
}

/* Ends a message of those under way, or begins one. */
static bool act(stage *s, actor *x) {
  const uint32_t count = x->started - x->sent, first = count > 0 ? random_below(&s->random, count) : 0;
  if (random_below(&s->random, 2) == 0 && start(s, x))
    return true;
  for (uint32_t i = 0; i < count; i++)
    if (end(s, x, x->sent + (first + i) % count))
      return true;
  return start(s, x);
}

/* Until nobody can do anything more: then everything has arrived and every word was waited for. */
static void play(stage *s) {
  for (uint32_t idle = 0; idle < s->actors;) {
    const uint32_t first = random_below(&s->random, s->actors);
    for (idle = 0; idle < s->actors; idle++)
      if (act(s, &s->actor[(first + idle) % s->actors]))
        break;
  }
  for (uint32_t i = 0; i < s->actors; i++) {
    cr_assert_eq(s->actor[i].sent, s->actor[i].track->send_count);
    cr_assert_eq(s->actor[i].told, s->actor[i].track->receive_count);
  }
  for (uint32_t from = 0; from < s->p->host_count; from++)
    for (uint32_t to = 0; to < s->p->host_count; to++) {
      cr_assert_eq(s->had[from][to], from != to);
      for (uint32_t k = 0; k < GRID_SITES; k++)
        cr_assert_eq(s->word[k][from][to], 0, "track %u: a word from %u to %u", k, from, to);
    }
}

static void set_up(stage *s, const gbcast_platform *p, const gb_alltoall *a, bool in_order, uint64_t seed) {
  gbcast_error err = {""};
  *s = (stage){.p = p, .a = a, .random = {seed}, .in_order = in_order};
  for (uint32_t h = 0; h < p->host_count; h++) {
    cr_assert_eq(gb_exchange_new(a, h, &s->part[h], &err), GBCAST_OK, "%s", err.message);
    const uint32_t site = site_of(s, h);
    cr_assert_eq(s->part[h].track_count, a->site_count > 1 ? a->transfers.tracks[site] : 1);
    for (uint32_t k = 0; k < s->part[h].track_count; k++)
      s->actor[s->actors++] =
          (actor){.host = h, .site = site, .number = k, .part = &s->part[h], .track = &s->part[h].track[k]};
  }
}

Test(alltoall_wan, hosts_that_know_their_part_only) {
  static stage s;
  gb_random r = {6};
  uint32_t early = 0, turns = 0, shared = 0, paced = 0;
  for (uint32_t round = 0; round < 150; round++) {
    const uint32_t slots = 1 + 2 * random_below(&r, 2), sparse = random_below(&r, 2);
    gbcast_platform *p = random_platform(
        &r, (gb_grid_kind){GRID_SITES, 9, slots, true, true, sparse == 1, round % 5 == 0, false});
    static const char *const sync[] = {NULL, "sender-all", "no-sync", "receiver-partial:2"};
    gbcast_plan *plan =
        make(p, (gbcast_request){
                    .operation = GBCAST_ALLTOALL, .bytes = 1ull << (round % 21), .sync = sync[round % 4]});
    for (uint32_t w = 0; w < plan->alltoall->transfers.count; w++) {
      const gb_site_transfer *transfer = &plan->alltoall->transfers.transfer[w];
      early += transfer->early > 0 && transfer->lane[transfer->lanes] > transfer->lanes;
      turns += transfer->lane[transfer->lanes] > transfer->lanes;
      shared += transfer->previous != GB_NONE;
      paced += transfer->paced && transfer->previous != GB_NONE &&
               transfer->lane[transfer->lanes] > transfer->lanes;
    }
    for (uint32_t in_order = 0; in_order < 2; in_order++) {
      set_up(&s, p, plan->alltoall, in_order == 1, round);
      play(&s);
      for (uint32_t h = 0; h < p->host_count; h++)
        gb_exchange_free(&s.part[h]);
    }
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
  cr_assert(early > 50 && turns > 200 && shared > 100 && paced > 20, "%u, %u, %u and %u: too few to tell",
            early, turns, shared, paced);
}
