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

/* g = 5 us + m / rate, RTT to match `latency`; the way back has twice the gap. */
static gb_probe_task task_at(uint32_t from, uint32_t to, double latency, double rate) {
  gb_probe_task t = {.host = {from, to}, .rank = {(int)from, (int)to}, .table = {.count = 2}};
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
  cr_assert_eq(there->plogp.count, 2);
  close_to(back->plogp.point[1].gap, 2 * there->plogp.point[1].gap);
  close_to(back->plogp.point[0].latency, 1.6e-3);
  cr_assert(there->plogp.point[0].send_overhead < 0, "its host was seen to send no faster");
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

/* Between sites os and or are the least gaps of the same hosts, at each size by itself. */
Test(write, ends_of_a_pair_of_sites_are_what_their_hosts_can_do) {
  gbcast_platform *p = read_text(given);
  gb_probe_task task[] = {task_at(1, 0, 40e-6, 100e6), task_of(0, 4, 1.6e-3), task_at(4, 3, 40e-6, 40e6)};
  task[2].table.count = 1; /* no time for the larger size */
  gb_probe_report report = report_of(p, task, 3);
  char *text = NULL;
  gbcast_platform *q = write_and_read(&report, &text);
  const gb_plogp_point *there = gb_platform_link(q, 0, 1)->plogp.point,
                       *back = gb_platform_link(q, 1, 0)->plogp.point;
  double fast[] = {5e-6 + 256 / 100e6, 5e-6 + 65536 / 100e6}, slower = 5e-6 + 256 / 40e6;
  for (int i = 0; i < 2; i++) {
    close_to(there[i].send_overhead, 2 * fast[i]); /* a0 -> a1 is the way back of that pair */
    close_to(back[i].receive_overhead, fast[i]);
  }
  close_to(there[0].receive_overhead, 2 * slower); /* b0 -> b1 */
  close_to(back[0].send_overhead, slower);
  cr_assert(there[1].receive_overhead < 0 && back[1].send_overhead < 0);
  close_to(q->cluster[0].plogp.point[0].send_overhead, 2e-6); /* inside, a call of MPI */
  cr_assert_not_null(strstr(text, "; os: the gap to a1; MPI_Send took 2us; or: the gap from b0; MPI_Recv"));
  cr_assert_not_null(strstr(text, "; MPI_Send took 1s; or: the gap from a1; MPI_Recv"));
  gbcast_platform_free(q);
  gbcast_platform_free(p);
  free(text);
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
  cr_assert_eq(measured, 6); /* a link and two sizes, in either direction */
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

/* Sites that were found, one pair of which there was no time for. */
Test(write, found_sites_are_all_joined) {
  gbcast_platform *p =
      read_text("cluster x\nx0:2\nx1\ncluster y\ny0\ncluster z\nz0\n"
                "link x y latency=1s bandwidth=1bit/s\nlink x z latency=1s bandwidth=1bit/s\n");
  p->link_count = 0;
  p->assumed_mesh = true;
  uint32_t of[] = {0, 0, 1, 2};
  gb_group group[] = {{50e-6, 1.6e-3, 0, 2, 2}, {0, 1.6e-3, 2, 0, 1}, {0, 46e-3, 3, 0, 1}};
  gb_groups groups = {3, of, group};
  gb_probe_task task[] = {task_of(0, 2, 1.6e-3), task_of(0, 3, 46e-3), task_of(2, 3, 47e-3)};
  task[2].table.count = 0;
  task[2].rough = 47e-3;
  gb_probe_report report = report_of(p, task, 3);
  report.ranks = 5;
  report.groups = &groups;
  report.window = 14480;
  char *text = NULL;
  gbcast_platform *q = write_and_read(&report, &text);
  cr_assert_eq(gb_platform_link(q, 0, 2)->initial_window, 14480);
  cr_assert_eq(q->link_count, 6);
  cr_assert(gb_platform_link(q, 1, 2)->latency == 47e-3);
  cr_assert(gb_platform_link(q, 2, 1)->latency == 47e-3);
  close_to(gb_platform_link(q, 0, 2)->plogp.point[0].latency, 46e-3);
  cr_assert_eq(q->host[0].slots, 2);
  cr_assert_not_null(
      strstr(text, "#   x: 2 hosts, within 50us; 1.6ms to the nearest other site (x0 - y0)\n"));
  cr_assert_not_null(strstr(text, "#   z: 1 host; 46ms to the nearest other site (z0 - x0)\n"));
  cr_assert_not_null(strstr(text, "y0 - z0, sizes from 256"));
  cr_assert_not_null(strstr(text, "bandwidth assumed, not measured"));
  gbcast_platform_free(q);
  gbcast_platform_free(p);
  free(text);
}
