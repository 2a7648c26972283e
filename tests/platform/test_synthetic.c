/* Grids from a description: what they hold, every kind of mistake, and words thrown together. */
#include "tests/support/random_platform.h"

static gbcast_platform *make(const char *text) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_synthetic(text, &p, &err), GBCAST_OK, "%s: %s", text, err.message);
  return p;
}

/* To be freed. */
static char *printed(const gbcast_platform *p) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_eq(gbcast_platform_print(p, out), GBCAST_OK);
  fclose(out);
  return text;
}

/* The same platform as from hosts files that a person would write. */
Test(synthetic, is_what_a_hosts_file_says) {
  static const struct {
    const char *description, *hosts;
  } same[] = {
      {"host:3", "h0\nh1\nh2\n"},
      {"  switch:2\thost:2 ", "switch s0\nh[0-1]\nswitch s1\nh[2-3]\n"},
      {"switch:1 host:1", "switch s0\nh0\n"},
      {"cluster:2 host:2", "h0.c0\nh1.c0\nh0.c1\nh1.c1\n"},
      {"cluster:2 switch:2 switch:1 host:1",
       "switch s0.c0\nswitch s0-0.c0 uplink=s0.c0\nh0.c0\nswitch s1.c0\nswitch s1-0.c0 uplink=s1.c0\nh1.c0\n"
       "switch s0.c1\nswitch s0-0.c1 uplink=s0.c1\nh0.c1\nswitch s1.c1\nswitch s1-0.c1 "
       "uplink=s1.c1\nh1.c1\n"},
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    gbcast_platform *want = NULL, *got = make(same[i].description);
    gbcast_error err = {""};
    cr_assert_eq(gbcast_platform_parse(same[i].hosts, strlen(same[i].hosts), "file", &want, &err), GBCAST_OK,
                 "%s", err.message);
    char *a = printed(want), *b = printed(got);
    cr_expect_str_eq(a, b, "%s", same[i].description);
    cr_expect_eq(want->assumed_mesh, got->assumed_mesh);
    free(a);
    free(b);
    gbcast_platform_free(want);
    gbcast_platform_free(got);
  }
}

/* Counts, depths and the number of hosts on each leaf, over random descriptions. */
Test(synthetic, holds_what_it_counts) {
  gb_random r = {11};
  for (int round = 0; round < 300; round++) {
    char text[256] = "";
    uint32_t clusters = random_below(&r, 4), levels = random_below(&r, 4), leaves = 1, switches = 0;
    size_t at = 0;
    if (clusters > 0)
      at += (size_t)snprintf(text, sizeof text, "cluster:%u ", clusters);
    clusters = clusters > 0 ? clusters : 1;
    for (uint32_t i = 0; i < levels; i++) {
      uint32_t n = 1 + random_below(&r, 4);
      at += (size_t)snprintf(text + at, sizeof text - at, "switch:%u ", n);
      leaves *= n;
      switches += leaves;
    }
    uint32_t hosts = 1 + random_below(&r, 5);
    snprintf(text + at, sizeof text - at, "host:%u", hosts);
    gbcast_platform *p = make(text);
    cr_assert_eq(p->cluster_count, clusters, "%s", text);
    cr_assert_eq(p->host_count, clusters * leaves * hosts, "%s", text);
    cr_assert_eq(p->switch_count, clusters * switches, "%s", text);
    uint32_t *on = calloc(p->switch_count + 1, sizeof *on);
    for (uint32_t h = 0; h < p->host_count; h++) {
      uint32_t sw = p->host[h].sw;
      cr_assert_eq(sw == GB_NONE, levels == 0, "%s", text);
      if (sw != GB_NONE) {
        cr_assert_eq(p->sw[sw].depth, levels - 1, "%s", text);
        on[sw]++;
      }
    }
    for (uint32_t s = 0; s < p->switch_count; s++)
      cr_assert_eq(on[s], p->sw[s].depth + 1 == levels ? hosts : 0, "%s", text);
    free(on);
    gbcast_platform_free(p);
  }
}

Test(synthetic, as_large_as_it_gets) {
  gbcast_platform *p = make("switch:1024 host:1024");
  cr_assert_eq(gbcast_platform_hosts(p), 1048576);
  cr_assert_eq(gb_platform_find_host(p, "h1048575"), 1048575);
  gbcast_platform_free(p);
  p = make("switch:2 switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 "
           "switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 host:1");
  cr_assert_eq(p->sw[31].depth, 15);
  gbcast_platform_free(p);
}

Test(synthetic, says_where_it_is_wrong) {
  static const struct {
    const char *text, *what;
  } list[] = {
      {"", "found the end at character 1 of"},
      {" \t ", "found the end at character 4 of"},
      {"switch:4", "found the end at character 9 of the description, expected host:N"},
      {"switch:4 host", "found 'host' at character 10"},
      {"switch:4 host:", "found the end at character 15"},
      {"switch:4  host:0", "found '0' at character 16 of the description, expected a whole number from 1 to"},
      {"host:-1", "found '-1' at character 6"},
      {"host:8x", "found '8x' at character 6"},
      {"host:1048577", "found '1048577' at character 6"},
      {"host:99999999999999999999999", "at character 6"},
      {"host:4:2", "found '4:2' at character 6"},
      {"node:4", "found 'node:4' at character 1"},
      {"hosts:4", "found 'hosts:4' at character 1"},
      {":4", "found ':4' at character 1"},
      {"host:4,switch:2", "found '4,switch:2' at character 6"},
      {"host:4\nhost:4", "at character 6"},
      {"host:4 switch:2", "found 'switch:2' at character 8 of the description, expected nothing"},
      {"host:4 host:4", "found 'host:4' at character 8"},
      {"switch:2 cluster:2 host:1", "found 'cluster:2' at character 10"},
      {"cluster:2 cluster:2 host:1", "found 'cluster:2' at character 11"},
      {"switch:1024 host:1025",
       "found 'host:1025' at character 13 of the description, expected at most 1048576"},
      {"switch:1048576 switch:1 host:1", "found 'switch:1' at character 16"},
      {"switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 "
       "switch:1 switch:1 switch:1 switch:1 switch:1 switch:1 host:1",
       "at character 145 of the description, expected at most 16 levels"},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    gbcast_platform *p = NULL;
    gbcast_error err = {""};
    cr_expect_eq(gbcast_platform_synthetic(list[i].text, &p, &err), GBCAST_EUSAGE, "accepted: %s",
                 list[i].text);
    cr_expect_not_null(strstr(err.message, list[i].what), "%s\n%s", list[i].text, err.message);
    cr_expect_null(p);
  }
  cr_expect_eq(gbcast_platform_synthetic("host:0", &(gbcast_platform *){NULL}, NULL), GBCAST_EUSAGE);
  cr_expect_eq(gbcast_platform_synthetic(NULL, &(gbcast_platform *){NULL}, NULL), GBCAST_EUSAGE);
}

/* Whatever is thrown together is a platform that checks out or a message with a place. */
Test(synthetic, random_words_do_no_harm) {
  static const char *const piece[] = {"cluster", "switch", "host", ":", ":",  ":", " ",    " ",  "0",
                                      "1",       "2",      "3",    "9", "\t", "x", "\xff", "\n", "00001"};
  gb_random r = {7};
  unsigned good = 0;
  for (int round = 0; round < 20000; round++) {
    char text[128] = "";
    for (uint32_t n = random_below(&r, 14); n > 0; n--)
      strcat(text, piece[random_below(&r, sizeof piece / sizeof *piece)]);
    if (random_below(&r, 2) == 0)
      strcat(text, " host:2");
    gbcast_platform *p = NULL;
    gbcast_error err = {""};
    int status = gbcast_platform_synthetic(text, &p, &err);
    if (status == GBCAST_OK)
      cr_assert_geq(gbcast_platform_hosts(p), 1);
    else
      cr_assert(status == GBCAST_EUSAGE && strstr(err.message, "at character ") != NULL && p == NULL,
                "%s: %s", text, err.message);
    good += status == GBCAST_OK;
    gbcast_platform_free(p);
  }
  cr_assert_gt(good, 300, "%u", good);
}
