/* Switches from streams that run at the same time, on random trees whose cables are shared fairly (max-min):
 * the groups of hosts come out, and so does what every cable carries that holds streams up. */
#include "probe/switches.h"
#include "tests/support/random_hosts.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MOST = 8, SWITCHES = 2 * MOST + 2, HOSTS = 6 * MOST };

static double random_unit(gb_random *random) {
  return random_below(random, 1 << 20) / (double)(1 << 20);
}

typedef struct site { /* switch 0 is at the top; a host's link is cable SWITCHES + h */
  uint32_t switches, hosts;
  uint32_t up[SWITCHES], of[HOSTS];
  double cable[SWITCHES + HOSTS]; /* bytes/s, each direction */
  double noise;                   /* share of a rate */
  uint32_t streams;               /* that were asked for */
  gb_random random;
} site;

static uint32_t depth(const site *s, uint32_t sw) {
  uint32_t d = 0;
  for (; sw != 0; sw = s->up[sw])
    d++;
  return d;
}

/* Marks the cables that a stream uses: [c][0] upwards, [c][1] downwards. */
static void route(const site *s, uint32_t from, uint32_t to, bool used[SWITCHES + HOSTS][2]) {
  uint32_t a = s->of[from], b = s->of[to];
  used[SWITCHES + from][0] = used[SWITCHES + to][1] = true;
  while (a != b)
    if (depth(s, a) >= depth(s, b)) {
      used[a][0] = true;
      a = s->up[a];
    } else {
      used[b][1] = true;
      b = s->up[b];
    }
}

/* Max-min fair: the cable with the least left for each of its streams settles those. */
static void share_fairly(const site *s, gb_probe_stream *stream, uint32_t count) {
  static bool used[HOSTS][SWITCHES + HOSTS][2];
  bool settled[HOSTS] = {false};
  double left[SWITCHES + HOSTS][2];
  memset(used, 0, sizeof used);
  for (uint32_t c = 0; c < SWITCHES + HOSTS; c++)
    left[c][0] = left[c][1] = s->cable[c];
  for (uint32_t i = 0; i < count; i++)
    route(s, stream[i].from, stream[i].to, used[i]);
  for (uint32_t done = 0; done < count;) {
    double least = INFINITY;
    uint32_t at = 0, way = 0;
    for (uint32_t c = 0; c < SWITCHES + HOSTS; c++)
      for (uint32_t d = 0; d < 2; d++) {
        uint32_t sharing = 0;
        for (uint32_t i = 0; i < count; i++)
          sharing += !settled[i] && used[i][c][d];
        if (sharing > 0 && left[c][d] / sharing < least) {
          least = left[c][d] / sharing;
          at = c;
          way = d;
        }
      }
    for (uint32_t i = 0; i < count; i++)
      if (!settled[i] && used[i][at][way]) {
        settled[i] = true;
        done++;
        stream[i].rate = least;
        for (uint32_t c = 0; c < SWITCHES + HOSTS; c++)
          for (uint32_t d = 0; d < 2; d++)
            left[c][d] -= used[i][c][d] ? least : 0;
      }
  }
}

static int run(void *state, gb_probe_stream *stream, uint32_t count) {
  site *s = state;
  for (uint32_t i = 0; i < count; i++) {
    cr_assert(stream[i].from < s->hosts && stream[i].to < s->hosts && stream[i].from != stream[i].to);
    for (uint32_t k = 0; k < i; k++) {
      cr_assert(stream[i].from != stream[k].from && stream[i].to != stream[k].to, "two streams of one host");
      cr_assert(stream[i].from != stream[k].to || stream[i].to != stream[k].from,
                "two hosts send to each other");
    }
  }
  s->streams += count;
  share_fairly(s, stream, count);
  for (uint32_t i = 0; i < count; i++)
    stream[i].rate *= 1 + s->noise * (random_unit(&s->random) - 0.5);
  return GBCAST_OK;
}

/* Switches of three to six hosts each, joined by cables that are up to 1 + `width` times as wide as a host's
 * link. */
static site random_site(gb_random *random, double width) {
  site s = {.switches = 1 + random_below(random, MOST), .noise = 0.1, .random = *random};
  for (uint32_t i = 0; i < s.switches; i++) {
    s.up[i] = i == 0 ? 0 : random_below(random, i);
    s.cable[i] = 10e6 * (1 + width * random_unit(random));
    for (uint32_t hosts = 3 + random_below(random, 4); hosts > 0; hosts--)
      s.of[s.hosts++] = i;
  }
  for (uint32_t h = 0; h < s.hosts; h++) { /* in any order */
    const uint32_t k = random_below(random, h + 1), t = s.of[h];
    s.of[h] = s.of[k];
    s.of[k] = t;
  }
  for (uint32_t h = 0; h < s.hosts; h++)
    s.cable[SWITCHES + h] = 10e6;
  return s;
}

typedef struct found {
  uint32_t of[HOSTS], count;
  double best[HOSTS];
  gb_switch_tree tree;
} found;

static void find(site *s, found *f) {
  const gb_stream_bed bed = {run, s};
  gbcast_error err;
  cr_assert_eq(gb_probe_switch_groups(s->hosts, &bed, f->of, &f->count, f->best, &err), GBCAST_OK);
  if (f->count > 1)
    cr_assert_eq(gb_probe_switch_tree(s->hosts, f->of, f->count, f->best, &bed, &f->tree, &err), GBCAST_OK);
}

/* The tree that was found as a site: its core is switch 0. */
static site as_site(const site *s, const found *f) {
  site t = {.switches = f->tree.count + 1, .hosts = s->hosts};
  cr_assert_leq(t.switches, SWITCHES);
  t.cable[0] = INFINITY;
  for (uint32_t i = 0; i < f->tree.count; i++) {
    t.up[i + 1] = f->tree.uplink[i] == GB_NONE ? 0 : f->tree.uplink[i] + 1;
    t.cable[i + 1] = f->tree.bandwidth[i] > 0 ? f->tree.bandwidth[i] : INFINITY;
  }
  for (uint32_t h = 0; h < s->hosts; h++) {
    t.of[h] = f->of[h] + 1;
    t.cable[SWITCHES + h] = s->cable[SWITCHES + h];
  }
  return t;
}

/* What streams carry in all from each host to the one `k` places on, in a random order. */
static double carried(const site *s, const uint32_t *order, uint32_t k) {
  gb_probe_stream stream[HOSTS];
  double sum = 0;
  for (uint32_t i = 0; i < s->hosts; i++)
    stream[i] = (gb_probe_stream){.from = order[i], .to = order[(i + k) % s->hosts]};
  share_fairly(s, stream, s->hosts);
  for (uint32_t i = 0; i < s->hosts; i++)
    sum += stream[i].rate;
  return sum;
}

static bool same_groups(const site *s, const found *f) {
  bool same = f->count == s->switches;
  for (uint32_t a = 0; a < s->hosts; a++)
    for (uint32_t b = 0; b < a; b++)
      same = same && (s->of[a] == s->of[b]) == (f->of[a] == f->of[b]);
  return same;
}

/* Whether streams carry by the tree that was found what they do, about. */
static bool carries_as_much(gb_random *random, const site *s, const found *f) {
  uint32_t order[HOSTS];
  site t = as_site(s, f);
  bool same = true;
  for (uint32_t h = 0; h < s->hosts; h++) {
    const uint32_t k = random_below(random, h + 1);
    order[h] = h;
    order[h] = order[k];
    order[k] = h;
  }
  for (uint32_t k = 1; k < 5; k++)
    same = same && fabs(carried(&t, order, k) / carried(s, order, k) - 1) <= 0.2;
  return same;
}

Test(switches, come_out_of_random_trees) {
  gb_random random = {5};
  for (int round = 0; round < 100; round++) {
    site s = random_site(&random, 0.25);
    found f = {.count = 0};
    find(&s, &f);
    cr_assert(same_groups(&s, &f), "round %d: %u switches, %u found", round, (unsigned)s.switches,
              (unsigned)f.count);
    cr_assert(f.count == 1 || carries_as_much(&random, &s, &f), "round %d", round);
  }
}

/* Three hosts hardly fill a cable that is twice as wide as their links, and their switch may not be told from
 * the next; but what streams carry comes out. */
Test(switches, wide_cables_may_hide_switches) {
  gb_random random = {6};
  uint32_t as_much = 0;
  for (int round = 0; round < 100; round++) {
    site s = random_site(&random, 1);
    found f = {.count = 0};
    find(&s, &f);
    as_much += f.count == 1 || carries_as_much(&random, &s, &f);
  }
  cr_assert_geq(as_much, 90u);
}

/* A switch that has as many hosts as one can look for costs no more rounds than that. */
Test(switches, one_is_found_soon) {
  site s = {.switches = 1, .hosts = HOSTS, .noise = 0.2, .random = {1}};
  found f = {.count = 0};
  for (uint32_t h = 0; h < HOSTS; h++)
    s.cable[SWITCHES + h] = h % 5 == 0 ? 1e6 : 10e6; /* some hosts have slower links */
  find(&s, &f);
  cr_assert_eq(f.count, 1);
  cr_assert_eq(s.streams, HOSTS * (HOSTS - 1));
}

/* Two switches of two hosts, the fewest; and a host alone behind a cable, which is its own link. */
Test(switches, few_hosts) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    site s = {
        .switches = 2, .hosts = 4, .noise = 0.1, .random = {seed}, .of = {0, 1, 0, 1}, .cable = {0, 10e6}};
    found f = {.count = 0};
    for (uint32_t h = 0; h < 5; h++)
      s.cable[SWITCHES + h] = 10e6;
    find(&s, &f);
    cr_assert(same_groups(&s, &f), "seed %u", (unsigned)seed);
    cr_assert_eq(f.tree.count, 2);
    s.hosts = 5;
    s.switches = 3;
    s.of[4] = 2;
    s.up[2] = 1;
    s.cable[2] = 5e6;
    find(&s, &f);
    cr_assert_eq(f.count, 2, "seed %u", (unsigned)seed);
    cr_assert_eq(f.of[0], f.of[2]);
    cr_assert_eq(f.of[1], f.of[3]);
  }
}

static int fail(void *state, gb_probe_stream *stream, uint32_t count) {
  uint32_t *left = state;
  for (uint32_t i = 0; i < count; i++)
    stream[i].rate = stream[i].from % 2 == stream[i].to % 2 ? 10e6 : 5e6;
  return (*left)-- == 0 ? GBCAST_EUSAGE : GBCAST_OK;
}

/* Whenever streams cannot be run the search ends and says so. */
Test(switches, a_failure_ends_the_search) {
  uint32_t ended = 0;
  for (uint32_t after = 0; after < 40; after++) {
    uint32_t left = after;
    const gb_stream_bed bed = {fail, &left};
    found f = {.count = 0};
    gbcast_error err;
    int status = gb_probe_switch_groups(6, &bed, f.of, &f.count, f.best, &err);
    if (status == GBCAST_OK && f.count > 1)
      status = gb_probe_switch_tree(6, f.of, f.count, f.best, &bed, &f.tree, &err);
    cr_assert(status == GBCAST_EUSAGE || left < after, "after %u", (unsigned)after);
    ended += status == GBCAST_EUSAGE;
  }
  cr_assert_gt(ended, 20u);
  cr_assert_lt(ended, 40u);
}
