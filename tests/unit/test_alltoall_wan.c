/* What each host does in an all-to-all of several clusters, played through with messages that take as long as
 * they like. */
#include "plan/exchange.h"
#include "plans.h"
#include "random_platform.h"

enum { GRID_HOSTS = 64, GRID_SITES = 6 };

/* A host's track. */
typedef struct actor {
  uint32_t host, site, number; /* of the track */
  const gb_exchange *part;
  const gb_exchange_track *track;
  uint32_t sent, waited, told;
  bool busy;
} actor;

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
  bool in_lane[GRID_SITES * GRID_SITES][GRID_HOSTS]; /* by way: a message is */
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

/* The way of the next send, or NULL inside the site. */
static const gb_way *way_of(const stage *s, const actor *x) {
  const uint32_t to = site_of(s, x->track->send[x->sent].peer);
  return to == x->site ? NULL : gb_way_between(&s->a->ways, s->a->site_count, x->site, to);
}

/* The lane of the next send, or GB_NONE where the next host of the lane has been told. */
static uint32_t lane_of(const stage *s, const actor *x, const gb_way *way) {
  const uint32_t phase = x->track->send[x->sent].phase;
  for (uint32_t l = 0; l < way->lanes; l++)
    for (uint32_t i = way->lane[l]; i < way->lane[l + 1]; i++) {
      const gb_turn *turn = &way->turn[i];
      if (s->a->site[x->site].host[turn->machine] == x->host && phase >= turn->slot &&
          phase < turn->slot + turn->count)
        return phase == turn->slot || phase + way->early < turn->slot + turn->count ? l : GB_NONE;
    }
  cr_assert_fail("%u has no turn for message %u", x->host, phase);
  return GB_NONE;
}

/* Gives a message its lane, where nobody else is, and where the way before on the track has gone. */
static void enter_lane(stage *s, const actor *x) {
  const gb_way *way = way_of(s, x);
  const uint32_t lane = way == NULL ? GB_NONE : lane_of(s, x, way);
  if (lane == GB_NONE)
    return;
  bool *in_lane = s->in_lane[way - s->a->ways.way];
  cr_assert(!in_lane[lane], "lane %u of %u -> %u has two senders", lane, way->from, way->to);
  in_lane[lane] = true;
  if (way->previous != GB_NONE) {
    const gb_way *before = &s->a->ways.way[way->previous];
    const uint32_t common = before->lanes < way->lanes ? before->lanes : way->lanes;
    for (uint32_t l = lane % common; l < before->lanes; l += common)
      cr_assert(!s->in_lane[way->previous][l], "%u -> %u began too soon", way->from, way->to);
  }
}

static void leave_lane(stage *s, const actor *x) {
  const gb_way *way = way_of(s, x);
  const uint32_t lane = way == NULL ? GB_NONE : lane_of(s, x, way);
  if (lane != GB_NONE)
    s->in_lane[way - s->a->ways.way][lane] = false;
}

static void say(stage *s, const actor *x, const gb_exchange_step *step) {
  for (uint32_t i = 0; i < step->tells; i++)
    s->word[x->number][x->host][x->part->word[step->tell + i]]++;
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

static actor *receiver_of(stage *s, const actor *x, uint32_t *place) {
  const uint32_t to = x->track->send[x->sent].peer;
  for (uint32_t i = 0; i < s->actors; i++)
    for (*place = 0; s->actor[i].host == to && *place < s->actor[i].track->receive_count; ++*place)
      if (s->actor[i].track->receive[*place].peer == x->host)
        return &s->actor[i];
  cr_assert_fail("%u does not expect %u", to, x->host);
  return NULL;
}

static bool start(stage *s, actor *x) {
  if (x->busy || x->sent == x->track->send_count)
    return false;
  const gb_exchange_step *step = &x->track->send[x->sent];
  for (; x->waited < step->waits; x->waited++) {
    uint32_t *word = &s->word[x->number][x->part->word[step->wait + x->waited]][x->host];
    if (*word == 0)
      return false;
    --*word;
  }
  x->busy = true;
  enter_lane(s, x);
  return true;
}

static bool end(stage *s, actor *x) {
  if (!x->busy)
    return false;
  const gb_exchange_step *step = &x->track->send[x->sent];
  uint32_t place;
  actor *receiver = receiver_of(s, x, &place);
  if (s->in_order && place != receiver->told)
    return false;
  cr_assert(!s->had[x->host][step->peer], "%u has two messages from %u", step->peer, x->host);
  s->had[x->host][step->peer] = true;
  leave_lane(s, x);
  pass_receives(s, receiver);
  say(s, x, step);
  x->sent++;
  x->waited = 0;
  x->busy = false;
  return true;
}

/* Until nobody can do anything more: then everything has arrived and every word was waited for. */
static void play(stage *s) {
  for (uint32_t idle = 0; idle < s->actors;) {
    const uint32_t first = random_below(&s->random, s->actors);
    for (idle = 0; idle < s->actors; idle++) {
      actor *x = &s->actor[(first + idle) % s->actors];
      if (end(s, x) || start(s, x))
        break;
    }
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
    cr_assert_eq(s->part[h].track_count, a->site_count > 1 ? a->ways.tracks[site] : 1);
    for (uint32_t k = 0; k < s->part[h].track_count; k++)
      s->actor[s->actors++] =
          (actor){.host = h, .site = site, .number = k, .part = &s->part[h], .track = &s->part[h].track[k]};
  }
}

Test(alltoall_wan, hosts_that_know_their_part_only) {
  static stage s;
  gb_random r = {6};
  uint32_t early = 0, turns = 0, shared = 0;
  for (uint32_t round = 0; round < 150; round++) {
    const uint32_t slots = 1 + 2 * random_below(&r, 2), sparse = random_below(&r, 2);
    gbcast_platform *p =
        random_platform(&r, (gb_grid_kind){GRID_SITES, 9, slots, true, true, sparse == 1, round % 5 == 0});
    static const char *const sync[] = {NULL, "sender-all", "no-sync", "receiver-partial:2"};
    gbcast_plan *plan =
        make(p, (gbcast_request){
                    .operation = GBCAST_ALLTOALL, .bytes = 1ull << (round % 21), .sync = sync[round % 4]});
    for (uint32_t w = 0; w < plan->alltoall->ways.count; w++) {
      const gb_way *way = &plan->alltoall->ways.way[w];
      early += way->early > 0 && way->lane[way->lanes] > way->lanes;
      turns += way->lane[way->lanes] > way->lanes;
      shared += way->previous != GB_NONE;
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
  cr_assert(early > 50 && turns > 200 && shared > 100, "%u, %u and %u: too few to tell", early, turns,
            shared);
}
