/* Rounds: no two endss of one share a link, a machine or a site's way out, and no ends comes later than it
 * must. The test finds out by itself what is shared. */
#include "tests/support/random_platform.h"

#include "platform/cost/cost.h"
#include "probe/analysis.h"

static bool share_route(const gbcast_platform *p, const gb_probe_ends *a, const gb_probe_ends *b) {
  gb_route r = {0}, s = {0};
  gbcast_error err;
  bool shared = false;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      cr_assert_eq(gb_route_between(p, a->host[i], a->host[1 - i], NULL, &r, &err), GBCAST_OK);
      cr_assert_eq(gb_route_between(p, b->host[k], b->host[1 - k], NULL, &s, &err), GBCAST_OK);
      for (uint32_t x = 0; x < r.hop_count; x++)
        for (uint32_t y = 0; y < s.hop_count; y++)
          shared |= r.hop[x].resource == s.hop[y].resource;
    }
  gb_route_release(&r);
  gb_route_release(&s);
  return shared;
}

static bool clash(const gbcast_platform *p, const gb_probe_ends *a, const gb_probe_ends *b) {
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      uint32_t from = p->host[a->host[i]].cluster, to = p->host[b->host[k]].cluster;
      bool both_leave = p->host[a->host[0]].cluster != p->host[a->host[1]].cluster &&
                        p->host[b->host[0]].cluster != p->host[b->host[1]].cluster;
      if (a->machine[i] == b->machine[k] || (both_leave && from == to))
        return true;
    }
  return share_route(p, a, b);
}

Test(rounds, share_nothing_and_come_as_early_as_they_can) {
  gb_random random = {11};
  uint32_t together = 0;
  for (int round = 0; round < 60; round++) {
    gbcast_platform *p = random_platform(
        &random, (gb_grid_kind){.sites = 6, .hosts = 6, .slots = 1, .switches = true, .caps = true});
    gb_probe_ends ends[30];
    uint32_t count = 0, rounds = 0, machines = p->host_count;
    for (int i = 0; i < 30; i++) {
      uint32_t a = random_below(&random, p->host_count), b = random_below(&random, p->host_count);
      if (a == b)
        continue;
      ends[count++] = (gb_probe_ends){.host = {a, b}, .machine = {a, b}, .set = GB_NONE};
    }
    if (round % 3 == 0) /* two hosts are on one machine */
      for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
          ends[i].machine[k] /= 2;
    gbcast_error err;
    cr_assert_eq(gb_probe_rounds(p, machines, ends, count, &rounds, &err), GBCAST_OK);
    for (uint32_t i = 0; i < count; i++) {
      cr_assert(ends[i].round < rounds);
      for (uint32_t k = 0; k < i; k++)
        if (ends[i].round == ends[k].round) {
          cr_assert(!clash(p, &ends[i], &ends[k]), "grid %d: endss %u and %u", round, i, k);
          together++;
        }
      for (uint32_t r = 0; r < ends[i].round; r++) {
        bool hindered = false;
        for (uint32_t k = 0; k < i; k++)
          hindered |= ends[k].round == r && clash(p, &ends[i], &ends[k]);
        cr_assert(hindered, "grid %d: ends %u could be in round %u", round, i, r);
      }
    }
    gbcast_platform_free(p);
  }
  cr_assert(together > 100); /* pairs that share nothing do run at the same time */
}

Test(rounds, two_ranks_of_one_host) {
  gbcast_platform *p = NULL;
  gbcast_error err;
  cr_assert_eq(gbcast_platform_parse("a:2\nb:2\n", 8, "x", &p, &err), GBCAST_OK);
  gb_probe_ends ends[] = {{.host = {0, 0}, .machine = {0, 0}, .set = GB_NONE},
                          {.host = {1, 1}, .machine = {1, 1}, .set = GB_NONE}};
  uint32_t rounds = 0;
  cr_assert_eq(gb_probe_rounds(p, 2, ends, 2, &rounds, &err), GBCAST_OK);
  cr_assert_eq(rounds, 1);
  gbcast_platform_free(p);
}

/* Streams that share a link are in one round, with nothing that shares anything with one of them. */
Test(rounds, keep_shared_streams_together) {
  static const char text[] = "cluster a\na[0-2]\ncluster b\nb[0-2]\nlink a b latency=1ms bandwidth=1Mbit/s\n";
  gbcast_platform *p = NULL;
  gbcast_error err;
  cr_assert_eq(gbcast_platform_parse(text, strlen(text), "h", &p, &err), GBCAST_OK, "%s", err.message);
  gb_probe_ends ends[] = {{.host = {0, 3}, .set = GB_NONE}, {.host = {0, 3}, .set = 0},
                          {.host = {1, 4}, .set = 0},       {.host = {2, 5}, .set = 0},
                          {.host = {0, 3}, .set = 1},       {.host = {1, 4}, .set = 1},
                          {.host = {0, 1}, .set = GB_NONE}};
  static const uint32_t expected[] = {0, 1, 1, 1, 2, 2, 3};
  uint32_t rounds = 0;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    for (int k = 0; k < 2; k++)
      ends[i].machine[k] = ends[i].host[k];
  cr_assert_eq(gb_probe_rounds(p, 6, ends, sizeof ends / sizeof *ends, &rounds, &err), GBCAST_OK);
  cr_assert_eq(rounds, 4);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    cr_assert_eq(ends[i].round, expected[i], "ends %zu is in round %u", i, (unsigned)ends[i].round);
  gbcast_platform_free(p);
}
