/* The readers of gbcast-import: files that end anywhere, or have a byte changed anywhere, are refused or
 * read, and numbers are those that the other programs mean. */
#include "tests/support/import.h"

#include <criterion/criterion.h>
#include <math.h>

static const char *const file[][2] = {
    {"slurm", "topology.conf"},      {"slurm", "block.conf"},   {"slurm", "topology.yaml"},
    {"slurm", "blocks.yaml"},        {"simgrid", "nested.xml"}, {"simgrid", "cluster_fat_tree.xml"},
    {"simgrid", "meta_cluster.xml"}, {"iperf3", "bidir.json"},  {"iperf3", "udp.json"},
    {"pscheduler", "archived.json"}, {"ping", "iputils.txt"},   {"ping", "bsd.txt"}};

static char *read_whole(const char *format, const char *name, size_t *length) {
  char path[512], *text = NULL;
  gbcast_error err = {""};
  (void)snprintf(path, sizeof path, "%s/import/%s/%s", GB_TEST_DATA, format, name);
  cr_assert_eq(gb_read_file(path, &(gb_place){path, 1, 1}, NULL, &text, length, &err), GBCAST_OK, "%s",
               err.message);
  return text;
}

/* In memory of just that size, so that a sanitizer sees who reads beyond. */
static void expect_sound(const char *const name[2], const char *text, size_t length) {
  char *copy = malloc(length + (length == 0));
  cr_assert_not_null(copy);
  if (length > 0)
    memcpy(copy, text, length);
  const char *wrong = check_import(name[0], copy, length);
  cr_expect_null(wrong, "%s, %zu bytes: %s", name[1], length, wrong);
  free(copy);
}

Test(read, cut_anywhere) {
  for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
    size_t length;
    char *text = read_whole(file[i][0], file[i][1], &length);
    for (size_t n = 0; n <= length; n++)
      expect_sound(file[i], text, n);
    free(text);
  }
}

Test(read, a_byte_changed_anywhere) {
  static const char bytes[] = {'\0', '"', '[', '9', '\n', ' ', '<', (char)0xC3};
  for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
    size_t length;
    char *text = read_whole(file[i][0], file[i][1], &length);
    for (size_t n = 0; n < length; n++) {
      const char before = text[n];
      text[n] = bytes[n % sizeof bytes];
      expect_sound(file[i], text, length);
      text[n] = before;
    }
    free(text);
  }
}

static gb_import m;

/* Reads a text, which can be. */
static const gb_import *import(const char *format, const char *text) {
  gb_import_reader *reader = NULL;
  gbcast_error err = {""};
  gb_import_release(&m);
  cr_assert_eq(gb_import_find_format(format, &reader, &err), GBCAST_OK);
  cr_assert_eq(reader(&m, "file", text, strlen(text), &err), GBCAST_OK, "%s", err.message);
  return &m;
}

static void expect_near(double value, double expected, const char *of) {
  cr_expect(fabs(value - expected) <= 1e-12 * expected, "%s: %.17g, expected %.17g", of, value, expected);
}

Test(simgrid, units) {
  static const struct {
    const char *bandwidth, *latency;
    double rate, time;
  } cases[] = {{"125MBps", "50us", 125e6, 50e-6}, {"1Gbps", "0.1ms", 125e6, 1e-4},
               {"10kbps", "1", 1250, 1},          {"1.25E9Bps", "1.0E-4s", 1.25e9, 1e-4},
               {"0.5EBps", "3ns", 5e17, 3e-9},    {"1MiBps", "4ps", 1048576, 4e-12},
               {"8Kibps", "1m", 1024, 60},        {"1000", "2h", 1000, 7200},
               {"1e3Bps", "1w", 1000, 604800}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    (void)snprintf(text, sizeof text,
                   "<platform><zone id='z' routing='Full'><host id='a'/><host id='b'/><link id='l' "
                   "bandwidth='%s' latency='%s'/>"
                   "<route src='a' dst='b'><link_ctn id='l'/></route></zone></platform>",
                   cases[i].bandwidth, cases[i].latency);
    const gb_import *got = import("simgrid", text);
    cr_assert_eq(got->site_count, 1);
    expect_near(got->site[0].bandwidth, cases[i].rate, cases[i].bandwidth);
    expect_near(got->site[0].latency, cases[i].time, cases[i].latency);
  }
}

Test(simgrid, hosts_that_are_not_alike) {
  const gb_import *got =
      import("simgrid",
             "<platform><AS id='z' routing='Dijkstra'><host id='a'/><host id='b'/><host id='c'/>"
             "<link id='l' bandwidth='1MBps' latency='1ms'/><link id='k' bandwidth='2MBps' latency='9ms'/>"
             "<route src='a' dst='b' symmetrical='NO'><link_ctn id='l'/></route>"
             "<route src='b' dst='a' symmetrical='no'><link_ctn id='k'/></route>"
             "<route src='b' dst='c'><link_ctn id='k'/></route></AS></platform>");
  cr_assert_eq(got->site_count, 3);
  cr_assert_eq(got->link_count, 5); /* the way from a to b is not that from b to a */
  expect_near(got->link[0].latency, 1e-3, "a -> b");
  expect_near(got->link[1].latency, 9e-3, "b -> a");
  expect_near(got->link[2].latency, 10e-3, "a -> c");
  expect_near(got->link[2].bandwidth, 1e6, "a -> c");
  expect_near(got->site[0].bandwidth, 2e6, "the fastest path of a");
}

Test(pscheduler, durations_and_times) {
  const gb_import *got = import("pscheduler", "{\"test\":{\"spec\":{\"source\":\"a\",\"dest\":\"b\"}},"
                                              "\"run\":{\"start-time\":\"2024-02-29T23:59:59.5-01:30\"},"
                                              "\"result\":{\"succeeded\":true,\"min\":\"PT1M0.25S\"}}");
  cr_assert_eq(got->sample_count, 2);
  expect_near(got->sample[0].latency, 60.25, "the duration");
  expect_near(got->sample[0].time, 1709256599, "the time");
  cr_expect_str_eq(got->sample[1].from, "b");
}

Test(pscheduler, median_of_a_histogram) {
  const gb_import *got = import(
      "pscheduler", "{\"test\":{\"spec\":{\"source\":\"a\",\"dest\":\"b\",\"bucket-width\":0.01}},\"result\":"
                    "{\"succeeded\":true,\"histogram-latency\":{\"10\":1,\"9\":2,\"2\":1,\"300\":1}}}");
  cr_assert_eq(got->sample_count, 1);
  expect_near(got->sample[0].latency, 0.09, "the median");
  cr_expect_not(got->sample[0].round_trip);
}

Test(ping, ends_that_the_user_names) {
  gbcast_error err = {""};
  gb_import_reader *reader = NULL;
  const char text[] = "PING b (1.2.3.4): 1 data bytes\nround-trip min/avg/max = 8/9/10 ms\n";
  cr_assert_eq(gb_import_find_format("ping", &reader, &err), GBCAST_OK);
  m = (gb_import){.from = "x", .to = "y"};
  cr_assert_eq(reader(&m, "file", text, sizeof text - 1, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(m.sample_count, 2);
  cr_expect(strcmp(m.sample[0].from, "x") == 0 && strcmp(m.sample[0].to, "y") == 0);
  cr_expect(strcmp(m.sample[1].from, "y") == 0 && strcmp(m.sample[1].to, "x") == 0);
}
