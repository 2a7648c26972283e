/* What a name server's search finds. */
#include "nws/wire/object.h"

#include "tests/nws/wire/naive_filter.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static const char series[] =
    "name:a.x:8060.latencyTcp.b.x:8060\tobjectclass:nwsSeries\thost:a.x:8060\t"
    "label:CPU Fraction\tmemory:m.x:8050\tresource:latencyTcp\ttarget:b.x:8060\tempty:\t\t";

static bool matches(const char *filter) {
  return gb_filter_matches(gb_view_of(filter), gb_view_of(series));
}

Test(nws_filter, found) {
  static const char *const filters[] = {
      "resource=latencyTcp",
      "(resource=latencyTcp)",
      "  ( resource=latencyTcp )  ",
      "((((resource=latencyTcp))))",
      "(&(objectclass=nwsSeries)(resource=latencyTcp))",
      "&(objectclass=nwsSeries)(resource=latencyTcp)",
      "(& (objectclass=nwsSeries) (resource=latencyTcp) )",
      "(&(objectclass=nwsSeries)(resource=latencyTcp)(|(host=a.x:*))(|(target=b.x:*)))",
      "(|(resource=bandwidthTcp)(resource=latencyTcp)(resource=x))",
      "(!(resource=bandwidthTcp))",
      "(!(!(resource=latencyTcp)))",
      "(&(objectclass=nwsSeries)(!(|(host=b*)(host=c*))))",
      "(host=*)",
      "(empty=*)",
      "(host=a*8060)",
      "(host=*.x:*)",
      "(host=**a.x:8060**)",
      "(label=CPU*)",
      "(label~=CPU*)",
      "(resource~=latencyTcp)",
      "(memory>=m)",
      "(memory<=m.x:9)",
      "(memory<=m.x:8050)",
      "(memory>=m.x:8050)",
      "(empty<=a)",                   /* nothing of the value to compare */
      "(ource=latencyTcp)",           /* names are looked for as text */
      "(x=8060.latencyTcp.b.x:8060)", /* also inside values */
      "(name=a.x:8060.latencyTcp.b.x:8060)",
      "(resource=latencyTcp", /* what is missing at the end is not missed */
      "resource=latencyTcp)",
      "(resource=latencyTcp)(resource=x)", /* what is too much is not looked at */
      "(label=CPU* Fraction)",
      "(&)",
      "(|(resource=latencyTcp)(bad))",
      "(!(bad))",
  };
  for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
    cr_expect(matches(filters[i]), "%s", filters[i]);
}

Test(nws_filter, not_found) {
  static const char *const filters[] = {
      "",
      " ",
      "(",
      ")",
      "()",
      "((((",
      "))))",
      "=",
      "(=)",
      "(=x)",
      "resource",
      "(resource)",
      "(|)",
      "(resource=)",
      "(resource~latencyTcp)",
      "(resource<latencyTcp)",
      "(resource!=latencyTcp)",
      "(resource=latencytcp)",
      "(Resource=latencyTcp)",
      "(resource=latency)",
      "(resource=atencyTcp)",
      "(resource=*x)",
      "(resource=*latencyTcp*x)",
      "(none=*)",
      "(label=CPU Fraction)",
      "(memory>=n)",
      "(memory<=m.x:8049)",
      "(memory<=m)", /* longer than what it is compared with: greater */
      "(&(objectclass=nwsSeries)(resource=))",
      "(&(objectclass=nwsSeries)(bad))",
      "(!(resource=latencyTcp))",
      "(&(objectclass=nwsSeries)(!(resource=latencyTcp)))",
      "(resource=latencyTcp\t)",
      "(label=Fraction)",
  };
  for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
    cr_expect_not(matches(filters[i]), "%s", filters[i]);
}

Test(nws_filter, names_and_values_end_at_127_bytes) {
  char as[200], object[512], filter[512];
  memset(as, 'a', sizeof as);
  for (int length = 120; length < 135; length++) {
    (void)snprintf(object, sizeof object, "v:%.*s\t%.*s:x\t\t", length, as, length, as);
    (void)snprintf(filter, sizeof filter, "(v=%.*s)", length, as);
    cr_expect_eq(gb_filter_matches(gb_view_of(filter), gb_view_of(object)), length <= 127, "%d", length);
    (void)snprintf(filter, sizeof filter, "(v=%.100s*)", as);
    cr_expect(gb_filter_matches(gb_view_of(filter), gb_view_of(object)), "%d", length);
    (void)snprintf(filter, sizeof filter, "(%.*s=x)", length, as);
    cr_expect_eq(gb_filter_matches(gb_view_of(filter), gb_view_of(object)), length <= 127, "%d", length);
  }
}

/* Much of everything: no stack runs out and nothing takes for ever (the test's time-out tells). */
Test(nws_filter, depth_and_length_do_no_harm) {
  size_t length = 100000;
  char *text = malloc(4 * length + 1), *object = malloc(length + 1);
  cr_assert(text != NULL && object != NULL);
  for (const char *c = "(!&|) =*"; *c != '\0'; c++) {
    memset(text, *c, length);
    (void)gb_filter_matches((gb_view){text, length}, gb_view_of(series));
  }
  memset(text, '(', length);
  strcpy(text + length, "resource=latencyTcp");
  memset(text + length + 19, ')', length);
  for (size_t depth = 990; depth < 1010; depth++)
    cr_expect_eq(gb_filter_matches((gb_view){text + length - depth, 2 * depth + 19}, gb_view_of(series)),
                 depth <= 1000, "%zu", depth);
  memset(object, ':', length); /* each of its bytes begins another value of ":" */
  cr_expect_not(gb_filter_matches(gb_view_of(":=*a*b*c"), (gb_view){object, length}));
  cr_expect_not(gb_filter_matches(gb_view_of(":=:*a"), (gb_view){object, length}));
  memset(object, 'a', length);
  memcpy(object, "v:", 2);
  cr_expect_not(
      gb_filter_matches(gb_view_of("v=*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b"), (gb_view){object, length}));
  cr_expect_not(
      gb_filter_matches(gb_view_of("v=a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*ab"), (gb_view){object, length}));
  free(text);
  free(object);
}

/* Terms that take long on objects of 4 kB, one at a time: each call ends in time. */
Test(nws_filter, steps_have_a_bound) {
  static const char *const terms[] = {
      "a=x ",
      "::=x ",
      "a=*******************************************************************b* ",
      "a=*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab* ",
      "a=*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*ab*b ",
      "a=a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:b* ",
      "a>=a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:b ",
      "(!",
      "          ",
      "aaaa"};
  static const char *const pieces[] = {"a", ":", "a:", "a:x\t", "a:aaaaaaaa\t", "b"};
  static char filter[16000], object[4096];
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
    for (size_t at = 1, j = 0; at < sizeof filter; at++, j = terms[i][j + 1] != '\0' ? j + 1 : 0)
      filter[at] = terms[i][j];
    filter[0] = '|';
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
      for (size_t at = 0, j = 0; at < sizeof object; at++, j = pieces[k][j + 1] != '\0' ? j + 1 : 0)
        object[at] = pieces[k][j];
      gb_filter_match m;
      gb_filter_start(&m, (gb_view){filter, sizeof filter});
      for (bool done = false; !done;) {
        size_t steps = 0, before = m.left.length;
        done = gb_filter_continue(&m, (gb_view){object, sizeof object}, 1, &steps);
        size_t read = before - m.left.length;
        cr_assert_leq(steps, 3 * sizeof object + sizeof object / 64 + read + 1, "'%s' on '%s': %zu", terms[i],
                      pieces[k], steps);
      }
    }
  }
}

static void join(uint64_t *seed, const char *const *pieces, uint32_t kinds, unsigned most, char *text) {
  *text = '\0';
  for (unsigned i = xorshift(seed, most + 1); i > 0; i--)
    strcat(text, pieces[xorshift(seed, kinds)]);
}

/* A filter as the grammar wants it. */
static void grow(uint64_t *seed, unsigned depth, char *text) {
  static const char *const lists[] = {"(&", "(|", "(!"};
  static const char *const terms[] = {"(a=a)",     "a=*b",    "(b~=a*) ", " (a=*)",
                                      "(b=*a*b*)", "(ab<=b)", "(b>=a)",   "(ab=b)"};
  uint32_t list = xorshift(seed, 3);
  if (depth == 0 || xorshift(seed, 4) == 0) {
    strcat(text, terms[xorshift(seed, sizeof terms / sizeof *terms)]);
    return;
  }
  strcat(text, lists[list]);
  for (unsigned i = list == 2 ? 1 : xorshift(seed, 4); i > 0; i--)
    grow(seed, depth - 1, text);
  strcat(text, ")");
}

/* As gb_filter_matches, with pauses. */
static bool matches_in_pieces(uint64_t *seed, const char *filter, const char *object) {
  gb_filter_match m;
  size_t steps = 0;
  gb_filter_start(&m, gb_view_of(filter));
  while (!gb_filter_continue(&m, gb_view_of(object), 1 + xorshift(seed, 20), &steps))
    ;
  return m.found;
}

Test(nws_filter, like_the_naive_one) {
  static const char a63[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  const char *const in_filter[] = {"(",  "(",  ")",   ")",   "&",   "|",     "!",      "=", "=",
                                   "<=", ">=", "~=",  "<",   "~",   " ",     "*",      "a", "a",
                                   "b",  "ab", "a=*", "a=b", "b=a", "(a=a)", "(b=*b)", a63};
  const char *const in_object[] = {"a:", "b:", "a", "b", "\t", ":", "a:b\t", "b:a\t", a63};
  uint64_t seed = 77;
  unsigned found = 0;
  for (unsigned round = 0; round < 300000; round++) {
    char filter[1024], object[1024];
    *filter = '\0';
    if (round % 2 == 0)
      grow(&seed, 3, filter);
    else
      join(&seed, in_filter, sizeof in_filter / sizeof *in_filter, 14, filter);
    if (round % 4 == 0 && *filter != '\0') /* with one byte wrong */
      filter[xorshift(&seed, (uint32_t)strlen(filter))] = "()&|!= *ab"[xorshift(&seed, 10)];
    join(&seed, in_object, sizeof in_object / sizeof *in_object, 10, object);
    const char *at = filter;
    bool expected = naive_filter(&at, object);
    cr_assert_eq(gb_filter_matches(gb_view_of(filter), gb_view_of(object)), expected, "'%s' on '%s': not %d",
                 filter, object, expected);
    cr_assert_eq(matches_in_pieces(&seed, filter, object), expected, "'%s' on '%s', with pauses", filter,
                 object);
    found += expected;
  }
  cr_expect(found > 30000 && found < 270000, "%u found: the inputs are too much alike", found);
}

Test(nws_filter, wildcards_like_the_naive_ones) {
  static const char *const in_pattern[] = {"*", "*", "a", "b", "ab", "aab"};
  static const char *const in_value[] = {"a", "a", "b", "ab", ":", "v:"};
  uint64_t seed = 5;
  unsigned found = 0;
  for (unsigned round = 0; round < 300000; round++) {
    char filter[64] = "v=", object[64] = "v:";
    join(&seed, in_pattern, 6, 9, filter + 2);
    join(&seed, in_value, 6, 9, object + 2);
    strcat(object, round % 2 == 0 ? "\tv:ba\t\t" : "\t\t");
    const char *at = filter;
    bool expected = naive_filter(&at, object);
    cr_assert_eq(gb_filter_matches(gb_view_of(filter), gb_view_of(object)), expected, "'%s' on '%s': not %d",
                 filter, object, expected);
    found += expected;
  }
  cr_expect(found > 30000 && found < 270000, "%u found: the inputs are too much alike", found);
}
