/* Who works when there is more to do than an iteration allows. Work is counted, not timed. */
#include "nws/serve/session.h"
#include "tests/nws/serve/bench.h"

enum { SEARCHERS = 800, LARGE = GB_REGISTRY_TEXT_MOST };

/* One term of a filter on the largest object, see gb_filter_continue, is less than this. */
#define PIECE (GB_ITERATION_COST / 4)

typedef struct crowd {
  bench b;
  gb_turns turns;
  gb_session s[SEARCHERS];
} crowd;

/* Objects that are nothing but `piece`, again and again. */
static void register_large(bench *b, int count, const char *piece) {
  static char object[LARGE + 1];
  for (int i = 0; i < count; i++) {
    int at = snprintf(object, sizeof object, "name:n%d\t", i);
    for (size_t j = 0; at < LARGE - 2; j = piece[j + 1] != '\0' ? j + 1 : 0)
      object[at++] = piece[j];
    memcpy(object + at, "\t\t", 3);
    cr_assert(gb_store_register(&b->store, gb_view_of(object), 0, NOW));
  }
}

/* The longest filter that the name server reads, of this term. */
static void take_search(gb_session *s, const char *term) {
  static char filter[16000];
  filter[0] = '|';
  size_t length = 1, more = strlen(term);
  for (; length + more < sizeof filter; length += more)
    memcpy(filter + length, term, more);
  filter[length] = '\0';
  take_text(s, GB_NWS_NS_SEARCH, filter);
}

static crowd *set_up_crowd(int searchers, const char *piece, const char *term) {
  static crowd c;
  set_up(&c.b);
  c.turns = (gb_turns){0};
  c.b.service.held_most = (size_t)1 << 30;
  register_large(&c.b, 20, piece);
  for (int i = 0; i < searchers; i++) {
    gb_session_start(&c.s[i], &c.b.service, false);
    gb_turns_join(&c.turns, &c.s[i]);
    take_search(&c.s[i], term);
  }
  return &c;
}

static void tear_down_crowd(crowd *c, int searchers) {
  for (int i = 0; i < searchers; i++)
    gb_session_end(&c->s[i]);
  gb_turns_release(&c->turns);
  tear_down(&c->b);
}

static size_t iterate(crowd *c, int searchers, gb_session *other) {
  for (int i = 0; i < searchers; i++)
    gb_turns_add(&c->turns, &c->s[i]);
  if (other != NULL)
    gb_turns_add(&c->turns, other);
  return gb_turns_work(&c->turns, NOW);
}

/* Whether the store was acknowledged; takes the answer. */
static bool is_stored(gb_session *s) {
  gb_view said = gb_session_output(s);
  gb_nws_message m;
  bool answered = next_said(&said, &m);
  if (answered)
    cr_assert(m.number == GB_NWS_STATE_STORED && said.length == 0);
  gb_session_sent(s, gb_session_output(s).length);
  return answered;
}

static const struct {
  const char *piece, *term;
} costly[] = {{"a:", "a=x "},
              {":", "::=x "},
              {"a:x\t", "a=*****************************************************b* "},
              {"a", "a=*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab* "},
              {"a:a", "a>=a:aa:aa:aa:aa:aa:aa:aa:aa:aa:aa:aa:aa:aa:aa:aa:aa:b "},
              {"x", "                                                        "},
              {"x", "(!"}};

/* However long filters and objects are, an iteration ends when its budget is spent. */
Test(serve_turns, an_iteration_has_a_bound, .timeout = 60) {
  for (size_t i = 0; i < sizeof costly / sizeof *costly; i++) {
    crowd *c = set_up_crowd(SEARCHERS, costly[i].piece, costly[i].term);
    for (int j = 0; j < 40; j++) {
      size_t cost = iterate(c, SEARCHERS, NULL);
      cr_assert_leq(cost, GB_ITERATION_COST + PIECE, "'%s': %zu", costly[i].term, cost);
    }
    tear_down_crowd(c, SEARCHERS);
  }
}

/* A client that stores now and then is answered in the iteration in which its request arrives, and so is one
 * that has only just connected. */
Test(serve_turns, stores_do_not_wait_for_searches, .timeout = 60) {
  crowd *c = set_up_crowd(SEARCHERS, "a:", "a=x ");
  gb_session writer, fresh;
  for (int i = 0; i < SEARCHERS / 8; i++)
    (void)iterate(c, SEARCHERS, NULL);
  for (int i = 0; i < SEARCHERS; i++)
    cr_assert(c->s[i].search.matching || c->s[i].search.next > 0, "each has had a turn");
  gb_session_start(&writer, &c->b.service, true);
  gb_turns_join(&c->turns, &writer);
  for (int i = 0; i < 50; i++) {
    take_store(&writer, "honest", NOW - 200 + i);
    (void)iterate(c, SEARCHERS, &writer);
    cr_assert(is_stored(&writer), "%d", i);
    gb_session_start(&fresh, &c->b.service, true);
    gb_turns_join(&c->turns, &fresh);
    take_store(&fresh, "fresh", NOW - 200 + i);
    (void)iterate(c, SEARCHERS, &fresh);
    cr_assert(is_stored(&fresh), "%d", i);
    gb_session_end(&fresh);
    for (int j = 0; j < 10; j++) /* so that a store costs less than the share of its client */
      (void)iterate(c, SEARCHERS, NULL);
  }
  for (int i = 0; i < SEARCHERS; i++)
    cr_assert(c->s[i].search.on);
  gb_session_end(&writer);
  tear_down_crowd(c, SEARCHERS);
}

/* Those that always have work get equal shares, and all come to an end. */
Test(serve_turns, equal_shares, .timeout = 60) {
  enum { FEW = 30 };
  crowd *c = set_up_crowd(FEW, "b", "c=x ");
  int left = FEW;
  for (int i = 0; left > 0 && i < 10000; i++) {
    uint64_t least = UINT64_MAX, most = 0;
    (void)iterate(c, FEW, NULL);
    left = 0;
    for (int j = 0; j < FEW; j++) {
      uint64_t cost = c->s[j].cost;
      left += c->s[j].search.on;
      least = cost < least ? cost : least;
      most = cost > most ? cost : most;
    }
    cr_assert(left < FEW || most - least <= 2 * GB_ITERATION_COST / FEW + PIECE);
  }
  cr_assert_eq(left, 0);
  tear_down_crowd(c, FEW);
}

/* A client that was idle while others worked is not owed that time. */
Test(serve_turns, idle_time_is_lost, .timeout = 60) {
  enum { FEW = 100, BEFORE = 400, AFTER = 50 };
  crowd *c = set_up_crowd(FEW, "a:", "a=x ");
  gb_session *idle = &c->s[FEW - 1];
  uint64_t before = 0;
  for (int i = 0; i < BEFORE + AFTER; i++) {
    (void)iterate(c, i < BEFORE ? FEW - 1 : FEW, NULL);
    if (i == BEFORE)
      before = idle->cost;
  }
  cr_assert_leq(idle->cost - before, AFTER * (GB_ITERATION_COST / FEW) + 2 * GB_CREDIT + PIECE);
  tear_down_crowd(c, FEW);
}

/* Clients that connect anew whenever they had a turn do not keep others from theirs, and a store does not
 * wait for them. */
Test(serve_turns, connecting_again_gains_nothing, .timeout = 60) {
  enum { COMERS = 100, BEFORE = 100, AFTER = 300 };
  crowd *c = set_up_crowd(COMERS + 1, "a:", "a=x ");
  gb_session *searcher = &c->s[COMERS], writer;
  uint64_t before = 0;
  gb_session_start(&writer, &c->b.service, true);
  gb_turns_join(&c->turns, &writer);
  for (int i = 0; i < BEFORE + AFTER; i++) {
    if (i % 10 == 0)
      take_store(&writer, "honest", NOW - 500 + i);
    (void)iterate(c, COMERS + 1, &writer);
    cr_assert(i < BEFORE || i % 10 > 0 || is_stored(&writer), "%d", i);
    gb_session_sent(&writer, gb_session_output(&writer).length);
    for (int j = 0; j < COMERS; j++) {
      if (c->s[j].search.on) {
        gb_session_end(&c->s[j]);
        gb_session_start(&c->s[j], &c->b.service, false);
        gb_turns_join(&c->turns, &c->s[j]);
        take_search(&c->s[j], "a=x ");
      }
    }
    if (i == BEFORE)
      before = searcher->cost;
  }
  uint64_t share = AFTER * (uint64_t)GB_ITERATION_COST / (COMERS + 1);
  cr_assert_geq(searcher->cost - before, share / 3, "%g", (double)(searcher->cost - before) / (double)share);
  gb_session_end(&writer);
  tear_down_crowd(c, COMERS + 1);
}
