/* The hosts file that comes out reads back, says what was measured, and keeps what was not. */
#include "platform/platform.h"
#include "probe/analysis.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static gbcast_platform *read_text(const char *text) {
  gbcast_platform *p = NULL;
  gbcast_error err;
  cr_assert_eq(gbcast_platform_parse(text, strlen(text), "given.txt", &p, &err), GBCAST_OK, "%s\n%s",
               err.message, text);
  return p;
}

static const char given[] =
    "cluster a latency=10us bandwidth=1Gbit/s wan-bandwidth=500Mbit/s\n"
    "switch s0\na0\na1\nswitch s1 uplink=s0\na2\n"
    "cluster b leader=b1\nb0\nb1\n"
    "cluster c\nc0\n"
    "link a b latency=2ms bandwidth=1Gbit/s stream-bandwidth=50Mbit/s initial-window=20000\n"
    "link a c latency=9ms bandwidth=10Mbit/s injection=3ms\n"
    "plogp a size=2k gap=30us latency=60us\n"
    "plogp b size=1k gap=25us latency=68us os=2us\n"
    "plogp a -> c size=1k gap=25us latency=8ms\n";

/* g = 5 us + m / rate, RTT to match `latency`; the way back has twice the gap, and a stream half of the rate.
 */
static gb_probe_task task_at(uint32_t from, uint32_t to, double latency, double rate) {
  gb_probe_task t = {.host = {from, to}, .rank = {(int)from, (int)to}, .table = {.count = 2}};
  t.table.rate[0] = (gb_median){rate, 0.02, 6};
  t.table.rate[1] = (gb_median){rate / 2, 0.02, 6};
  for (uint32_t i = 0; i < 2; i++) {
    gb_probe_point *x = &t.table.point[i];
    x->bytes = i == 0 ? 256 : 65536;
    double gap = 5e-6 + (double)x->bytes / rate;
    x->gap[0] = (gb_median){gap, 0.03, 9};
    x->gap[1] = (gb_median){2 * gap, 0.03, 9};
    x->rtt = (gb_median){3 * gap + 2 * latency, 0.01, 25};
    x->send[0] = x->send[1] = (gb_median){i == 0 ? 2e-6 : 1, 0, 25}; /* the second waits: no overhead */
    x->receive[0] = (gb_median){4e-6, 0, 5};
    x->receive[1] = (gb_median){3e-6, 0, 5};
  }
  return t;
}

static gb_probe_task task_of(uint32_t from, uint32_t to, double latency) {
  return task_at(from, to, latency, 10e6);
}

/* What was measured with the two sizes of task_at. */
static gb_probe_report report_of(const gbcast_platform *p, const gb_probe_task *task, uint32_t count) {
  static const uint64_t size[] = {256, 65536};
  return (gb_probe_report){.platform = p,
                           .task = task,
                           .task_count = count,
                           .size = size,
                           .size_count = 2,
                           .version = "1",
                           .when = "now",
                           .ranks = 6,
                           .notes = ""};
}

static gbcast_platform *write_and_read(const gb_probe_report *report, char **text) {
  size_t length = 0;
  gbcast_error err;
  FILE *out = open_memstream(text, &length);
  cr_assert_eq(gb_probe_write(report, out, &err), GBCAST_OK);
  fclose(out);
  return read_text(*text);
}

static void close_to(double got, double want) { /* four digits are written */
  cr_assert(fabs(got - want) <= 6e-4 * fabs(want), "got %.17g, want %.17g", got, want);
}

Test(write, replaces_what_was_measured_and_keeps_the_rest) {
  gbcast_platform *p = read_text(given);
  gb_probe_task task[] = {task_of(0, 1, 40e-6), task_of(0, 4, 1.6e-3)};
  const uint64_t size[] = {256, 65536, 1048576};
  gb_probe_report report = report_of(p, task, 2);
  report.size = size;
  report.size_count = 3;
  report.when = "2026-11-21T08:00:00Z";
  report.seconds = 3;
  report.budget = 20;
  report.window = 14480;
  report.notes = "# something odd\n";
  char *text = NULL;
  gbcast_platform *q = write_and_read(&report, &text);
  const gb_cluster *a = &q->cluster[0], *b = &q->cluster[1];
  close_to(a->bandwidth, 10e6);
  close_to(a->overhead, 2e-6);
  cr_assert(a->wan_bandwidth == 62.5e6);
  cr_assert_eq(a->plogp.count, 2); /* the old table is gone */
  close_to(a->plogp.point[1].gap, 5e-6 + 65536 / 10e6);
  close_to(a->plogp.point[0].latency, 40e-6);
  close_to(a->plogp.point[0].send_overhead, 2e-6);
  close_to(a->plogp.point[0].receive_overhead, 3e-6);
  cr_assert(a->plogp.point[1].send_overhead < 0, "a send that waits is no overhead");
  cr_assert_eq(b->plogp.count, 1);
  cr_assert(b->plogp.point[0].send_overhead == 2e-6 && b->latency == 50e-6);
  cr_assert_eq(b->leader, 4);
  const gb_link *there = gb_platform_link(q, 0, 1), *back = gb_platform_link(q, 1, 0);
  close_to(there->stream_bandwidth, 10e6); /* one stream was measured */
  cr_assert(there->bandwidth == 125e6);
  close_to(back->stream_bandwidth, 5e6);
  cr_assert(there->initial_window == 20000 && back->initial_window == 20000, "the given file's");
  cr_assert_eq(there->plogp.count, 0, "a link has a latency and a rate, and no table");
  const gb_link *kept = gb_platform_link(q, 0, 2);
  cr_assert(kept->latency == 9e-3 && kept->bandwidth == 1.25e6 && kept->injection == 3e-3);
  cr_assert_eq(kept->plogp.count, 1);
  cr_assert_eq(gb_platform_link(q, 2, 0)->plogp.count, 0);
  cr_assert_null(gb_platform_link(q, 1, 2));
  cr_assert_eq(q->switch_count, 2);
  cr_assert_not_null(strstr(text, "# something odd\n"));
  cr_assert_not_null(strstr(text, "a0 - a1, sizes from 1M"));
  gbcast_platform_free(q);
  gbcast_platform_free(p);
  free(text);
}

/* A stream that ran at the same time as others; `site` as in gb_probe_flow. Without a rate it was not
 * measured. */
static gb_probe_flow flow(uint32_t from, uint32_t to, uint32_t site, double alone, double rate) {
  return (gb_probe_flow){
      .host = {from, to}, .site = site, .alone = alone, .rate = {rate, 0, 5}, .measured = rate > 0};
}

/* Several streams carry more than one: the link has what they carry in all. What one gets is said where its
 * host's own link is not the reason. */
Test(write, streams_together_show_what_a_link_carries) {
  static const char text[] =
      "cluster a\na0\na1\na2\ncluster b\nb0\nb1\nb2\nlink a b latency=9ms bandwidth=9Mbit/s\n";
  static const struct {
    double host, each,
        back; /* what is measured: a host's link, each of three streams, and those of the way back */
    double bandwidth, stream;
  } cases[] = {{100e6, 10e6, 10e6, 30e6, 10e6},       /* windows limit each stream */
               {10e6, 10e6, 10e6, 30e6, INFINITY},    /* its host's link does */
               {100e6, 4e6, 4e6, 12e6, 10e6},         /* a little more than one gets */
               {100e6, 3.5e6, 4e6, 10.5e6, INFINITY}, /* they share about what one gets */
               {10.5e6, 4e6, 4e6, 12e6, INFINITY},    /* and here one may be limited by its host's link */
               {100e6, 10e6, 0, 30e6, 10e6}};         /* the way back was not measured */
  gbcast_platform *p = read_text(text);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    gb_probe_task task[] = {
        task_at(0, 1, 40e-6, cases[i].host), task_at(3, 0, 9e-3, 20e6), /* one stream from a to b: 10e6, the
                                                                           way back of this task */
    };
    const double each = cases[i].each, back_each = cases[i].back;
    gb_probe_flow flows[] = {flow(0, 3, GB_NONE, 10e6, each), flow(1, 4, GB_NONE, 10e6, each),
                             flow(2, 5, GB_NONE, 10e6, each), flow(3, 0, GB_NONE, 20e6, back_each),
                             flow(4, 1, GB_NONE, 20e6, back_each)};
    gb_probe_report report = report_of(p, task, 2);
    report.flow = flows;
    report.flow_count = 5;
    char *out = NULL;
    gbcast_platform *q = write_and_read(&report, &out);
    const gb_link *there = gb_platform_link(q, 0, 1), *back = gb_platform_link(q, 1, 0);
    close_to(there->bandwidth, cases[i].bandwidth);
    cr_assert(isinf(cases[i].stream) ? isinf(there->stream_bandwidth)
                                     : fabs(there->stream_bandwidth / cases[i].stream - 1) < 1e-3,
              "case %zu: %g", i, there->stream_bandwidth);
    close_to(back->bandwidth, 20e6); /* two streams carry no more than one */
    cr_assert_eq(strstr(out, "bandwidth of 3 streams at once") != NULL, cases[i].bandwidth > 10e6);
    gbcast_platform_free(q);
    free(out);
  }
  gbcast_platform_free(p);
}

/* Streams to several sites at the same time that get less than each of them alone show the site's own link.
 */
Test(write, streams_to_several_sites_show_what_a_site_carries) {
  static const char text[] =
      "cluster a\na0\na1\ncluster b\nb0\ncluster c\nc0\ncluster d\nd0\n"
      "link a b latency=9ms bandwidth=9Mbit/s\nlink a c latency=9ms bandwidth=9Mbit/s\n"
      "link b d latency=9ms bandwidth=9Mbit/s\n";
  static const struct {
    double host, out,
        in; /* what a host's own link carries, and each of two streams, which alone carry 10e6 */
    double wan;
  } cases[] = {{100e6, 10e6, 9.5e6, INFINITY}, /* nothing holds them up */
               {100e6, 10e6, 6e6, 12e6},       /* that into the site does */
               {100e6, 5.5e6, 6e6, 11e6},      /* the lower of both is what is said */
               {100e6, 5.5e6, 0, 11e6},        /* one direction was not measured */
               {100e6, 3e6, 6e6, 10e6},        /* no less than one stream carries */
               {6e6, 6e6, 6e6, INFINITY}};     /* the hosts' own links do */
  gbcast_platform *p = read_text(text);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    gb_probe_task task[] = {task_at(0, 1, 40e-6, cases[i].host), task_at(0, 2, 9e-3, 10e6),
                            task_at(0, 3, 9e-3, 10e6)};
    gb_probe_flow flows[] = {
        flow(0, 2, 0, 10e6, cases[i].out),
        flow(2, 0, 0, 10e6, cases[i].in),
        flow(1, 3, 0, 10e6, cases[i].out),
        flow(3, 1, 0, 10e6, cases[i].in), /* of a site with one host, whose link the host's is: */
        flow(2, 4, 1, 10e6, 5e6),
        flow(2, 0, 1, 10e6, 5e6)};
    gb_probe_report report = report_of(p, task, 3);
    report.flow = flows;
    report.flow_count = 6;
    char *out = NULL;
    gbcast_platform *q = write_and_read(&report, &out);
    if (isinf(cases[i].wan))
      cr_assert(isinf(q->cluster[0].wan_bandwidth), "case %zu\n%s", i, out);
    else
      close_to(q->cluster[0].wan_bandwidth, cases[i].wan);
    cr_assert_eq(strstr(out, "wan-bandwidth from streams at once") != NULL, isfinite(cases[i].wan));
    close_to(q->cluster[1].bandwidth, 10e6);
    cr_assert(isinf(q->cluster[1].wan_bandwidth));
    gbcast_platform_free(q);
    free(out);
  }
  gbcast_platform_free(p);
}

/* Each line with a number says where it came from. */
Test(write, says_where_numbers_come_from) {
  gbcast_platform *p = read_text(given);
  gb_probe_task task[] = {task_of(0, 4, 1.6e-3)};
  gb_probe_report report = report_of(p, task, 1);
  report.when = "2026-11-21T08:00:00Z";
  char *text = NULL;
  gbcast_platform *q = write_and_read(&report, &text);
  uint32_t measured = 0, kept = 0;
  for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    if (strncmp(line, "cluster ", 8) != 0 && strncmp(line, "link ", 5) != 0 &&
        strncmp(line, "plogp ", 6) != 0)
      continue;
    const char *comment = strchr(line, '#');
    cr_assert_not_null(comment, "%s", line);
    bool is_measured = strstr(comment, "measured 2026-11-21T08:00:00Z, ") != NULL;
    cr_assert(is_measured == (strstr(comment, "samples spread 1.0%") != NULL), "%s", line);
    cr_assert(is_measured != (strstr(comment, "not measured") != NULL), "%s", line);
    measured += is_measured;
    kept += !is_measured;
  }
  cr_assert_eq(measured, 2); /* a link, in either direction */
  cr_assert_eq(kept, 3 + 2 + 3);
  gbcast_platform_free(q);
  gbcast_platform_free(p);
  free(text);
}

Test(write, a_pair_on_two_switches_leaves_the_latency_of_the_cluster) {
  gbcast_platform *p = read_text(given);
  gb_probe_task task[] = {task_of(0, 2, 400e-6)};
  gb_probe_report report = report_of(p, task, 1);
  char *text = NULL;
  gbcast_platform *q = write_and_read(&report, &text);
  cr_assert(q->cluster[0].latency == 10e-6);
  close_to(q->cluster[0].plogp.point[0].latency, 400e-6);
  gbcast_platform_free(q);
  gbcast_platform_free(p);
  free(text);
}

/* Sites that were found, one pair of which there was no time for: nothing is said of it but in a comment. */
Test(write, a_pair_of_sites_that_was_not_measured_has_no_line) {
  gbcast_platform *p =
      read_text("cluster x\nx0:2\nx1\ncluster y\ny0\ncluster z\nz0\n"
                "link x y latency=1s bandwidth=1bit/s\nlink x z latency=1s bandwidth=1bit/s\n");
  p->link_count = 0;
  p->assumed_mesh = true;
  uint32_t of[] = {0, 0, 1, 2};
  gb_group group[] = {{50e-6, 1.6e-3, 0, 2, 2}, {0, 1.6e-3, 2, 0, 1}, {0, 46e-3, 3, 0, 1}};
  gb_groups groups = {3, of, group};
  gb_probe_task task[] = {task_of(0, 2, 1.6e-3), task_of(0, 3, 46e-3), task_of(2, 3, 47e-3)};
  task[2].table.rate[1].samples = 0;
  task[2].rough = 47e-3;
  gb_probe_report report = report_of(p, task, 3);
  report.ranks = 5;
  report.groups = &groups;
  report.window = 14480;
  char *text = NULL;
  gbcast_platform *q = write_and_read(&report, &text);
  cr_assert_eq(gb_platform_link(q, 0, 2)->initial_window, 14480);
  cr_assert_eq(q->link_count, 4);
  cr_assert_null(gb_platform_link(q, 1, 2));
  close_to(gb_platform_link(q, 0, 2)->bandwidth, 10e6);
  close_to(gb_platform_link(q, 2, 0)->bandwidth, 5e6);
  cr_assert_eq(q->host[0].slots, 2);
  cr_assert_not_null(
      strstr(text, "#   x: 2 hosts, within 50us; 1.6ms to the nearest other site (x0 - y0)\n"));
  cr_assert_not_null(strstr(text, "#   z: 1 host; 46ms to the nearest other site (z0 - x0)\n"));
  cr_assert_not_null(strstr(text, "\n# link z -> y latency=47ms bandwidth=?  # not measured"));
  gbcast_platform_free(q);
  gbcast_platform_free(p);
  free(text);
}
