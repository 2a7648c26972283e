/* Sites from latencies: the cases of the comment in probe/groups.c, and grids whose sites are known. */
#include "probe/analysis.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static gb_groups groups_of(uint32_t hosts, gb_near *pair, uint32_t pairs) {
  gb_groups g;
  gbcast_error err;
  cr_assert_eq(gb_probe_groups(hosts, pair, pairs, &g, &err), GBCAST_OK);
  return g;
}

static void expect(uint32_t hosts, gb_near *pair, uint32_t pairs, const char *want) {
  gb_groups g = groups_of(hosts, pair, pairs);
  for (uint32_t h = 0; h < hosts; h++)
    cr_assert_eq(g.of[h], (uint32_t)(want[h] - 'a'), "host %u is in group %u, want %s", h, g.of[h], want);
  gb_groups_release(&g);
}

#define EXPECT(hosts, want, ...)                                                                             \
  do {                                                                                                       \
    gb_near pair[] = {__VA_ARGS__};                                                                          \
    expect(hosts, pair, sizeof pair / sizeof *pair, want);                                                   \
  } while (0)

Test(groups, sites_at_three_distances) {
  gb_near pair[] = {{0, 1, 50e-6},  {2, 3, 80e-6}, {4, 5, 50e-6},
                    {0, 2, 1.6e-3}, {0, 4, 46e-3}, {2, 4, 47e-3}};
  gb_groups g = groups_of(6, pair, 6);
  cr_assert_eq(g.count, 3);
  cr_assert(g.group[1].within == 80e-6 && g.group[1].apart == 1.6e-3);
  cr_assert(g.group[1].inner == 2 && g.group[1].outer == 0);
  cr_assert(g.group[2].apart == 46e-3 && g.group[2].inner == 4 && g.group[2].hosts == 2);
  gb_groups_release(&g);
}

Test(groups, examples) {
  EXPECT(1, "a");
  /* one LAN, with a blade and a second switch */
  EXPECT(4, "aaaa", {0, 1, 8e-6}, {0, 2, 40e-6}, {0, 3, 120e-6});
  /* a host alone at a site */
  EXPECT(3, "aab", {0, 1, 50e-6}, {0, 2, 1.6e-3});
  /* two hosts far apart, and nothing to compare with */
  EXPECT(2, "ab", {0, 1, 46e-3});
  EXPECT(2, "aa", {0, 1, 300e-6});
  /* hosts alone at their sites, which are near each other */
  EXPECT(4, "aabc", {0, 1, 50e-6}, {2, 3, 2e-3}, {0, 2, 46e-3});
  EXPECT(4, "abbc", {1, 2, 15e-6}, {0, 3, 3.2e-3}, {0, 1, 38e-3}, {1, 3, 16.3e-3});
  /* three sites of one host each, none well below */
  EXPECT(3, "abc", {0, 1, 30e-3}, {1, 2, 50e-3}, {0, 2, 60e-3});
  /* what joins first does not swallow what is nearer than it seems */
  EXPECT(4, "aabc", {0, 1, 50e-6}, {2, 3, 20e-3}, {0, 2, 46e-3}, {0, 3, 46e-3});
}

/* Random sites: inside up to 100 us, between at least 1 ms. Pairs as the probe measures them: a star in each
 * site, and the stars' middles among each other; in any order. */
Test(groups, random_sites_come_out) {
  uint64_t seed = 5;
  for (int round = 0; round < 400; round++) {
    uint32_t site[40], first[40], sites = 0, pairs = 0, hosts = 2 + (uint32_t)(round % 38);
    gb_near pair[40 * 40];
    for (uint32_t h = 0; h < hosts; h++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      site[h] = (uint32_t)(seed >> 33) % (sites < 6 ? sites + 1 : 6);
      double inside = 20e-6 + (double)(seed >> 50) * 4e-9;
      if (site[h] == sites) {
        first[sites] = h;
        for (uint32_t s = 0; s < sites; s++)
          pair[pairs++] = (gb_near){h, first[s], 1e-3 + (double)((seed >> 20) % 97) * 1e-3};
        sites++;
      } else {
        pair[pairs++] = (gb_near){first[site[h]], h, inside};
      }
    }
    for (uint32_t i = pairs; i > 1; i--) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      uint32_t k = (uint32_t)(seed >> 33) % i;
      gb_near held = pair[i - 1];
      pair[i - 1] = pair[k];
      pair[k] = held;
    }
    gb_groups g = groups_of(hosts, pair, pairs);
    for (uint32_t h = 0; h < hosts; h++)
      for (uint32_t k = 0; k < h; k++)
        cr_assert_eq(g.of[h] == g.of[k], site[h] == site[k], "round %d: %u and %u", round, h, k);
    uint32_t counted = 0;
    for (uint32_t i = 0; i < g.count; i++)
      counted += g.group[i].hosts;
    cr_assert_eq(counted, hosts);
    gb_groups_release(&g);
  }
}

static void expect_name(const char *const *name, const uint32_t *of, uint32_t hosts, uint32_t group,
                        const char *want) {
  const char *start;
  const size_t length = gb_probe_site_name(name, of, hosts, group, &start);
  cr_assert(length == strlen(want) && strncmp(start, want, length) == 0, "%s, group %u: %.*s", name[0],
            (unsigned)group, (int)length, start);
}

Test(groups, sites_are_named_after_their_hosts) {
  static const struct {
    const char *name[4], *want[2]; /* hosts 0 and 1 are group 0, the others group 1 */
  } cases[] = {{{"lyon-1", "lyon-2", "oslo1", "oslo2"}, {"lyon", "oslo"}},
               {{"a1", "a2", "b1", "b12"}, {"a", "b"}},
               {{"a1", "a2", "ab1", "ab2"}, {"", "ab"}},
               {{"n1", "n2", "n3", "n4"}, {"", ""}},
               {{"front", "n2", "west-front", "west-2"}, {"", "west"}},
               {{"a1.x", "a2", "b1", "b2"}, {"", ""}},
               {{"a1.x", "a2.x", "b1", "b2"}, {"x", ""}},
               {{"a1.x.org", "a2.x.org", "a1.y.org", "a2.y.org"}, {"x.org", "y.org"}},
               {{"a1.org", "a2.org", "b1.org", "b2.org"}, {"", ""}}};
  static const uint32_t of[] = {0, 0, 1, 1};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (uint32_t g = 0; g < 2; g++)
      expect_name(cases[i].name, of, 4, g, cases[i].want[g]);
}

Test(groups, sites_of_one_host_have_its_name_if_nothing_else) {
  static const struct {
    const char *name[3], *want; /* host 0 is group 0, the others group 1 */
  } cases[] = {{{"h0", "h1", "h2"}, "h0"},
               {{"front", "h1", "h2"}, "front"},
               {{"a.org", "b.org", "c.org"}, "a.org"},
               {{"a.west", "b.east", "c.east"}, "west"},
               {{"east", "b.east", "c.east"}, ""}}; /* that is the other site's name */
  static const uint32_t of[] = {0, 1, 1};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_name(cases[i].name, of, 3, 0, cases[i].want);
}

/* Nothing tells a site that is the only one from others. */
Test(groups, a_single_site_has_its_domain_or_no_name) {
  static const uint32_t of[] = {0, 0};
  expect_name((const char *[]){"a1.west", "a2.west"}, of, 2, 0, "west");
  expect_name((const char *[]){"lyon-1", "lyon-2"}, of, 2, 0, "");
  expect_name((const char *[]){"lyon"}, of, 1, 0, "");
}
