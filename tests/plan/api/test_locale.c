/* A program may have called setlocale(): a decimal comma (German) and letters with other cases (Turkish)
 * change nothing in what is read, planned and printed. The locales are made by the test plan/api/locales
 * (CMakeLists.txt). */
#include "nws/wire/message.h"
#include "plan/core/core.h"
#include "platform/live/live.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const char live_text[] =
    "ILI BIG 1.75 90.5 2.5 bandwidth-error=45.25\nbIg Ili rtt=3.25 - 700.5\nILI bIg INF\n";

static const char hosts[] = "cluster Ili latency=50.5us bandwidth=1.5Gbit/s overhead=2.25us\nn[0-6].i:2\n"
                            "cluster bIg wan-bandwidth=0.75Gbit/s\nswitch s0\nm[0-3].b\nswitch s1 uplink=s0 "
                            "latency=1.25us\nm4.b\n"
                            "link Ili bIg latency=1.6ms bandwidth=100.5Mbit/s injection=0.3ms\n"
                            "plogp bIg size=1k gap=25.5us latency=68.125us\n";

/* All that the planner says about `hosts` in the locale of the moment; to be freed. */
static char *everything(uint64_t *hash) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_not_null(out);
  for (int operation = GBCAST_BCAST; operation <= GBCAST_SCATTER; operation++) {
    gbcast_platform *platform = NULL;
    gbcast_plan *plan = NULL;
    gbcast_error err = {""};
    gbcast_request request = {.operation = (enum gbcast_operation)operation, .bytes = 300000};
    cr_assert_eq(gbcast_platform_parse(hosts, strlen(hosts), "hosts", &platform, &err), GBCAST_OK, "%s",
                 err.message);
    cr_assert_eq(gbcast_platform_print(platform, out), GBCAST_OK);
    gb_live live = {.source = "live"};
    cr_assert_eq(gb_live_parse(&live, live_text, strlen(live_text), "live", 0, &err), GBCAST_OK, "%s",
                 err.message);
    cr_assert_eq(gb_live_overlay(platform, &live, GB_LIVE_MAX_AGE, &err), GBCAST_OK, "%s", err.message);
    gb_live_release(&live);
    cr_assert_eq(gbcast_platform_print_live(platform, out), GBCAST_OK);
    for (size_t i = 0; gbcast_platform_note(platform, i) != NULL; i++)
      fprintf(out, "%s\n", gbcast_platform_note(platform, i));
    cr_assert_eq(gbcast_plan_make(platform, &request, &plan, &err), GBCAST_OK, "%s", err.message);
    for (enum gbcast_format f = GBCAST_TEXT; f <= GBCAST_HTML; f++)
      if (f != GBCAST_C || operation != GBCAST_SCATTER)
        cr_assert_eq(gbcast_plan_print(plan, f, out), GBCAST_OK);
    hash[operation] = gbcast_plan_hash(plan);
    gbcast_plan_free(plan);
    gbcast_platform_free(platform);
  }
  fclose(out);
  return text;
}

static void same_in(const char *name, int letter) {
  uint64_t plain[2], here[2];
  char *expected = everything(plain);
  cr_assert_not_null(strstr(expected, "50.5us"), "%s", expected);
  cr_assert_not_null(strstr(expected, "1.75 ms, 2.5 s old"), "%s", expected);
  cr_assert_not_null(setlocale(LC_ALL, name),
                     "there is no locale %s in LOCPATH=%s: run the tests plan/api/locales-*", name,
                     getenv("LOCPATH") != NULL ? getenv("LOCPATH") : "(not set)");
  char comma[8];
  snprintf(comma, sizeof comma, "%.1f", 1.5);
  cr_assert_str_eq(comma, "1,5", "%s has no decimal comma", name);
  cr_assert_eq(tolower('I'), letter, "%s: I becomes %c", name, tolower('I'));
  char *found = everything(here);
  cr_assert_str_eq(found, expected);
  cr_assert_eq(here[0], plain[0]);
  cr_assert_eq(here[1], plain[1]);
  snprintf(comma, sizeof comma, "%.1f", 1.5);
  cr_assert_str_eq(comma, "1,5", "the program's locale was not put back");
  free(expected);
  free(found);
}

Test(locale, decimal_comma) {
  same_in("de_DE.UTF-8", 'i');
}

Test(locale, letters_of_another_alphabet) {
  same_in("tr_TR.UTF-8", 'I');
}

/* Messages are written in the locale of the program, which has no say in them either. */
Test(locale, messages) {
  static const char *const wrong[] = {"cluster a latency=1,5us\nn0\n",
                                      "n0\nlink a b latency=1ms bandwidth=1e-30bit/s\n",
                                      "cluster a bandwidth=1e300Gbit/s\nn0\n", "n0:0\n", "cluster a\n"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    gbcast_error plain = {""}, here = {""};
    gbcast_platform *p = NULL;
    setlocale(LC_ALL, "C");
    cr_assert_eq(gbcast_platform_parse(wrong[i], strlen(wrong[i]), "hosts", &p, &plain), GBCAST_EINPUT);
    cr_assert_not_null(setlocale(LC_ALL, "de_DE.UTF-8"), "run the tests plan/api/locales-*");
    cr_assert_eq(gbcast_platform_parse(wrong[i], strlen(wrong[i]), "hosts", &p, &here), GBCAST_EINPUT);
    cr_assert_str_eq(here.message, plain.message);
  }
}

/* Measurements have a point on the wire, here and in any other program. */
static void records_in(const char *name) {
  static const char expected[] = " 1795228205             12.75000";
  cr_assert_not_null(setlocale(LC_ALL, name), "run the tests plan/api/locales-*");
  char out[GB_NWS_RECORD_BYTES];
  cr_assert(gb_record_write((gb_measurement){1795228205, 12.75}, out));
  cr_expect_eq(memcmp(out, expected, sizeof out), 0, "%.32s", out);
  gb_nws_state state = {.record_size = 32, .record_count = 1, .records = {out, 32}};
  uint32_t count;
  gb_measurement *list = gb_records_read(&state, &count);
  cr_assert(list != NULL && count == 1);
  cr_expect(list[0].time == 1795228205 && list[0].value == 12.75);
  free(list);
  state.records = gb_view_of(" 1795228205             12,75000");
  list = gb_records_read(&state, &count);
  cr_expect(list != NULL && count == 0);
  free(list);
}

Test(locale, records) {
  records_in("C");
  records_in("de_DE.UTF-8");
}
