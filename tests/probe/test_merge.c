/* --merge: the numbers of a hosts file change, and nothing else does. */
#include "probe/analysis.h"
#include "tests/support/random_platform.h"

#include <math.h>

static gbcast_platform *read_text(const char *text) {
  gbcast_platform *p = NULL;
  gbcast_error err;
  cr_assert_eq(gbcast_platform_parse(text, strlen(text), "hosts.txt", &p, &err), GBCAST_OK, "%s\n%s",
               err.message, text);
  return p;
}

static char *merge(const char *text, const gbcast_platform *now) {
  char *merged = NULL;
  size_t length = 0;
  gbcast_error err = {""};
  FILE *out = open_memstream(&merged, &length);
  cr_assert_eq(gb_probe_merge(text, strlen(text), "hosts.txt", now, out, &err), GBCAST_OK, "%s", err.message);
  fclose(out);
  return merged;
}

/* The text as a person may write it: with comments that look like lines, blanks, and empty lines. */
static char *scribble(gb_random *r, const char *text) {
  static const char *const remark[] = {"# latency=1ms, says the provider", "// link s0 s1 bandwidth=1Mbit/s",
                                       "/* gap=3us\n bandwidth=7 */", "\t "};
  char *out_text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&out_text, &length);
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == '\n' && random_below(r, 3) == 0)
      fprintf(out, "  %s", remark[random_below(r, 4)]);
    if (*at == ' ' && random_below(r, 4) == 0)
      fputs(random_below(r, 2) == 0 ? "\t " : " /* overhead=9us */ ", out);
    fputc(*at, out);
    if (*at == '\n' && random_below(r, 6) == 0)
      fprintf(out, "%s\n", remark[random_below(r, 4)]);
  }
  fclose(out);
  return out_text;
}

static double other(gb_random *r) {
  return gb_probe_round(1e-6 * (1 + random_below(r, 1000000)));
}

/* Other numbers for what a line has, and the same for both directions that one line says. */
static void change(gb_random *r, gbcast_platform *p) {
  for (uint32_t c = 0; c < p->cluster_count; c++) {
    p->cluster[c].latency = other(r);
    p->cluster[c].bandwidth = 1e12 * other(r);
    for (uint32_t i = 0; i < p->cluster[c].plogp.count; i++)
      p->cluster[c].plogp.point[i].gap = other(r);
  }
  for (uint32_t i = 0; i < p->link_count; i++) {
    gb_link *l = &p->link[i];
    for (uint32_t k = 0; k < i; k++)
      if (p->link[k].where.line == l->where.line) {
        l->latency = p->link[k].latency;
        l->bandwidth = p->link[k].bandwidth;
        l->stream_bandwidth = p->link[k].stream_bandwidth;
        l->initial_window = p->link[k].initial_window;
        goto next;
      }
    l->latency = other(r);
    l->bandwidth = 1e12 * other(r);
    if (isfinite(l->stream_bandwidth))
      l->stream_bandwidth = 1e12 * other(r);
    if (isfinite(l->initial_window))
      l->initial_window = 1 + random_below(r, 100000);
  next:;
  }
}

static void expect_same(const gbcast_platform *p, const gbcast_platform *want, const char *text) {
  cr_assert_eq(p->cluster_count, want->cluster_count);
  cr_assert_eq(p->link_count, want->link_count);
  for (uint32_t c = 0; c < p->cluster_count; c++) {
    const gb_cluster *x = &p->cluster[c], *y = &want->cluster[c];
    cr_assert(x->latency == y->latency && x->bandwidth == y->bandwidth, "%s\n%s", x->name, text);
    cr_assert_eq(x->plogp.count, y->plogp.count);
    for (uint32_t i = 0; i < x->plogp.count; i++)
      cr_assert(x->plogp.point[i].gap == y->plogp.point[i].gap, "%s\n%s", x->name, text);
  }
  for (uint32_t i = 0; i < p->link_count; i++) {
    const gb_link *x = &p->link[i], *y = &want->link[i];
    cr_assert(x->latency == y->latency && x->bandwidth == y->bandwidth &&
                  x->stream_bandwidth == y->stream_bandwidth && x->initial_window == y->initial_window,
              "link %u\n%s", (unsigned)i, text);
  }
}

/* A text without the values of its words, and with all else. */
static char *without_numbers(const char *text) {
  char *out_text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&out_text, &length);
  gb_source s = {.file = "x", .line = 1, .c_comments = true};
  const char *written = text;
  for (const char *at = text; *at != '\0'; s.line++) {
    const size_t n = gb_line_length(at, strlen(at));
    cr_assert_eq(gb_lex_line(&s, at, n), GBCAST_OK);
    for (uint32_t i = 0; i < s.count; i++) {
      const char *sign = memchr(s.word[i].text, '=', s.word[i].length);
      if (sign == NULL)
        continue;
      fwrite(written, 1, (size_t)(sign - written), out);
      written = s.word[i].text + s.word[i].length;
    }
    at += n + (at[n] == '\n');
  }
  fputs(written, out);
  gb_source_release(&s);
  fclose(out);
  return out_text;
}

Test(merge, changes_numbers_and_nothing_else) {
  gb_random random = {37};
  for (int round = 0; round < ROUNDS(100); round++) {
    char *plain = random_hosts(&random, (gb_grid_kind){.sites = 5,
                                                       .hosts = 4,
                                                       .slots = 3,
                                                       .switches = round % 2 == 0,
                                                       .caps = true,
                                                       .measured = round % 3 == 0,
                                                       .windows = true});
    char *text = scribble(&random, plain);
    gbcast_platform *p = read_text(text);
    char *same = merge(text, p);
    cr_assert_str_eq(same, text);
    change(&random, p);
    char *merged = merge(text, p), *left = without_numbers(text), *kept = without_numbers(merged);
    gbcast_platform *q = read_text(merged);
    expect_same(q, p, merged);
    cr_assert_str_eq(kept, left);
    gbcast_platform_free(q);
    gbcast_platform_free(p);
    free(plain);
    free(text);
    free(same);
    free(merged);
    free(left);
    free(kept);
  }
}

static void expect_merged(const char *text, const char *now, const char *want) {
  gbcast_platform *p = read_text(now);
  char *merged = merge(text, p);
  cr_assert_str_eq(merged, want);
  gbcast_platform_free(p);
  free(merged);
}

#define SITES "cluster a\na0\ncluster b\nb0\n"

Test(merge, one_line_for_two_directions_says_the_worse) {
  expect_merged(SITES "link a b latency=9ms bandwidth=1Gbit/s overhead=1us # leased",
                SITES "link a -> b latency=2ms bandwidth=50Mbit/s overhead=3us\n"
                      "link b -> a latency=4ms bandwidth=40Mbit/s overhead=2us\n",
                SITES "link a b latency=3ms bandwidth=40Mbit/s overhead=3us # leased");
}

Test(merge, a_line_says_only_what_no_other_line_says) {
  expect_merged(
      SITES "link b -> a latency=9ms bandwidth=1Gbit/s\nlink a b latency=8ms bandwidth=1Gbit/s\n",
      SITES "link a -> b latency=2ms bandwidth=50Mbit/s\nlink b -> a latency=4ms bandwidth=40Mbit/s\n",
      SITES "link b -> a latency=4ms bandwidth=40Mbit/s\nlink a b latency=2ms bandwidth=50Mbit/s\n");
}

Test(merge, the_bandwidth_of_a_line_without_stream_bandwidth_is_what_one_stream_gets) {
  expect_merged(SITES "link a b latency=9ms bandwidth=1Gbit/s\n",
                SITES "link a b latency=9ms bandwidth=40Mbit/s stream-bandwidth=10Mbit/s\n",
                SITES "link a b latency=9ms bandwidth=10Mbit/s\n");
  expect_merged(SITES "link a b latency=9ms stream-bandwidth=5Mbit/s bandwidth=1Gbit/s\n",
                SITES "link a b latency=9ms bandwidth=40Mbit/s\n",
                SITES "link a b latency=9ms stream-bandwidth=40Mbit/s bandwidth=40Mbit/s\n");
}

Test(merge, the_latency_of_a_line_without_overhead_has_it) {
  expect_merged(SITES "link a b latency=9ms bandwidth=1Gbit/s\n",
                SITES "link a b latency=5ms bandwidth=1Gbit/s overhead=502us\n",
                SITES "link a b latency=6ms bandwidth=1Gbit/s\n");
  expect_merged("cluster a latency=9us\na0\n", "cluster a latency=1ns overhead=8us\na0\n",
                "cluster a latency=12us\na0\n");
}

Test(merge, names_what_has_no_place) {
  static const char merged[] = "cluster a latency=50us\na0\ncluster b\nb0\n"
                               "link a b latency=3ms bandwidth=10Mbit/s\n"
                               "plogp a size=2k gap=3us latency=5us\nplogp a size=4k gap=3us latency=5us\n"
                               "plogp a b size=2k gap=3us latency=5us\n";
  static const char now[] = "cluster a latency=52us reduce=0.3ns contention=0.02\na0\ncluster b\nb0\n"
                            "link a -> b latency=3ms bandwidth=30Mbit/s stream-bandwidth=10Mbit/s\n"
                            "link b -> a latency=3ms bandwidth=10Mbit/s\n"
                            "plogp a size=4k gap=3us latency=5us\n";
  gbcast_platform *p = read_text(merged), *q = read_text(now);
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  gb_probe_tell_unplaced(p, q, out);
  fclose(out);
  cr_assert_str_eq(
      text,
      "hosts.txt:1:9: cluster a: the line has no place for reduce=0.3ns contention=0.02\n"
      "hosts.txt:1:9: cluster a: its plogp line with size=2k was not measured and stays as it is\n"
      "hosts.txt:5:1: link a -> b: the line has no place for bandwidth=30Mbit/s stream-bandwidth=10Mbit/s\n"
      "hosts.txt:5:1: link a -> b: its plogp lines were not measured and stay as they are; they override the "
      "link line\n"
      "hosts.txt:5:1: link b -> a: its plogp lines were not measured and stay as they are; they override the "
      "link line\n");
  gbcast_platform_free(p);
  gbcast_platform_free(q);
  free(text);
}
