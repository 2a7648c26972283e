/* The states of one member. */
#include "nws/sense/clique.h"

#include <math.h>

#define STAGGER 1.0 /* s; between the members' attempts to make a token */
enum { PAUSE = 3 }; /* turns: a peer that does not answer takes up much of a turn */
#define FADING 0.9  /* of a long round, with each that follows */

static uint32_t after(const gb_clique *c, uint32_t member) {
  return (member + 1) % c->count;
}

/* Everybody uses all of a turn, and handing on takes as long as it may. */
double gb_clique_round_most(const gb_clique *c) {
  const gb_clique_rules *r = &c->rules;
  return r->period + c->count * (r->slot + r->experiment + r->hand_over);
}

/* A token that is missed too early does no harm, so no need to wait for the longest that a round can take. */
static void go_away(gb_clique *c, double now) {
  double most = gb_clique_round_most(c);
  double round =
      fmax(c->round, c->rules.period); /* it may have been shorter while members handed it on at once */
  double usual = c->round > 0 ? fmin(most, 2 * (round + c->rules.hand_over)) : most;
  c->state = GB_CLIQUE_AWAY;
  c->until = now + usual + c->self * STAGGER;
}

static void come_back(gb_clique *c, double now) {
  if (!isinf(c->came))
    c->round = fmax(now - c->came, FADING * c->round);
  c->came = now;
  c->made = false;
}

static void rest(gb_clique *c, double now) {
  c->state = GB_CLIQUE_RESTING;
  c->until = fmax(now, c->began + c->rules.period);
}

static void pass(gb_clique *c) {
  c->state = GB_CLIQUE_PASSING;
  c->begun = false;
  c->renewed = c->returned = false;
  c->to = c->self;
  for (uint32_t i = 0; i < c->count; i++)
    if (c->silence[i] > 0)
      c->silence[i]--;
}

/* The next member to hand the token to is c->to; false: there is none left. */
static bool choose_next(gb_clique *c) {
  do
    c->to = after(c, c->to);
  while (c->to != c->self && c->silence[c->to] > 0);
  return c->to != c->self;
}

void gb_clique_start(gb_clique *c, const gb_clique_rules *rules, uint32_t count, uint32_t self, double wall,
                     double now) {
  *c = (gb_clique){.rules = *rules, .count = count, .self = self, .began = -INFINITY, .came = -INFINITY};
  c->born = wall - now;
  c->part = fmod(wall * 1e-10, 1);
  c->seen = (gb_token_id){.instance = -1};
  c->peer = after(c, self);
  c->until = now + self * STAGGER;
}

/* Whether it is one that a member made because it had seen none. */
static bool is_weak(const gb_token_id *token) {
  return token->generated <= 0 && token->instance < 0;
}

/* Hands a token on that is new to this member, unless it should measure first. */
static void receive_new(gb_clique *c, bool first, double now) {
  bool measures = !is_weak(&c->seen) && (first || c->unmeasured);
  c->came = -INFINITY;
  if (measures)
    rest(c, now);
  else
    pass(c);
  c->unmeasured = !measures;
}

/* The token, of which a copy may be elsewhere, is replaced by a newer one. */
static void renew(gb_clique *c) {
  c->seen.instance = floor(c->seen.instance) + 1 + c->part;
  c->seen.leader = c->self;
  c->made = true;
}

static void make(gb_clique *c, bool strong, double now) {
  if (strong && c->born + now > c->seen.generated)
    c->seen = (gb_token_id){.generated = c->born + now, .instance = -1};
  if (c->seen_any || strong)
    renew(c);
  else /* above -1 and below 0, so that it loses against all others; the later it is made, the lower */
    c->seen = (gb_token_id){0, -(c->born + now) * 1e-10, c->self};
  c->made = true;
  c->seen_any = true;
  c->unmeasured = true;
  c->came = -INFINITY;
  pass(c);
}

void gb_clique_redefine(gb_clique *c, const gb_clique_rules *rules, uint32_t count, uint32_t self,
                        const gb_token_id *token, double now) {
  double began = c->began, wall = c->born + now;
  bool first = !c->seen_any;
  gb_clique_start(c, rules, count, self, wall, now);
  c->began = began;
  if (token == NULL) {
    make(c, true, now);
    return;
  }
  c->seen = *token;
  c->seen_any = true;
  receive_new(c, first, now);
}

/* Whether there is a peer left to be measured in this turn; then it is c->peer. */
static bool choose_peer(gb_clique *c) {
  for (; c->measured < c->count - 1; c->peer = after(c, c->peer)) {
    if (c->peer == c->self)
      continue;
    if (c->pause[c->peer] == 0)
      return true;
    c->pause[c->peer]--;
    c->measured++;
  }
  return false;
}

static void begin_turn(gb_clique *c, double now) {
  c->state = GB_CLIQUE_MEASURING;
  c->begun = false;
  c->renewed = false;
  c->unmeasured = false;
  c->began = now;
  c->measured = 0;
  if (!choose_peer(c))
    pass(c);
}

gb_clique_action gb_clique_next(gb_clique *c, double now) {
  if (c->state == GB_CLIQUE_AWAY && now >= c->until)
    make(c, c->made, now);
  else if (c->state == GB_CLIQUE_RESTING && now >= c->until)
    begin_turn(c, now);
  if (c->state == GB_CLIQUE_PASSING && !c->begun && !choose_next(c))
    rest(c, now);
  bool busy = c->state == GB_CLIQUE_MEASURING || c->state == GB_CLIQUE_PASSING;
  if (!busy || c->begun)
    return (gb_clique_action){.what = GB_CLIQUE_WAIT, .deadline = busy ? INFINITY : c->until};
  c->begun = true;
  if (c->state == GB_CLIQUE_MEASURING)
    return (gb_clique_action){.what = GB_CLIQUE_MEASURE, .member = c->peer};
  return (gb_clique_action){.what = GB_CLIQUE_HAND_OVER, .member = c->to, .token = c->seen};
}

void gb_clique_measured(gb_clique *c, bool good, double now) {
  c->begun = false;
  c->pause[c->peer] = good ? 0 : PAUSE;
  c->peer = after(c, c->peer);
  c->measured++;
  if (c->renewed || now - c->began >= c->rules.slot || !choose_peer(c))
    pass(c);
}

bool gb_clique_take(gb_clique *c, const gb_token_id *token, double now) {
  int newer = gb_token_compare(token, &c->seen);
  if (newer < 0)
    return false;
  if (newer == 0) {
    if (c->state == GB_CLIQUE_AWAY) {
      come_back(c, now);
      rest(c, now);
    }
    c->returned = c->state == GB_CLIQUE_PASSING && c->begun; /* faster than its acknowledgement */
    return true;
  }
  bool first = !c->seen_any;
  c->seen = *token;
  c->seen_any = true;
  c->made = false;
  if (c->state == GB_CLIQUE_AWAY || c->state == GB_CLIQUE_RESTING)
    receive_new(c, first, now);
  else
    c->renewed = c->begun; /* what has begun comes to its end first */
  return true;
}

void gb_clique_handed_over(gb_clique *c, enum gb_hand_over how, double now) {
  c->begun = false;
  if (how == GB_HAND_OVER_UNKNOWN)
    c->silence[c->to] = PAUSE + 1;
  if (c->renewed) /* what was offered is no longer what is held */
    receive_new(c, false, now);
  else if (c->returned) {
    come_back(c, now);
    rest(c, now);
  } else if (how == GB_HAND_OVER_TAKEN)
    go_away(c, now);
  else if (how == GB_HAND_OVER_UNKNOWN)
    renew(c);
}
