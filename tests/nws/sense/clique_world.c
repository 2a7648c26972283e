#include "tests/nws/sense/clique_world.h"

#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define GAIN 0.15 /* of NWS's cycle times */

world *world_new(uint32_t count, unsigned nws, uint64_t seed) {
  world *w = calloc(1, sizeof *w);
  cr_assert_not_null(w);
  w->rules = (gb_clique_rules){.period = 10, .slot = 3, .experiment = 4, .hand_over = 2};
  w->count = count;
  w->seed = seed;
  w->wall = 1.8e9;
  for (uint32_t i = 0; i < count; i++)
    w->m[i].nws = (nws >> i & 1) != 0;
  return w;
}

void world_free(world *w) {
  free(w);
}

double world_some(world *w, double most) {
  return most * (1 + xorshift(&w->seed, 999)) / 1000;
}

static bool reachable(const world *w, uint32_t from, uint32_t to) {
  return w->m[to].alive && !w->cut[from][to];
}

/* Sends one, unless it is lost, to arrive before `latest`. */
static void post(world *w, const letter *l, double latest) {
  if (xorshift(&w->seed, 1000) < w->loss)
    return;
  uint32_t i = 0;
  while (i < w->used && !isinf(w->letters[i].at))
    i++;
  cr_assert_lt(i, LETTERS, "too many messages are on their way");
  if (i == w->used)
    w->used++;
  w->letters[i] = *l;
  w->letters[i].at = w->now + world_some(w, latest - w->now);
}

void world_stop(world *w, uint32_t i) {
  w->m[i] = (member){.nws = w->m[i].nws, .exchange = w->m[i].exchange};
  for (uint32_t k = 0; k < w->used; k++)
    if (w->letters[k].to == i)
      w->letters[k].at = INFINITY; /* the connections break */
}

void world_start(world *w, uint32_t i) {
  world_stop(w, i);
  member *m = &w->m[i];
  m->alive = true;
  m->turn = -INFINITY;
  m->old.cycle = m->old.time_out = w->rules.period;
  if (!m->nws)
    gb_clique_start(&m->clique, &w->rules, w->count, i, w->wall + w->now, w->now);
}

void world_start_all(world *w) {
  for (uint32_t i = 0; i < w->count; i++)
    world_start(w, i);
}

/* A sensor of NWS takes control of a token, which has come or is made in place of a lost one. */
static void nws_adopt(world *w, uint32_t i, bool made) {
  nws_member *o = &w->m[i].old;
  double period = w->rules.period;
  if (made) {
    o->token.leader = i;
    o->token.instance += 1;
    o->time_out *= 2;
    o->next_run = w->now;
  } else if (o->token.leader == i && o->cycle_start > 0) {
    double took = w->now - o->cycle_start, error = fabs(took - o->cycle);
    o->cycle += GAIN * (took - o->cycle);
    o->deviation = fabs(o->deviation + GAIN * (o->deviation - error));
    o->time_out = period + o->cycle + 2 * o->deviation;
    o->next_run = o->cycle_start + period;
  } else {
    o->next_run = fmax(w->now, o->cycle_start > 0 ? o->cycle_start + period : 0);
  }
  if (o->time_out <= period + 1 || o->time_out > GB_TOKEN_TIME_OUT * period)
    o->time_out = GB_TOKEN_TIME_OUT * period;
  o->known = o->held = true;
  o->tried = i;
}

void world_define(world *w, uint32_t i) {
  member *m = &w->m[i];
  if (m->nws) {
    m->old.token = (gb_token_id){w->wall + w->now, 0, 0};
    nws_adopt(w, i, false);
  } else {
    gb_clique_redefine(&m->clique, &w->rules, w->count, i, NULL, w->now);
  }
}

static void nws_receive(world *w, uint32_t i, const gb_token_id *token) {
  nws_member *o = &w->m[i].old;
  const gb_token_id *own = &o->token;
  bool same = own->generated == token->generated;
  if (o->known && (own->generated > token->generated || (same && own->instance > token->instance) ||
                   (same && own->instance == token->instance && own->leader > token->leader)))
    return;
  o->token = *token;
  nws_adopt(w, i, false);
  if (w->m[i].doing == MEASURING)
    w->m[i].doing = IDLE;
}

static void check_turn(world *w, member *m) {
  if (m->clique.began == m->turn) {
    cr_assert_lt(w->now - m->turn, w->rules.slot);
    return;
  }
  cr_assert(w->now - m->turn > w->rules.period - 1e-6, "a turn after %g s", w->now - m->turn);
  m->turn = w->now;
}

static void begin_experiment(world *w, uint32_t i, uint32_t with, const gb_token_id *token) {
  member *m = &w->m[i];
  m->doing = MEASURING;
  m->with = with;
  m->token = *token;
  m->ends = w->now + world_some(w, w->rules.experiment);
}

static void begin_hand_over(world *w, uint32_t i, uint32_t with, const gb_token_id *token) {
  member *m = &w->m[i];
  m->doing = PASSING;
  m->with = with;
  m->token = *token;
  m->exchange++;
  m->reached = reachable(w, i, with);
  m->ends = w->now + w->rules.hand_over;
  if (m->reached)
    post(w, &(letter){.from = i, .to = with, .exchange = m->exchange, .token = *token},
         w->now + w->rules.hand_over / 2);
  else if (!w->cut[i][with])
    m->ends = w->now + world_some(w, w->rules.hand_over); /* the connection is refused */
}

/* What a sensor of NWS does when its time has come: the next experiment, or the hand-over. */
static void nws_work(world *w, uint32_t i) {
  nws_member *o = &w->m[i].old;
  if (!o->held)
    nws_adopt(w, i, true);
  if (o->tried == i)
    o->cycle_start = w->now;
  o->tried = (o->tried + 1) % w->count;
  if (o->tried != i)
    begin_experiment(w, i, o->tried, &o->token);
  else
    begin_hand_over(w, i, (i + 1) % w->count, &o->token);
}

/* Begins what a member wants to; when it has to be asked again, at most `limit`. */
static double ask(world *w, uint32_t i, double limit) {
  member *m = &w->m[i];
  if (!m->alive || m->frozen || m->doing == PASSING)
    return limit;
  if (m->nws) {
    if (m->old.known && m->doing == IDLE && w->now >= m->old.next_run)
      nws_work(w, i);
    return m->old.known && m->doing == IDLE ? fmin(limit, m->old.next_run) : limit;
  }
  gb_token_id before = m->clique.seen;
  gb_clique_action action = gb_clique_next(&m->clique, w->now);
  w->made += gb_token_compare(&before, &m->clique.seen) != 0;
  if (action.what == GB_CLIQUE_WAIT)
    return fmin(limit, action.deadline);
  cr_assert(m->doing == IDLE && action.member < w->count && action.member != i);
  if (action.what == GB_CLIQUE_MEASURE)
    check_turn(w, m);
  if (action.what == GB_CLIQUE_MEASURE)
    begin_experiment(w, i, action.member, &m->clique.seen);
  else
    begin_hand_over(w, i, action.member, &action.token);
  return limit;
}

static void handed_over(world *w, uint32_t i, enum gb_hand_over how) {
  member *m = &w->m[i];
  m->doing = IDLE;
  if (!m->nws) {
    gb_clique_handed_over(&m->clique, how, w->now);
    return;
  }
  uint32_t next = (m->with + 1) % w->count;
  if (how != GB_HAND_OVER_REFUSED) { /* without an acknowledgement, too */
    m->old.held = false;
    m->old.next_run = m->old.cycle_start + m->old.time_out;
  } else if (next != i) {
    begin_hand_over(w, i, next, &m->token);
  } else {
    m->old.next_run = m->old.cycle_start + w->rules.period;
  }
}

static void end(world *w, uint32_t i) {
  member *m = &w->m[i];
  bool good = reachable(w, i, m->with) && reachable(w, m->with, i) && !w->m[m->with].frozen;
  if (m->doing == PASSING) {
    handed_over(w, i, m->reached ? GB_HAND_OVER_UNKNOWN : GB_HAND_OVER_REFUSED);
    return;
  }
  m->doing = IDLE;
  if (good)
    w->measured[i][m->with] = w->now;
  w->experiments += good;
  if (m->nws)
    m->old.next_run = w->now;
  else
    gb_clique_measured(&m->clique, good, w->now);
}

/* A sensor of NWS reads nothing while it hands a token over. */
static bool reads(const member *m) {
  return m->alive && !m->frozen && !(m->nws && m->doing == PASSING);
}

static void deliver(world *w, letter *l) {
  letter came = *l;
  member *m = &w->m[l->to];
  l->at = INFINITY;
  if (came.acknowledges) {
    if (m->alive && m->doing == PASSING && m->exchange == came.exchange)
      handed_over(w, came.to, GB_HAND_OVER_TAKEN);
    return;
  }
  post(w, &(letter){.from = came.to, .to = came.from, .exchange = came.exchange, .acknowledges = true},
       w->now + w->rules.hand_over / 2);
  if (m->nws)
    nws_receive(w, came.to, &came.token);
  else
    (void)gb_clique_take(&m->clique, &came.token, w->now);
}

static bool ready(const world *w, const letter *l) {
  const member *m = &w->m[l->to];
  return !isinf(l->at) && (l->acknowledges ? m->alive && !m->frozen : reads(m));
}

/* The next moment at which something happens, at most `limit`. */
static double soonest(world *w, double limit) {
  for (uint32_t i = 0; i < w->count; i++)
    limit = ask(w, i, limit);
  for (uint32_t i = 0; i < w->count; i++)
    if (w->m[i].alive && !w->m[i].frozen && w->m[i].doing != IDLE)
      limit = fmin(limit, w->m[i].ends);
  for (uint32_t k = 0; k < w->used; k++)
    if (ready(w, &w->letters[k]))
      limit = fmin(limit, w->letters[k].at);
  return fmax(limit, w->now);
}

static void check_tokens(world *w) {
  bool overlap = false;
  for (uint32_t i = 0; i < w->count; i++)
    for (uint32_t j = 0; j < i; j++) {
      const member *a = &w->m[i], *b = &w->m[j];
      if (a->doing != MEASURING || b->doing != MEASURING || a->frozen || b->frozen)
        continue;
      overlap = true;
      /* A sensor of NWS that restarted may give a token the id of one that it made before. */
      cr_assert(gb_token_compare(&a->token, &b->token) != 0 || w->m[a->token.leader].nws,
                "%u, %u: by one token", i, j);
    }
  w->overlaps += overlap;
}

void world_run(world *w, double seconds) {
  double until = w->now + seconds;
  unsigned still = 0; /* steps without time */
  while (w->now < until) {
    while (w->used > 0 && isinf(w->letters[w->used - 1].at))
      w->used--;
    double next = soonest(w, until);
    check_tokens(w);
    still = next > w->now ? 0 : still + 1;
    cr_assert_lt(still, 1000, "nothing goes on at %.17g", next);
    w->now = next;
    for (uint32_t k = 0; k < w->used; k++)
      if (ready(w, &w->letters[k]) && w->letters[k].at <= w->now)
        deliver(w, &w->letters[k]);
    for (uint32_t i = 0; i < w->count; i++)
      if (w->m[i].alive && !w->m[i].frozen && w->m[i].doing != IDLE && w->m[i].ends <= w->now)
        end(w, i);
  }
}

void world_shake(world *w, double seconds) {
  double until = w->now + seconds;
  while (w->now < until) {
    world_run(w, fmin(until - w->now, world_some(w, 20 * w->rules.period)));
    uint32_t i = xorshift(&w->seed, w->count);
    if (!w->m[i].alive)
      world_start(w, i);
    else if (xorshift(&w->seed, 2) > 0)
      world_stop(w, i);
    else
      w->m[i].frozen = !w->m[i].frozen;
  }
}

uint32_t world_heal(world *w, bool all) {
  uint32_t alive = 0;
  w->loss = 0;
  for (uint32_t i = 0; i < w->count; i++) {
    if (all && !w->m[i].alive)
      world_start(w, i);
    w->m[i].frozen = false;
    alive += w->m[i].alive;
  }
  return alive;
}

void world_isolate(world *w, uint32_t i, bool cut) {
  for (uint32_t j = 0; j < w->count; j++)
    w->cut[i][j] = w->cut[j][i] = cut && i != j;
}

double world_bound(const world *w) {
  const gb_clique_rules *r = &w->rules;
  return w->count * (r->period + w->count * (r->slot + r->experiment + r->hand_over));
}

void world_check_measured(const world *w, double seconds) {
  for (uint32_t i = 0; i < w->count; i++)
    for (uint32_t j = 0; j < w->count; j++)
      if (i != j && w->m[i].alive && w->m[j].alive)
        cr_assert_gt(w->measured[i][j], fmax(0, w->now - seconds), "%u did not measure %u: %g, now %g", i, j,
                     w->measured[i][j], w->now);
}
