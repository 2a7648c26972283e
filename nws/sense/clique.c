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
  double usual = c->round > 0 ? fmin(most, 2 * (c->round + c->rules.hand_over)) : most;
  c->state = GB_CLIQUE_AWAY;
  c->until = now + usual + c->self * STAGGER;
}

static void come_back(gb_clique *c, double now) {
  if (!isinf(c->came))
    c->round = fmax(now - c->came, FADING * c->round);
  c->came = now;
}

static void rest(gb_clique *c, double now) {
  c->state = GB_CLIQUE_RESTING;
  c->until = fmax(now, c->began + c->rules.period);
}

static void pass(gb_clique *c) {
  c->state = GB_CLIQUE_PASSING;
  c->begun = false;
  c->renewed = false;
  c->to = after(c, c->self);
}

void gb_clique_start(gb_clique *c, const gb_clique_rules *rules, uint32_t count, uint32_t self, double born,
                     double now) {
  *c = (gb_clique){.rules = *rules, .count = count, .self = self, .began = -INFINITY, .came = -INFINITY};
  /* Below -1, so that what is made of it loses against all that was made in place of a lost one; the later
   * it was born, the lower. */
  c->seen = (gb_token_id){0, -1 - born * 1e-10, self};
  c->peer = after(c, self);
  c->until = now + self * STAGGER;
}

static void make(gb_clique *c) {
  c->seen.instance += 1;
  c->seen.leader = c->self;
  c->held = true;
  pass(c);
}

/* Whether there is a peer left to be measured in this turn; then it is c->peer. */
static bool choose(gb_clique *c) {
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
  c->began = now;
  c->measured = 0;
  if (!choose(c))
    pass(c);
}

gb_clique_action gb_clique_next(gb_clique *c, double now) {
  if (c->state == GB_CLIQUE_AWAY && now >= c->until)
    make(c);
  else if (c->state == GB_CLIQUE_RESTING && now >= c->until)
    begin_turn(c, now);
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
  if (c->renewed || now - c->began >= c->rules.slot || !choose(c))
    pass(c);
}

gb_token_id gb_clique_offered(const gb_clique *c, const gb_token_id *token) {
  return gb_token_compare(token, &c->seen) < 0 ? c->seen : *token;
}

void gb_clique_take(gb_clique *c, const gb_token_id *token, double now) {
  int newer = gb_token_compare(token, &c->seen);
  bool known = newer == 0 && c->held;
  if (known && c->state == GB_CLIQUE_AWAY) {
    come_back(c, now);
    rest(c, now);
  }
  if (newer < 0 || known)
    return;
  c->seen = *token;
  c->held = true;
  c->came = -INFINITY;
  if (c->state == GB_CLIQUE_AWAY || c->state == GB_CLIQUE_RESTING)
    pass(c);
  else
    c->renewed = true; /* what has begun comes to its end first */
}

bool gb_clique_answered(gb_clique *c, const gb_token_id *answer, double now) {
  int newer = gb_token_compare(answer, &c->seen);
  if (c->renewed) { /* what was offered is no longer what is held */
    pass(c);
    return false;
  }
  if (newer < 0) { /* that is no answer */
    gb_clique_refused(c, now);
    return false;
  }
  c->held = newer == 0;
  c->seen = *answer;
  go_away(c, now);
  return newer == 0;
}

void gb_clique_refused(gb_clique *c, double now) {
  c->begun = false;
  c->to = after(c, c->to);
  if (c->renewed)
    pass(c);
  else if (c->to == c->self)
    rest(c, now);
}
