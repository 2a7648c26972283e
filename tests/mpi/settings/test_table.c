/* The table of settings: what each takes, and which one a wrong name means. */
#include "mpi/settings/settings.h"
#include "platform/live/live.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static gb_settings defaults(void) {
  gb_settings s;
  gbcast_error err = {""};
  cr_assert_eq(gb_settings_init(&s, &err), GBCAST_OK, "%s", err.message);
  return s;
}

static int take(gb_settings *s, const char *name, const char *value, gbcast_error *err) {
  const gb_setting *setting = gb_setting_at(gb_setting_number(name));
  *err = (gbcast_error){""};
  return setting->read(setting, value, s, err);
}

Test(settings, columns_of_the_list_have_no_blanks) {
  const gb_setting *s, *other;
  size_t count = 0;
  for (; (s = gb_setting_at(count)) != NULL; count++) {
    cr_expect(strncmp(s->name, "GBCAST_", 7) == 0, "%s", s->name);
    cr_expect_null(strpbrk(s->name, " \t\n"), "%s", s->name);
    cr_expect_null(strpbrk(s->value, " \t\n"), "%s: %s", s->name, s->value);
    cr_expect(s->fallback == NULL || strpbrk(s->fallback, " \t\n") == NULL, "%s: %s", s->name, s->fallback);
    for (size_t i = 0; i < count; i++) {
      other = gb_setting_at(i);
      cr_expect_str_neq(other->name, s->name);
    }
    cr_expect_eq(gb_setting_number(s->name), count);
  }
  cr_expect_gt(count, 0);
}

Test(settings, that_are_not_given_have_their_defaults) {
  gb_settings s = defaults();
  cr_expect_eq(s.max_age, GB_LIVE_MAX_AGE);
  cr_expect_eq(s.refresh, 0);
  cr_expect_eq(s.verbose, 0);
  cr_expect_eq(s.map_by_order, 0);
  cr_expect_eq(s.check, 0);
  cr_expect_eq(s.disabled, 0);
  cr_expect_null(s.hosts);
  cr_expect_null(s.sync);
  gb_settings_release(&s);
}

Test(settings, are_read) {
  gb_settings s = defaults();
  gbcast_error err;
  cr_expect_eq(take(&s, "GBCAST_HOSTS", "a/b", &err), GBCAST_OK);
  cr_expect_str_eq(s.hosts, "a/b");
  cr_expect_eq(take(&s, "GBCAST_MAP", "order", &err), GBCAST_OK);
  cr_expect_eq(s.map_by_order, 1);
  static const char *const levels[] = {"0", "1", "2", "3", "99"}; /* those above 2 are 2 */
  for (int i = 0; i < 5; i++) {
    cr_expect_eq(take(&s, "GBCAST_VERBOSE", levels[i], &err), GBCAST_OK);
    cr_expect_eq(s.verbose, i < 2 ? i : 2);
  }
  cr_expect_eq(take(&s, "GBCAST_SEGMENT", "64k", &err), GBCAST_OK);
  cr_expect_eq(s.segment, 65536);
  cr_expect_eq(take(&s, "GBCAST_LANES", "64", &err), GBCAST_OK);
  cr_expect_eq(s.lanes, 64);
  static const struct {
    const char *value;
    double seconds;
  } objectives[] = {{"time", 0}, {"cost", INFINITY}, {"90", 90}, {"0.5s", 0.5}};
  for (int i = 0; i < 4; i++) {
    cr_expect_eq(take(&s, "GBCAST_OBJECTIVE", objectives[i].value, &err), GBCAST_OK);
    cr_expect_eq(s.objective, objectives[i].seconds);
  }
  cr_expect_eq(take(&s, "GBCAST_MAX_AGE", "60", &err), GBCAST_OK);
  cr_expect_eq(s.max_age, 60);
  cr_expect_eq(take(&s, "GBCAST_REFRESH", "0.5", &err), GBCAST_OK);
  cr_expect_eq(s.refresh, 0.5);
  cr_expect_eq(take(&s, "GBCAST_SYNC", "sender-partial:4", &err), GBCAST_OK);
  cr_expect_str_eq(s.sync, "sender-partial:4");
  cr_expect_eq(take(&s, "GBCAST_ALGORITHM", "flat/binomial", &err), GBCAST_OK);
  cr_expect_eq(take(&s, "GBCAST_INTER", "chain", &err), GBCAST_OK);
  cr_expect_str_eq(s.inter, "chain");
  cr_expect_str_eq(s.intra, "binomial");
  gb_settings_release(&s);
}

Test(settings, that_cannot_be_used_say_what_they_take) {
  static const char *const bad[][3] = {
      {"GBCAST_DISABLE", "yes", "GBCAST_DISABLE=yes: expected 0 or 1"},
      {"GBCAST_VERBOSE", "-1", "GBCAST_VERBOSE=-1: expected 0, 1 or 2"},
      {"GBCAST_VERBOSE", "1|2", "GBCAST_VERBOSE=1|2: expected 0, 1 or 2"},
      {"GBCAST_MAP", "nam", "GBCAST_MAP=nam: expected name or order"},
      {"GBCAST_SEGMENT", "0", "GBCAST_SEGMENT=0: expected a whole number of bytes above 0"},
      {"GBCAST_SEGMENT", "16E", "GBCAST_SEGMENT=16E: expected"},
      {"GBCAST_LANES", "65", "GBCAST_LANES=65: expected 1 to 64 lanes"},
      {"GBCAST_OBJECTIVE", "cheap", "GBCAST_OBJECTIVE=cheap: expected time, cost or a number of seconds"},
      {"GBCAST_OBJECTIVE", "0", "GBCAST_OBJECTIVE=0: expected time, cost or"},
      {"GBCAST_MAX_AGE", "0.5", "GBCAST_MAX_AGE=0.5: expected a whole number of seconds, at least 1"},
      {"GBCAST_REFRESH", "1e3", "GBCAST_REFRESH=1e3: expected a number of seconds"},
      {"GBCAST_REFRESH", ".", "GBCAST_REFRESH=.: expected a number of seconds"},
      {"GBCAST_SYNC", "never", "GBCAST_SYNC: "},
      {"GBCAST_ALGORITHM", "flat", "GBCAST_ALGORITHM=flat: expected INTER/INTRA"},
      {"GBCAST_ALGORITHM", "flat/", "GBCAST_ALGORITHM=flat/: expected INTER/INTRA"},
  };
  gb_settings s = defaults();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    gbcast_error err;
    cr_expect_eq(take(&s, bad[i][0], bad[i][1], &err), GBCAST_EUSAGE, "%s=%s", bad[i][0], bad[i][1]);
    cr_expect(strncmp(err.message, bad[i][2], strlen(bad[i][2])) == 0, "'%s' does not begin '%s'",
              err.message, bad[i][2]);
  }
  gb_settings_release(&s);
}

Test(settings, that_are_none_have_a_nearest_one) {
  static const char *const pairs[][2] = {
      {"GBCAST_SEGMNET", "GBCAST_SEGMENT"},  {"GBCAST_HOST", "GBCAST_HOSTS"},
      {"GBCAST_DISABLED", "GBCAST_DISABLE"}, {"GBCAST_INTRO", "GBCAST_INTRA"},
      {"GBCAST_INTRE", "GBCAST_INTER"}, /* a swap is one change: INTRA is as near, and comes later */
      {"gbcast_lane", "GBCAST_LANES"},       {"GBCAST_SYNCH", "GBCAST_SYNC"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    cr_expect_str_eq(gb_setting_nearest(pairs[i][0])->name, pairs[i][1], "%s: %s, expected %s", pairs[i][0],
                     gb_setting_nearest(pairs[i][0])->name, pairs[i][1]);
  char name[2000] = "GBCAST_";
  memset(name + 7, 'X', sizeof name - 8);
  cr_expect_null(gb_setting_nearest(name));
  cr_expect_null(gb_setting_nearest("GBCAST_"));
  cr_expect_null(gb_setting_nearest("GBCAST_TUNING"));
}
