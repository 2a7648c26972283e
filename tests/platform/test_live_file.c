/* The live file: what its lines mean, and what is said about those that cannot be understood. */
#include "platform/live/live.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOW = 1000 };

static int parse(const char *text, gb_live *live, gbcast_error *err) {
  *live = (gb_live){.source = "file:live"};
  return gb_live_parse(live, text, strlen(text), "live", NOW, err);
}

/* A line and its values. */
static const struct {
  const char *line;
  double latency, latency_error, bandwidth, bandwidth_error, age;
} good[] = {
    {"a b 1.6", 0.0016, -1, -1, -1, 0},
    {"a b 1.6 100", 0.0016, -1, 12.5e6, -1, 0},
    {"\t a  b 1.6\t100 12.5 # said at noon", 0.0016, -1, 12.5e6, -1, 12.5},
    {"a b rtt=23.1 0.5 3", 0.01155, -1, 62500, -1, 3},
    {"a b 46 - 3", 0.046, -1, -1, -1, 3},
    {"a b - 100", -1, -1, 12.5e6, -1, 0},
    {"a b rtt=- 100", -1, -1, 12.5e6, -1, 0},
    {"a b 1e-3 1e3", 1e-6, -1, 125e6, -1, 0},
    {"a b 46 100 -3", 0.046, -1, 12.5e6, -1, -3},
    {"a b 46 time=400", 0.046, -1, -1, -1, 600},
    {"a b 46 time=87400", 0.046, -1, -1, -1, -86400},
    {"a b 46 100 latency-error=2 bandwidth-error=30", 0.046, 0.002, 12.5e6, 3.75e6, 0},
    {"a b rtt=46 latency-error=2", 0.023, 0.001, -1, -1, 0},
    /* measurements that failed */
    {"a b 0 0", 0, -1, 0, -1, 0},
    {"a b -5 -0.1", 0, -1, 0, -1, 0},
    {"a b nan NaN", 0, -1, 0, -1, 0},
    {"a b rtt=-inf 100", 0, -1, 12.5e6, -1, 0},
};

Test(live_file, lines) {
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    gb_live live;
    gbcast_error err = {""};
    cr_assert_eq(parse(good[i].line, &live, &err), GBCAST_OK, "%s", err.message);
    cr_assert_eq(live.count, 1);
    const gb_live_value *v = &live.value[0];
    cr_assert(strcmp(v->from, "a") == 0 && strcmp(v->to, "b") == 0);
    cr_assert(v->latency == good[i].latency && v->bandwidth == good[i].bandwidth && v->age == good[i].age,
              "%s: %.17g s, %.17g B/s, %.17g s old", good[i].line, v->latency, v->bandwidth, v->age);
    cr_assert(
        (good[i].latency_error < 0 ? v->latency_error < 0 : v->latency_error == good[i].latency_error) &&
            (good[i].bandwidth_error < 0 ? v->bandwidth_error < 0
                                         : v->bandwidth_error == good[i].bandwidth_error),
        "%s: errors %.17g %.17g", good[i].line, v->latency_error, v->bandwidth_error);
    gb_live_release(&live);
  }
}

Test(live_file, infinite_values_stay_so) { /* which the overlay does not use */
  gb_live live;
  gbcast_error err = {""};
  cr_assert_eq(parse("a b 1e999 1e999 nan", &live, &err), GBCAST_OK, "%s", err.message);
  cr_assert(isinf(live.value[0].latency) && isinf(live.value[0].bandwidth) && isnan(live.value[0].age));
  gb_live_release(&live);
}

Test(live_file, file) {
  gb_live live;
  gbcast_error err = {""};
  cr_assert_eq(parse("# nothing\n\n  \na b 1\n[fe80::1]:8060 n0.x:8060 2\na b 3", &live, &err), GBCAST_OK,
               "%s", err.message);
  cr_assert_eq(live.count, 3);
  cr_assert_str_eq(live.value[1].from, "[fe80::1]:8060");
  cr_assert_str_eq(live.value[1].to, "n0.x:8060");
  cr_assert_eq(live.value[2].latency, 0.003);
  gb_live_release(&live);
  cr_assert_eq(parse("", &live, &err), GBCAST_OK);
  cr_assert_eq(live.count, 0);
  gb_live_release(&live);
}

static const struct {
  const char *text, *message;
} bad[] = {
    {"a", "live:1:2: found the end of the line, expected the name of a host or cluster"},
    {"\n a b", "live:2:5: found the end of the line, expected the latency in ms"},
    {"a b 12ms", "live:1:5: found '12ms', expected the latency in ms"},
    {"a b 1,5", "live:1:5: found '1,5', expected the latency in ms"},
    {"a b 0x10", "live:1:5: found '0x10', expected the latency in ms"},
    {"a b rtt=fast", "live:1:9: found 'fast', expected the round trip in ms"},
    {"a b rtt=", "live:1:5: found 'rtt=', expected the latency in ms"},
    {"a b 1 10Mbit/s", "live:1:7: found '10Mbit/s', expected the bandwidth in Mbit/s"},
    {"a b 1 rtt=3", "live:1:7: found 'rtt=3', expected the end of the line or one of"},
    {"a b 1 2 soon", "live:1:9: found 'soon', expected the age in s"},
    {"a b 1 2 -", "live:1:9: found '-', expected the age in s"},
    {"a b 1 2 3 4", "live:1:11: found '4', expected the end of the line or one of"},
    {"a b 1 time=5 2", "live:1:14: found '2', expected the end of the line or one of"},
    {"a b 1 2 3 time=5", "live:1:16: found '5', expected an age or a time=, not both"},
    {"a b 1 time=1000000", "live:1:12: found '1000000', expected seconds since 1970, a day from now at most"},
    {"a b 1 time=now", "live:1:12: found 'now', expected seconds since 1970"},
    {"a b 1 latency-error=x", "live:1:21: found 'x', expected the error in ms"},
    {"a b 1 bandwidth-error=x", "live:1:23: found 'x', expected the error in Mbit/s"},
    {"a b 1 time=1 time=2", "live:1:14: found 'time=2', expected time= only once"},
    {"a -> b 1", "live:1:3: found '->', expected the name of a host or cluster"},
    {"a=b c 1", "live:1:1: found 'a=b', expected the name of a host or cluster"},
    {"a b 1\r\n", "live:1:6: found a carriage return"},
    {"a b 1\nc \001 1\n", "live:2:3: found the control character 0x01"},
};

Test(live_file, mistakes) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    gb_live live;
    gbcast_error err = {""};
    cr_assert_eq(parse(bad[i].text, &live, &err), GBCAST_OK, "%s", err.message);
    cr_assert_eq(live.left_out, 1, "'%s' is taken", bad[i].text);
    cr_assert(strncmp(live.first, bad[i].message, strlen(bad[i].message)) == 0, "'%s': %s", bad[i].text,
              live.first);
    gb_live_release(&live);
    cr_assert_eq(live.left_out, 0);
  }
  char name[400];
  gb_live live;
  gbcast_error err = {""};
  memset(name, 'x', sizeof name);
  memcpy(name + 300, " b 1", 5);
  cr_assert_eq(parse(name, &live, &err), GBCAST_OK);
  cr_assert_eq(live.left_out, 1, "a name of 300 bytes is taken");
  cr_assert_eq(live.count, 0);
  gb_live_release(&live);
}

static void append(void *context, const char *message) {
  char *told = context;
  snprintf(told + strlen(told), 1000 - strlen(told), "%s\n", message);
}

/* Whoever wrote one line wrong did not measure the others. */
Test(live_file, wrong_lines_are_left_out_and_the_others_are_not) {
  static const char text[] = "a b 1\nc d rtt=0,034\n# e\nf g 2\n\001\nh i 3 soon\nj k 4\nl";
  char told[1000] = "";
  gb_live live = {.source = "file:live", .report = append, .context = told};
  gbcast_error err = {""};
  cr_assert_eq(gb_live_parse(&live, text, strlen(text), "live", NOW, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(live.count, 3);
  cr_expect_str_eq(live.value[1].from, "f");
  cr_expect_eq(live.value[2].latency, 0.004);
  cr_expect_eq(live.left_out, 4);
  const char *at = told;
  for (size_t i = 0; i < 4; i++) {
    static const char *const place[] = {"live:2:9: found '0,034'", "live:5:1: found the control",
                                        "live:6:7: found 'soon'", "live:8:2: found the end of the line"};
    cr_expect(strncmp(at, place[i], strlen(place[i])) == 0, "%s", told);
    at = strchr(at, '\n') + 1;
  }
  cr_expect(strncmp(told, live.first, strlen(live.first)) == 0);
  gb_live_release(&live);
}

Test(live_file, sources) {
  gbcast_error err = {""};
  gb_live live = {.source = "file:/no/such/file"};
  cr_assert_eq(gb_live_read(&live, NOW, &err), GBCAST_EINPUT);
  cr_assert(strncmp(err.message, "/no/such/file:1:1: cannot open", 30) == 0, "%s", err.message);
  live.source = "weather.txt";
  cr_assert_eq(gb_live_read(&live, NOW, &err), GBCAST_EUSAGE);
  cr_assert_not_null(strstr(err.message, "'weather.txt'"), "%s", err.message);
  live.source = "file:" GB_TEST_DATA "/platforms/grid-live.txt";
  cr_assert_eq(gb_live_read(&live, NOW, &err), GBCAST_OK, "%s", err.message);
  cr_assert_gt(live.count, 3);
  gb_live_release(&live);
}

/* Whatever is changed in a file: it is read, or the message says where it is wrong. */
Test(live_file, mutations_do_no_harm) {
  static const char text[] =
      "o1 ottawa:8060 46.1 100 12 latency-error=2\n# x\nc0 l0 rtt=1e2 - time=17\na b nan\n";
  static const char dictionary[] = "[]-,:=@# \t\n\r\0\x7f\xff\xc3\xa9.0123456789>enairt";
  uint64_t state = 88172645463325252u;
  uint32_t taken = 0;
  for (int round = 0; round < 30000; round++) {
    char bytes[sizeof text];
    memcpy(bytes, text, sizeof text);
    for (int n = 0; n < 1 + round % 3; n++) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      bytes[state % (sizeof text - 1)] = dictionary[(state >> 20) % (sizeof dictionary - 1)];
    }
    size_t length = sizeof text - 1 - (state >> 40) % 20;
    char *exact = malloc(length); /* what lies behind is not to be read */
    memcpy(exact, bytes, length);
    gb_live live = {.source = "file:live"};
    gbcast_error err = {""};
    int status = gb_live_parse(&live, exact, length, "live", NOW, &err);
    cr_assert_eq(status, GBCAST_OK, "status %d: %s", status, err.message);
    cr_assert(live.left_out == 0 || strncmp(live.first, "live:", 5) == 0, "%s", live.first);
    taken += live.left_out == 0;
    gb_live_release(&live);
    free(exact);
  }
  cr_assert(taken > 1000 && taken < 29000, "%u of 30000 were taken", taken);
}
