/* What each host does in an all-to-all, played through with messages that take as long as they like. */
#include "plan/alltoall/alltoall.h"
#include "tests/support/random_cluster.h"
#include "tests/support/random_exchange.h"

typedef struct actor {
  gb_exchange part;
  gb_exchange_track track; /* its one */
  uint32_t sent, waited;   /* sends that are over; words that the next one has had */
  uint32_t told;           /* receives after which all was said that is to be said */
  bool busy;
  bool had[HOSTS];  /* what was sent to it: from whom */
  uint32_t dummies; /* that came, and for which no receive was passed over */
} actor;

typedef struct stage {
  const cluster_fixture *f;
  const gb_alltoall_site *site;
  actor actor[HOSTS];
  uint32_t word[HOSTS][HOSTS]; /* from - to, said and not yet waited for */
  uint32_t used[LINKS];        /* messages that are on a link */
  bool overlap;
} stage;

static uint32_t machine_of(const stage *s, uint32_t host) {
  uint32_t m = 0;
  while (s->site->host[m] != host)
    m++;
  return m;
}

static void say(stage *s, uint32_t m, const gb_exchange_step *step) {
  for (uint32_t i = 0; i < step->signals; i++)
    s->word[m][machine_of(s, s->actor[m].part.signal_host[step->signal + i])]++;
}

/* Blocks of phases that are over for this host. */
static uint32_t reached(const actor *x) {
  const uint32_t send = x->sent < x->track.send_count ? x->track.send[x->sent].phase : UINT32_MAX;
  const uint32_t receive = x->told < x->track.receive_count ? x->track.receive[x->told].phase : UINT32_MAX;
  const uint32_t next = send < receive ? send : receive;
  return next == UINT32_MAX ? x->part.barriers : next / x->part.block;
}

static bool may_start(stage *s, uint32_t m) {
  actor *x = &s->actor[m];
  if (x->busy || x->sent == x->track.send_count)
    return false;
  const gb_exchange_step *step = &x->track.send[x->sent];
  for (uint32_t other = 0; x->part.barriers > 0 && other < s->site->machines.count; other++)
    if (reached(&s->actor[other]) < step->phase / x->part.block)
      return false;
  for (; x->waited < step->waits; x->waited++) {
    uint32_t *word = &s->word[machine_of(s, x->part.signal_host[step->wait + x->waited])][m];
    if (*word == 0)
      return false;
    --*word;
  }
  return true;
}

static void mark(stage *s, uint32_t m, uint32_t by) {
  uint32_t used[LINKS] = {0};
  mark_path(s->f, s->site->host[m], s->actor[m].track.send[s->actor[m].sent].peer, used);
  for (uint32_t link = 0; link < LINKS; link++)
    if (used[link] > 0) {
      s->used[link] += by;
      s->overlap |= s->used[link] > 1 && by == 1;
    }
}

/* A host says in the order of its receives what it has to say about them. */
static void receive(stage *s, uint32_t from, uint32_t to, bool dummy) {
  actor *x = &s->actor[to];
  cr_assert(dummy || !x->had[from], "%u has two messages from %u", to, from);
  x->had[from] |= !dummy;
  x->dummies += dummy;
  while (x->told < x->track.receive_count) {
    const gb_exchange_step *step = &x->track.receive[x->told];
    if (step->dummy ? x->dummies == 0 : !x->had[machine_of(s, step->peer)])
      return;
    x->dummies -= step->dummy;
    say(s, to, step);
    x->told++;
  }
}

static void end(stage *s, uint32_t m) {
  actor *x = &s->actor[m];
  const gb_exchange_step *step = &x->track.send[x->sent];
  mark(s, m, (uint32_t)-1);
  receive(s, m, machine_of(s, step->peer), step->dummy);
  say(s, m, step);
  x->sent++;
  x->waited = 0;
  x->busy = false;
}

/* Whether two messages were on one link at a time. Ends when nobody can do anything more: then everything has
 * arrived and every word was waited for. */
static bool play(const cluster_fixture *f, const gb_alltoall *a) {
  static stage s;
  gbcast_error err = {""};
  const uint32_t count = a->site->machines.count;
  s = (stage){.f = f, .site = a->site};
  for (uint32_t m = 0; m < count; m++) {
    cr_assert_eq(gb_exchange_new(a, a->site->host[m], &s.actor[m].part, &err), GBCAST_OK, "%s", err.message);
    cr_assert_eq(s.actor[m].part.track_count, 1);
    s.actor[m].track = s.actor[m].part.track[0];
  }
  for (uint32_t idle = 0; idle < count;) {
    const uint32_t first = rng(count);
    for (idle = 0; idle < count; idle++) {
      const uint32_t m = (first + idle) % count;
      if (s.actor[m].busy) {
        end(&s, m);
        break;
      }
      if (may_start(&s, m)) {
        s.actor[m].busy = true;
        mark(&s, m, 1);
        break;
      }
    }
  }
  for (uint32_t m = 0; m < count; m++) {
    cr_assert_eq(s.actor[m].told, s.actor[m].track.receive_count, "%s", a->sync.sync->name);
    for (uint32_t other = 0; other < count; other++) {
      cr_assert_eq(s.actor[m].had[other], other != m);
      cr_assert_eq(s.word[m][other], 0);
    }
    gb_exchange_free(&s.actor[m].part);
  }
  return s.overlap;
}

Test(alltoall_exchange, hosts_that_know_their_part_only) {
  static const char *const scheme[] = {
      "sender-all", "receiver-all",           "barrier-all",      "barrier-partial-sender:3",
      "no-sync",    "barrier-partial-none:3", "sender-partial:3", "barrier-partial-receiver:4",
      "dummy",      "receiver-partial:4",     "sender-partial:2", "at-once"};
  enum { SCHEMES = sizeof scheme / sizeof *scheme };
  static const bool full[SCHEMES] = {true, true, true, true, false, false, false, true};
  uint32_t overlaps[SCHEMES] = {0};
  for (uint32_t round = 0; round < 200; round++) {
    lone_exchange x;
    random_exchange(&x);
    for (size_t i = 0; i < SCHEMES; i++) {
      x.a.sync = choice_of(scheme[i]);
      const bool overlap = play(&x.f, &x.a);
      cr_assert(!(full[i] && overlap), "%s", scheme[i]);
      overlaps[i] += overlap;
    }
    drop(&x);
  }
  for (size_t i = 0; i < SCHEMES; i++)
    cr_assert(full[i] || overlaps[i] > 20, "%s: %u, so the replay tells nothing", scheme[i], overlaps[i]);
}

enum { BYTES = 65536 };

/* When messages begin on each link. */
typedef struct beginnings {
  double at[LINKS][HOSTS * HOSTS];
  uint32_t count[LINKS];
} beginnings;

/* What one host hears from another, in the order in which it was said. */
typedef struct hearing {
  double at[HOSTS * HOSTS];
  uint32_t said, heard;
} hearing;

/* Begins the next send of a host that has heard all; words take as long as they like. */
static bool begin_paced(stage *s, uint32_t m, double *next, hearing (*word)[HOSTS], beginnings *all) {
  actor *x = &s->actor[m];
  const gb_exchange_step *step = &x->track.send[x->sent];
  const double pace = step->pace * BYTES;
  if (x->sent == x->track.send_count)
    return false;
  for (; x->waited < step->waits; x->waited++) {
    hearing *h = &word[machine_of(s, x->part.signal_host[step->wait + x->waited])][m];
    if (h->heard == h->said)
      return false;
    const double after = h->at[h->heard++] + pace;
    next[m] = after > next[m] ? after : next[m];
  }
  uint32_t used[LINKS] = {0};
  mark_path(s->f, s->site->host[m], step->peer, used);
  for (uint32_t link = 0; link < LINKS; link++)
    if (used[link] > 0)
      all->at[link][all->count[link]++] = next[m];
  for (uint32_t i = 0; i < step->signals; i++) {
    hearing *h = &word[m][machine_of(s, x->part.signal_host[step->signal + i])];
    const double there = next[m] + rng(4) * pace, before = h->said > 0 ? h->at[h->said - 1] : 0;
    h->at[h->said++] = there > before ? there : before;
  }
  next[m] += pace;
  x->sent++;
  x->waited = 0;
  return true;
}

/* Two messages on one link are as far apart as one takes, with a bit to spare, however late words come. */
Test(alltoall_exchange, paced_messages_take_turns) {
  static stage s;
  static hearing word[HOSTS][HOSTS];
  static beginnings all;
  for (uint32_t round = 0; round < 300; round++) {
    lone_exchange x;
    gbcast_error err = {""};
    double next[HOSTS] = {0};
    random_exchange(&x);
    x.a.sync = choice_of("paced");
    x.a.bytes = BYTES;
    const uint32_t count = x.site.machines.count;
    x.site.slowest_a_byte = 8e-8;
    const double takes = BYTES * x.site.slowest_a_byte;
    s = (stage){.f = &x.f, .site = &x.site};
    memset(word, 0, sizeof word);
    memset(&all, 0, sizeof all);
    for (uint32_t m = 0; m < count; m++) {
      cr_assert_eq(gb_exchange_new(&x.a, x.host[m], &s.actor[m].part, &err), GBCAST_OK, "%s", err.message);
      s.actor[m].track = s.actor[m].part.track[0];
    }
    for (uint32_t idle = 0, m = 0; idle < count; m = (m + 1) % count)
      idle = begin_paced(&s, m, next, word, &all) ? 0 : idle + 1;
    for (uint32_t m = 0; m < count; m++) {
      cr_assert_eq(s.actor[m].sent, count - 1);
      gb_exchange_free(&s.actor[m].part);
    }
    for (uint32_t link = 0; link < LINKS; link++)
      for (uint32_t i = 0; i < all.count[link]; i++)
        for (uint32_t j = 0; j < i; j++) {
          const double apart = all.at[link][i] - all.at[link][j];
          cr_assert((apart < 0 ? -apart : apart) > takes * 1.05, "round %u: two at a time", round);
        }
    drop(&x);
  }
}

Test(alltoall_exchange, two_and_one) {
  gbcast_error err = {""};
  for (uint32_t hosts = 1; hosts <= 2; hosts++) {
    lone_exchange x = {.host = {1, 0}};
    random_cluster(&x.f, 3, 2);
    make_exchange(hosts, &x);
    x.a.sync = choice_of("receiver-all");
    gb_exchange e;
    cr_assert_eq(gb_exchange_new(&x.a, x.host[0], &e, &err), GBCAST_OK);
    cr_assert_eq(e.track[0].send_count, hosts - 1);
    cr_assert_eq(e.track[0].receive_count, hosts - 1);
    if (hosts == 2)
      cr_assert(e.track[0].send[0].peer == 0 && e.track[0].receive[0].peer == 0 &&
                e.track[0].send[0].waits + e.track[0].receive[0].signals == 0);
    gb_exchange_free(&e);
    drop(&x);
  }
}

/* Everything may be under way, waits for nothing, and each host's i-th message goes to a host of its own. */
Test(alltoall_exchange, all_at_once) {
  for (uint32_t round = 0; round < 100; round++) {
    lone_exchange x;
    bool sent[HOSTS][HOSTS] = {{false}}, received[HOSTS][HOSTS] = {{false}};
    random_exchange(&x);
    const uint32_t hosts = x.site.machines.count;
    stage s = {.site = &x.site};
    x.a.sync = choice_of("at-once");
    for (uint32_t m = 0; m < hosts; m++) {
      gb_exchange e;
      gbcast_error err;
      cr_assert_eq(gb_exchange_new(&x.a, x.host[m], &e, &err), GBCAST_OK);
      const gb_exchange_track *track = &e.track[0];
      cr_assert(e.track_count == 1 && e.barriers == 0);
      cr_assert(track->send_count == hosts - 1 && track->receive_count == hosts - 1);
      for (uint32_t i = 0; i + 1 < hosts; i++) {
        const gb_exchange_step *out = &track->send[i], *in = &track->receive[i];
        const uint32_t to = machine_of(&s, out->peer), from = machine_of(&s, in->peer);
        cr_assert(out->waits + out->signals + in->waits + in->signals == 0 && out->ahead >= i && !out->dummy);
        cr_assert(to != m && from != m && !sent[i][to] && !received[i][from]);
        sent[i][to] = received[i][from] = true;
      }
      gb_exchange_free(&e);
    }
    drop(&x);
  }
}

/* In groups: blocks, by whose and for whom, go as the two steps say, and each arrives where it belongs. */
Test(alltoall_exchange, two_steps) {
  for (uint32_t round = 0; round < 200; round++) {
    lone_exchange x;
    gb_exchange part[HOSTS];
    bool passed[HOSTS][HOSTS][HOSTS] = {{{false}}}; /* holder, from, to */
    gbcast_error err = {""};
    random_exchange(&x);
    const uint32_t hosts = x.site.machines.count;
    stage s = {.site = &x.site};
    x.a.sync = choice_of("two-step");
    do
      x.a.sync.block = 1 + rng(hosts);
    while (hosts % x.a.sync.block != 0);
    const uint32_t group = x.a.sync.block;
    for (uint32_t m = 0; m < hosts; m++) {
      cr_assert_eq(gb_exchange_new(&x.a, x.host[m], &part[m], &err), GBCAST_OK, "%s", err.message);
      cr_assert(part[m].track_count == 2 && part[m].group == group && part[m].places == hosts);
      cr_assert_eq(part[m].place[part[m].mine], x.host[m]);
      cr_assert(part[m].track[0].blocks == hosts / group && part[m].track[1].blocks == group);
      cr_assert_eq(part[m].track[0].send_count, group - 1);
      cr_assert_eq(part[m].track[1].send_count, hosts / group - 1);
      for (uint32_t to = 0; to < hosts; to++)
        passed[m][m][to] = true;
    }
    for (uint32_t step = 0; step < 2; step++) {
      for (uint32_t m = 0; m < hosts; m++)
        for (uint32_t i = 0; i < part[m].track[step].send_count; i++) {
          const uint32_t to = machine_of(&s, part[m].track[step].send[i].peer);
          uint32_t blocks = 0;
          cr_assert_eq(part[to].mine / group == part[m].mine / group, step == 0);
          cr_assert_eq(part[to].mine % group == part[m].mine % group, step == 1);
          for (uint32_t from = 0; from < hosts; from++)
            for (uint32_t last = 0; last < hosts; last++) {
              const bool on_the_way = step == 0
                                          ? from == m && part[last].mine % group == part[to].mine % group
                                          : last == to && part[from].mine / group == part[m].mine / group;
              cr_assert(!on_the_way || passed[m][from][last], "%u has not got what it passes on", m);
              passed[to][from][last] |= on_the_way;
              blocks += on_the_way;
            }
          cr_assert_eq(blocks, part[m].track[step].blocks);
        }
    }
    for (uint32_t m = 0; m < hosts; m++) {
      for (uint32_t from = 0; from < hosts; from++)
        cr_assert(passed[m][from][m]);
      gb_exchange_free(&part[m]);
    }
    drop(&x);
  }
}
