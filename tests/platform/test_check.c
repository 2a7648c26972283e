/* All mistakes of a file in one run, warnings, and words that are like others. */
#include "platform/platform.h"
#include "tests/support/rounds.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 128, LENGTH = 400 };

typedef struct mistakes {
  unsigned count;
  char text[MOST][LENGTH];
} mistakes;

static void keep(void *context, const char *message) {
  mistakes *m = context;
  cr_assert_lt(m->count, MOST);
  (void)snprintf(m->text[m->count++], LENGTH, "%s", message);
}

/* Reads the text from a file of its own; what is said of it begins "hosts:". */
static int check(const char *text, size_t length, mistakes *m, gbcast_platform **p, gbcast_error *err) {
  char folder[] = "/tmp/gbcast-check-XXXXXX";
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
  FILE *out = fopen("hosts", "w");
  cr_assert_not_null(out);
  cr_assert_eq(fwrite(text, 1, length, out), length);
  cr_assert_eq(fclose(out), 0);
  m->count = 0;
  *p = NULL;
  const int status = gb_platform_check("hosts", keep, m, p, err);
  cr_assert_eq(remove("hosts"), 0);
  cr_assert_eq(rmdir(folder), 0);
  return status;
}

static void expect_mistakes(const char *text, const char *const *expected, const char *last) {
  mistakes m;
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  unsigned i = 0;
  cr_expect_eq(check(text, strlen(text), &m, &p, &err), GBCAST_EINPUT, "accepted: %s", text);
  cr_expect_null(p);
  for (; expected[i] != NULL; i++) {
    cr_assert_gt(m.count, i, "not reported: %s", expected[i]);
    cr_expect(strncmp(m.text[i], expected[i], strlen(expected[i])) == 0, "'%s' does not begin '%s'",
              m.text[i], expected[i]);
  }
  cr_expect_eq(m.count, i, "one too many: %s", m.text[i]);
  cr_expect_str_eq(err.message, last);
}

Test(platform_check, every_line_has_its_mistake) {
  expect_mistakes(
      "clutser a\nh0\nh1\ncluster b latncy=3ms\nh2;h3\nh4:x\nlink b a latency=1 bandwidth=1Gbit/s\n",
      (const char *const[]){"hosts:1:1: found 'clutser', expected the keyword cluster",
                            "hosts:4:11: found 'latncy=3ms', expected latency=", "hosts:5:3: ",
                            "hosts:6:4: found 'x'", "hosts:7:18: found '1', expected a time", NULL},
      "hosts: 5 mistakes");
}

Test(platform_check, mistakes_that_only_the_whole_file_shows) {
  expect_mistakes(
      "cluster ottawa\nh0\ncluster lyon\nlink otawa ottawa latency=1ms bandwidth=1Gbit/s\n"
      "link paris lyon latency=1ms bandwidth=1Gbit/s\n",
      (const char *const[]){"hosts:4:6: found 'otawa', expected a cluster that a cluster line declares "
                            "(did you mean 'ottawa'?)",
                            "hosts:5:6: found 'paris', expected a cluster that a cluster line declares",
                            "hosts:3:9: found 'lyon' without hosts", NULL},
      "hosts: 3 mistakes");
  expect_mistakes("cluster a leader=y\nx\ncluster b leader=x\ny\nlink a b latency=1ms bandwidth=1Gbit/s\n",
                  (const char *const[]){"hosts:1:18: found 'y', expected a host of cluster 'a'",
                                        "hosts:3:18: found 'x', expected a host of cluster 'b'", NULL},
                  "hosts: 2 mistakes");
}

/* A cluster line with a mistake still says what the hosts below it belong to. */
Test(platform_check, nothing_follows_from_a_mistake) {
  expect_mistakes("cluster a latency=fast\nh0\nh1 cluster=a\ncluster b\nh2\n",
                  (const char *const[]){"hosts:1:19: found 'fast'", NULL}, "hosts: 1 mistake");
  expect_mistakes("Cluster a\nh0\ncluster b\nh1\n", (const char *const[]){"hosts:1:1: found 'Cluster'", NULL},
                  "hosts: 1 mistake");
}

Test(platform_check, a_hundred_are_enough) {
  char text[2000] = "";
  mistakes m;
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  for (unsigned i = 0; i < 400; i++)
    strcat(text, "h;\n");
  cr_expect_eq(check(text, strlen(text), &m, &p, &err), GBCAST_EINPUT);
  cr_expect_eq(m.count, 100);
  cr_expect_str_eq(err.message, "hosts: 100 mistakes; the rest of the file was not read");
}

/* Bad lines at random places of a good file: each is reported once, at its line, and nothing else is. */
Test(platform_check, random_files) {
  static const char *const good[] = {"cluster a%u latency=1ms\n", "h%u slots=2\n", "h%u\n", "switch s%u\n",
                                     "# %u\n"};
  static const char *const bad[] = {"h%u slots=no\n",    "h%u;\n",
                                    "switch\n",          "h%u latency\n",
                                    "plogp a0 sze=1\n",  "cluster c%u latncy=1ms\n",
                                    "topology slur=x\n", "link a0 a0 latency=1ms\n"};
  uint64_t state = 20261127;
  for (int round = 0; round < ROUNDS(900); round++) {
    char text[8000] = "cluster a0\nh0\n";
    unsigned lines = 2, wrong[MOST], count = 0;
    const unsigned all = 1 + xorshift(&state, 60);
    for (unsigned n = 1; n <= all; n++) {
      const bool mistake = xorshift(&state, 5) == 0;
      const char *line = mistake ? bad[xorshift(&state, sizeof bad / sizeof *bad)]
                                 : good[xorshift(&state, sizeof good / sizeof *good)];
      const size_t at = strlen(text);
      (void)snprintf(text + at, sizeof text - at, line, n);
      lines++;
      if (mistake)
        wrong[count++] = lines;
    }
    mistakes m;
    gbcast_platform *p = NULL;
    gbcast_error err = {""};
    const int status = check(text, strlen(text), &m, &p, &err);
    gbcast_platform_free(p);
    if (count == 0) /* it may still have clusters without hosts, or out of reach */
      continue;
    cr_assert_eq(status, GBCAST_EINPUT);
    cr_assert_eq(m.count, count, "%u mistakes of %u found in\n%s", m.count, count, text);
    for (unsigned i = 0; i < count; i++) {
      char place[32];
      (void)snprintf(place, sizeof place, "hosts:%u:", wrong[i]);
      cr_assert(strncmp(m.text[i], place, strlen(place)) == 0, "%s: expected at %s", m.text[i], place);
    }
  }
}

Test(platform_check, words_that_have_no_effect_are_warned_of) {
  static const char text[] = "clusterb latency=5ms\nh1 slotz=4 gpu=2\nh2 latnecy=1ms slotz=3 ncpus=4\n";
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_parse(text, strlen(text), "h", &p, &err), GBCAST_OK, "%s", err.message);
  static const char *const expected[] = {
      "h:1:10: 'latency=' has no effect on the line of a host, here 'clusterb'",
      "h:2:4: 'slotz=' is not known and has no effect; did you mean slots=?",
      "h:3:4: 'latnecy=' has no effect on the line of a host, here 'h2'; latency="};
  size_t i = 0;
  for (; i < sizeof expected / sizeof *expected; i++) {
    cr_assert_not_null(gbcast_platform_warning(p, i), "missing: %s", expected[i]);
    cr_expect(strncmp(gbcast_platform_warning(p, i), expected[i], strlen(expected[i])) == 0, "%s",
              gbcast_platform_warning(p, i));
  }
  cr_expect_null(gbcast_platform_warning(p, i));
  bool gpu = false, cpus = false; /* of other programs: noted */
  for (i = 0; gbcast_platform_note(p, i) != NULL; i++) {
    gpu |= strstr(gbcast_platform_note(p, i), "'gpu=' is not known: kept") != NULL;
    cpus |= strstr(gbcast_platform_note(p, i), "'ncpus=' is not known: kept") != NULL;
  }
  cr_expect(gpu && cpus);
  gbcast_platform_free(p);
}

Test(platform_check, words_are_like_others) {
  static const struct {
    const char *word, *name;
    bool like;
  } pairs[] = {{"clutser", "cluster", true}, {"CLUSTER", "cluster", true}, {"lnk", "link", false},
               {"lin", "link", true},        {"slotz", "slots", true},     {"gpu", "cpu", false},
               {"binom", "binomial", true},  {"chain", "binomial", false}, {"", "link", false},
               {"dijkstr", "dijkstra", true}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    unsigned best = GB_FAR;
    cr_expect_eq(gb_nearer(pairs[i].word, strlen(pairs[i].word), pairs[i].name, &best), pairs[i].like,
                 "%s %s", pairs[i].word, pairs[i].name);
  }
  unsigned best = GB_FAR;
  cr_expect(gb_nearer("flaat", 5, "float", &best)); /* one letter changed */
  cr_expect_eq(best, 1);
  cr_expect_not(gb_nearer("flaat", 5, "flat", &best)); /* no nearer */
  cr_expect(gb_nearer("flaat", 5, "FLAAT", &best));
  cr_expect_eq(best, 0);
}

Test(platform_check, sizes) {
  static const struct {
    const char *text;
    uint64_t bytes; /* 0: refused */
  } sizes[] = {{"1", 1},           {"64k", 65536},
               {"64K", 65536},     {"64KiB", 65536},
               {"1MiB", 1048576},  {"1M", 1048576},
               {"2G", 2147483648}, {"2GiB", 2147483648},
               {"1kB", 1000},      {"1KB", 1000},
               {"1MB", 1000000},   {"3GB", 3000000000},
               {"7B", 7},          {"8589934591G", 8589934591u * (UINT64_C(1) << 30)},
               {"8589934592G", 0}, {"9223372037GB", 0},
               {"0", 0},           {"", 0},
               {"k", 0},           {"1kb", 0},
               {"1m", 0},          {"1.5M", 0},
               {"1 k", 0},         {"-1", 0},
               {"1kk", 0},         {"1iB", 0}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    uint64_t bytes = 0;
    const char *why = NULL;
    const bool good = gb_read_size(sizes[i].text, strlen(sizes[i].text), &bytes, &why);
    cr_expect_eq(good, sizes[i].bytes != 0, "'%s'", sizes[i].text);
    cr_expect(!good || bytes == sizes[i].bytes, "'%s' is %llu", sizes[i].text, (unsigned long long)bytes);
  }
}
