/* Live values laid over links: which count, what they change, and that nothing else changes. */
#include "platform/text/text.h"
#include "tests/support/overlays.h"

static const char grid[] = "cluster Ottawa\nn[0-1].ottawa.ca\nedge.ottawa.ca\nNode\n"
                           "cluster lyon\nl0\n10.0.0.7\n[fe80::1]\nedge.lyon.fr\n"
                           "cluster far\nf0.far\n"
                           "link Ottawa lyon latency=46ms bandwidth=100Mbit/s\n"
                           "link lyon far latency=5ms bandwidth=1Gbit/s\n";

Test(overlay, names) {
  static const struct {
    const char *name;
    bool ottawa, lyon;
  } names[] = {
      {"Ottawa", true, false},
      {"OTTAWA", true, false},
      {"n0.ottawa.ca", true, false},
      {"N1.Ottawa.CA:8060", true, false},
      {"n1", true, false},      /* the short form of one host */
      {"N1:8060", true, false}, /* in any case */
      {"node.anywhere.org", true, false},
      {"node:", true, false},
      {"edge", false, false}, /* of two clusters */
      {"n0.ottawa", false, false},
      {"n2.ottawa.ca", false, false},
      {"L0.lyon.fr:8060", false, true},
      {"10.0.0.7:8060", false, true},
      {"10", false, false}, /* an address has no short form */
      {"fe80::1", false, true},
      {"[FE80::1]:8060", false, true},
      {"[fe80::1]", false, true},
      {"[fe80::1", false, false},
      {"", false, false},
      {".", false, false},
      {":", false, false},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    gbcast_platform *p = parse(grid);
    gb_live live = {.source = "names"};
    gbcast_error err = {""};
    add(&live, (gb_live_value){names[i].name, "lyon", 0.001, -1, -1, -1, 0});
    add(&live, (gb_live_value){"Ottawa", names[i].name, 0.002, -1, -1, -1, 0});
    cr_assert_eq(gb_live_overlay(p, &live, 600, &err), GBCAST_OK, "%s", err.message);
    double latency = names[i].ottawa ? 0.001 : names[i].lyon ? 0.002 : 0.046;
    cr_assert_eq(link_of(p, "Ottawa", "lyon")->latency, latency, "%s", names[i].name);
    cr_assert_eq(link_of(p, "lyon", "Ottawa")->latency, 0.046, "%s: the way back", names[i].name);
    bool known = names[i].ottawa || names[i].lyon;
    cr_assert_eq(p->weather->ignored[GB_IGNORED_UNKNOWN], known ? 0 : 2, "%s", names[i].name);
    cr_assert_eq(p->weather->ignored[GB_IGNORED_INSIDE], known ? 1 : 0, "%s", names[i].name);
    gb_live_release(&live);
    gbcast_platform_free(p);
  }
}

Test(overlay, what_cannot_be_used_is_counted) {
  gbcast_platform *p = parse(grid);
  lay(p, "Ottawa far 3\nfar Ottawa 3\nn0 n1 1\nnobody l0 2\nl0 nobody 2\nnobody nobody 2\n");
  cr_assert_eq(p->weather->count, 0);
  cr_assert_eq(p->weather->ignored[GB_IGNORED_LINKLESS], 2);
  cr_assert_eq(p->weather->ignored[GB_IGNORED_INSIDE], 1);
  cr_assert_eq(p->weather->ignored[GB_IGNORED_UNKNOWN], 3);
  cr_assert_str_eq(p->weather->first[GB_IGNORED_UNKNOWN], "nobody l0");
  cr_assert_null(link_of(p, "Ottawa", "far"), "a pair that the file does not join became a link");
  gbcast_platform_free(p);
  p = parse(grid);
  gb_live live = {.source = "far"};
  gbcast_error err = {""};
  add(&live, (gb_live_value){"no\033[2Jbody", "l0", 0.002, -1, -1, -1, 0});
  cr_assert_eq(gb_live_overlay(p, &live, 600, &err), GBCAST_OK);
  cr_assert_str_eq(p->weather->first[GB_IGNORED_UNKNOWN], "no\\x1b[2Jbody l0");
  gb_live_release(&live);
  gbcast_platform_free(p);
}

Test(overlay, states) {
  gbcast_platform *p = parse(grid);
  lay(p, "Ottawa lyon 50 90 600\nlyon Ottawa 50 90 600.5\nlyon far 0 nan\nfar lyon - 500 3 "
         "bandwidth-error=126\n");
  const gb_finding *f = found(p, "Ottawa", "lyon");
  cr_assert(f->latency.state == GB_READING_USED && f->bandwidth.state == GB_READING_USED);
  cr_assert(f->latency.value == 0.05 && f->latency.file == 0.046 && f->latency.age == 600);
  cr_assert(!gb_reading_uncertain(&f->bandwidth));
  f = found(p, "lyon", "Ottawa");
  cr_assert(f->latency.state == GB_READING_OLD && f->bandwidth.state == GB_READING_OLD);
  cr_assert(f->latency.age == 600.5 && f->latency.file == 0.046);
  f = found(p, "lyon", "far");
  cr_assert(f->latency.state == GB_READING_USELESS && f->bandwidth.state == GB_READING_USELESS);
  f = found(p, "far", "lyon");
  cr_assert(f->latency.state == GB_READING_NONE && f->bandwidth.state == GB_READING_USED);
  cr_assert(gb_reading_uncertain(&f->bandwidth), "off by 126 of 500");
  cr_assert_eq(link_of(p, "lyon", "Ottawa")->latency, 0.046);
  cr_assert_eq(link_of(p, "lyon", "far")->bandwidth, 125e6);
  cr_assert_eq(link_of(p, "far", "lyon")->bandwidth, 62.5e6);
  cr_assert_eq(link_of(p, "far", "lyon")->latency, 0.005);
  gbcast_platform_free(p);
}

static void states(const char *hosts, const char *live, uint32_t latency, uint32_t bandwidth) {
  gbcast_platform *p = parse(hosts);
  lay(p, live);
  const gb_finding *f = found(p, "a", "b");
  cr_assert_not_null(f);
  cr_expect(f->latency.state == latency && f->bandwidth.state == bandwidth, "%s: states %u and %u", live,
            f->latency.state, f->bandwidth.state);
  gbcast_platform_free(p);
}

/* Units that were mistaken for others. */
Test(overlay, absurd_values_are_not_believed) {
  static const char hosts[] =
      "cluster a\na0\na1\ncluster b\nb0\nb1\nlink a b latency=10ms bandwidth=200Mbit/s "
      "stream-bandwidth=10Mbit/s\n";
  static const char assumed[] = "a0.a\nb0.b\n";
  states(hosts, "a b 10 94371840.2\n", GB_READING_USED, GB_READING_ABSURD); /* bit/s */
  states(hosts, "a b 10 200000\n", GB_READING_USED, GB_READING_USED); /* just a thousand times the link's */
  states(hosts, "a b 10 200001\n", GB_READING_USED, GB_READING_ABSURD);
  states(hosts, "a b 10 0.0001\n", GB_READING_USED, GB_READING_USED); /* a link may get as slow as it likes */
  states(hosts, "a b 10000 -\n", GB_READING_USED, GB_READING_NONE);
  states(hosts, "a b 10100 90\n", GB_READING_ABSURD, GB_READING_USED);     /* us */
  states(hosts, "a b rtt=0.0198 -\n", GB_READING_ABSURD, GB_READING_NONE); /* s */
  states(hosts, "a b rtt=0.0202 -\n", GB_READING_USED, GB_READING_NONE);
  states(assumed, "a b 0.001 90\n", GB_READING_USED, GB_READING_USED); /* nobody said how long the way is */
  states(assumed, "a b 10100 2e6\n", GB_READING_ABSURD, GB_READING_ABSURD);
  states(hosts, "a b 10 94371840.2 0\na b 12 50 5\n", GB_READING_USED,
         GB_READING_USED); /* an older one counts */
  states(hosts, "a0 b0 10 94371840.2\na1 b1 0.001 50\n", GB_READING_USED,
         GB_READING_USED);                                                           /* or another pair's */
  states(hosts, "a b 10100 94371840.2 700\n", GB_READING_ABSURD, GB_READING_ABSURD); /* though it is old */
}

/* Of values that are alike, and of those that are too old, the youngest is told. */
Test(overlay, ages_of_several) {
  gbcast_platform *p = parse(grid);
  lay(p, "n0 lyon 50 - 5\nn1 lyon 50 - 3\nnode lyon 50 - 9\nlyon n0 50 - 905\nlyon n1 40 - 903\nlyon node 30 "
         "- 909\n");
  cr_assert_eq(found(p, "Ottawa", "lyon")->latency.age, 3);
  cr_assert_eq(found(p, "Ottawa", "lyon")->latency.pairs, 3);
  cr_assert_eq(found(p, "lyon", "Ottawa")->latency.age, 903);
  cr_assert_eq(found(p, "lyon", "Ottawa")->latency.pairs, 0);
  gbcast_platform_free(p);
}

Test(overlay, ages_that_are_none) {
  const double age[] = {NAN, INFINITY, -5};
  for (int i = 0; i < 3; i++) {
    gbcast_platform *p = parse(grid);
    gb_live live = {.source = "ages"};
    gbcast_error err = {""};
    add(&live, (gb_live_value){"Ottawa", "lyon", 0.05, -1, -1, -1, age[i]});
    cr_assert_eq(gb_live_overlay(p, &live, 600, &err), GBCAST_OK);
    cr_assert_eq(link_of(p, "Ottawa", "lyon")->latency, i == 2 ? 0.05 : 0.046);
    cr_assert_eq(found(p, "Ottawa", "lyon")->latency.age, i == 2 ? 0 : INFINITY);
    gb_live_release(&live);
    gbcast_platform_free(p);
  }
}

/* Latency alone moves a table, bandwidth ends it; injection stays; one stream is one stream. */
Test(overlay, what_else_a_link_has) {
  static const char text[] =
      "cluster a wan-bandwidth=20Mbit/s\na0\ncluster b\nb0\n"
      "link a b latency=10ms bandwidth=100Mbit/s injection=1ms stream-bandwidth=40Mbit/s\n"
      "plogp a b size=1k gap=1ms latency=11ms\nplogp a b size=64k gap=20ms latency=1ms\n";
  gbcast_platform *p = parse(text);
  lay(p, "a b 8\nb a 10 400\n");
  const gb_link *l = link_of(p, "a", "b");
  cr_assert_eq(found(p, "a", "b")->plogp, GB_TABLE_MOVED);
  cr_assert(l->plogp.count == 2 && l->plogp.point[0].gap == 1e-3);
  cr_assert_float_eq(l->plogp.point[0].latency, 9e-3, 1e-12);
  cr_assert_eq(l->plogp.point[1].latency, 0, "a latency below 0");
  cr_assert(l->injection == 1e-3 && l->stream_bandwidth == 5e6 && l->bandwidth == 12.5e6);
  l = link_of(p, "b", "a");
  cr_assert_eq(found(p, "b", "a")->plogp, GB_TABLE_DROPPED);
  cr_assert_eq(l->plogp.count, 0);
  cr_assert_eq(found(p, "b", "a")->bandwidth.file, 5e6);
  cr_assert(l->stream_bandwidth == 50e6 && l->bandwidth == 50e6, "a stream faster than its link");
  cr_assert_eq(p->cluster[0].wan_bandwidth, 2.5e6);
  gbcast_platform_free(p);
}

static const char mesh[] = "h0.a\nh1.a\nh0.b\nh0.c\nh0.d\n";

Test(overlay, longest_latency) {
  gbcast_platform *p = parse("cluster a\na0\ncluster b\nb0\nlink a b latency=2000000s bandwidth=1Gbit/s\n"
                             "plogp a b size=1k gap=1ms latency=3000000s\n");
  lay(p, "a b 1000000000000\n");
  cr_assert_eq(link_of(p, "a", "b")->plogp.point[0].latency, GB_MOST_TIME);
  char *text = print(p);
  gbcast_platform_free(parse(text));
  free(text);
  gbcast_platform_free(p);
}

Test(overlay, assumed_links) {
  gbcast_platform *plain = parse(mesh), *same = parse(mesh), *one = parse(mesh), *none = parse(mesh);
  lay(same, "a b 10 1000\nc d 10 1000\n");
  cr_assert(!same->assumed_mesh && same->link_count == 12);
  cr_assert_eq(hash(same), hash(plain), "the assumed values, measured, give another plan");
  lay(one, "a b 80 10\n");
  cr_assert(link_of(one, "a", "b")->latency == 0.08 && link_of(one, "a", "b")->bandwidth == 1.25e6);
  cr_assert(!link_of(one, "a", "b")->assumed_bandwidth && link_of(one, "b", "a")->assumed_bandwidth);
  for (uint32_t i = 0; i < one->link_count; i++) {
    const gb_link *l = &one->link[i];
    cr_assert_eq(gb_platform_link(one, l->from, l->to), l);
    cr_assert((l->from == 0 && l->to == 1) || (l->latency == 0.01 && l->bandwidth == 125e6));
  }
  cr_assert_neq(hash(one), hash(plain));
  lay(none, "h0.a h1.a 3\n");
  cr_assert(none->assumed_mesh, "no value between sites, and the links changed");
  gbcast_platform_free(plain);
  gbcast_platform_free(same);
  gbcast_platform_free(one);
  gbcast_platform_free(none);
}

/* The hash changes with each value that is used, and with nothing else that is said about it. */
Test(overlay, hash) {
  static const char *const same[] = {"Ottawa lyon 47 100 0\n", "n0 lyon 47 - 599 latency-error=40\n",
                                     "Ottawa lyon 47 5 601\nn0 l0 47 100\nfar far 3\n"};
  static const char *const other[] = {"", "Ottawa lyon 47.000001\n", "lyon Ottawa 47\n", "lyon far 47\n",
                                      "Ottawa lyon 47 101\n"};
  gbcast_platform *p = parse(grid);
  lay(p, "Ottawa lyon 47\n");
  uint64_t first = hash(p);
  gbcast_platform_free(p);
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    p = parse(grid);
    lay(p, same[i]);
    cr_assert_eq(hash(p), first, "%s", same[i]);
    gbcast_platform_free(p);
  }
  for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
    p = parse(grid);
    lay(p, other[i]);
    cr_assert_neq(hash(p), first, "%s", other[i]);
    gbcast_platform_free(p);
  }
}

Test(overlay, once_and_on_its_own_platform) {
  gbcast_platform *p = parse(grid), *small = parse("cluster a\na0\ncluster b\nb0\nlink a b latency=1ms "
                                                   "bandwidth=1Gbit/s\n");
  gb_live live = {.source = "x"};
  gb_weather weather;
  gbcast_error err = {""};
  add(&live, (gb_live_value){"lyon", "far", 0.05, -1, -1, -1, 0});
  cr_assert_eq(gb_live_overlay(p, &live, 600, &err), GBCAST_OK);
  cr_assert_eq(gb_live_overlay(p, &live, 600, &err), GBCAST_EUSAGE, "laid over twice");
  cr_assert_eq(gb_weather_find(p, &live, 600, &weather, &err), GBCAST_OK);
  cr_assert_eq(gb_overlay(small, &weather, &err), GBCAST_EUSAGE, "laid over another platform");
  cr_assert_null(small->weather);
  gb_live_release(&live);
  gbcast_platform_free(p);
  gbcast_platform_free(small);
}

Test(overlay, public_call) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_read(GB_TEST_DATA "/platforms/grid.txt", &p, &err), GBCAST_OK);
  char *before = print(p);
  cr_assert_eq(gbcast_platform_live(p, "file:/none", 0, 600, &err), GBCAST_EINPUT);
  char *after = print(p);
  cr_assert_str_eq(after, before);
  cr_assert_eq(gbcast_platform_live(p, "file:" GB_TEST_DATA "/platforms/grid-live.txt", 0, 600, &err),
               GBCAST_OK, "%s", err.message);
  cr_assert_eq(link_of(p, "ottawa", "lyon")->latency, 0.06);
  free(before);
  free(after);
  gbcast_platform_free(p);
}
