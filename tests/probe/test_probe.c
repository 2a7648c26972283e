/* gbcast-probe in the simulator, where times are known: the sites, latencies and bandwidths of the simulated
 * network must come out, within 10 %, and in less simulated time than the budget.
 *
 * test_probe three-sites FILE   on examples/three-sites.xml; FILE is the hosts file that describes it
 * test_probe check FILE         alike, for --check
 * test_probe switches           on tests/data/platforms/probe/switches.xml
 * test_probe outlier            on tests/data/platforms/probe/outlier.xml */
#include "tests/support/mpi/check.h"

#include "probe/probe.h"
#include <math.h>

static void close_to(const char *what, double got, double want) {
  CHECK(fabs(got - want) <= 0.1 * want, "%s: got %g, want %g", what, got, want);
}

/* Every rank takes part; rank 0 gets what was written, the others NULL. */
static char *probe(gb_probe_options o) {
  char path[] = "/tmp/gbcast-probe-test.XXXXXX", *text = NULL;
  size_t length = 0;
  bool first = rank_in(MPI_COMM_WORLD) == 0;
  o.version = "test";
  o.quiet = true;
  o.output = path;
  if (first)
    CHECK(mkstemp(path) >= 0, "no temporary file");
  double start = MPI_Wtime();
  int status = gb_probe_run(MPI_COMM_WORLD, &o);
  CHECK(status == 0, "exit status %d", status);
  CHECK(MPI_Wtime() - start <= o.budget, "it took %g s of %g", MPI_Wtime() - start, o.budget);
  if (!first)
    return NULL;
  FILE *in = fopen(path, "r"), *out = open_memstream(&text, &length);
  CHECK(in != NULL && out != NULL, "cannot read %s", path);
  for (int c; (c = getc(in)) != EOF;)
    putc(c, out);
  fclose(in);
  fclose(out);
  remove(path);
  return text;
}

static gbcast_platform *parse(const char *text) {
  gbcast_platform *p = NULL;
  gbcast_error err;
  int status = gbcast_platform_parse(text, strlen(text), "probed.txt", &p, &err);
  CHECK(status == GBCAST_OK, "%s\n%s", err.message, text);
  return p;
}

/* The lines of `p` and what they say of each size are those of `want`. Links of `want` go both ways. Messages
 * of a stream that are under way together arrive together in the simulator, and then the link is idle for a
 * latency: a long link seems up to a fifth narrower than it is. */
static void compare(const gbcast_platform *p, const gbcast_platform *want, const char *text) {
  CHECK(p->cluster_count == want->cluster_count, "%u sites\n%s", (unsigned)p->cluster_count, text);
  CHECK(p->host_count == want->host_count, "%u hosts\n%s", (unsigned)p->host_count, text);
  CHECK(p->link_count == want->link_count, "%u links\n%s", (unsigned)p->link_count, text);
  for (uint32_t h = 0; h < want->host_count; h++) {
    const char *site = want->cluster[want->host[h].cluster].name;
    uint32_t mine = gb_platform_find_host(p, want->host[h].name);
    CHECK(mine != GB_NONE && strcmp(p->cluster[p->host[mine].cluster].name, site) == 0, "%s is not in %s\n%s",
          want->host[h].name, site, text);
  }
  for (uint32_t c = 0; c < p->cluster_count; c++) {
    const gb_cluster *x = &p->cluster[c], *y = &want->cluster[gb_platform_find_cluster(want, x->name)];
    close_to(x->name, x->latency, y->latency);
    close_to(x->name, x->bandwidth, y->bandwidth);
    close_to(x->name, x->overhead, y->overhead);
    CHECK(x->plogp.count > 0, "no table for %s", x->name);
  }
  for (uint32_t i = 0; i < p->link_count; i++) {
    const gb_link *x = &p->link[i];
    uint32_t from = gb_platform_find_cluster(want, p->cluster[x->from].name);
    uint32_t to = gb_platform_find_cluster(want, p->cluster[x->to].name);
    const gb_link *y = gb_platform_link(want, from, to);
    close_to("latency of a link", x->latency, y->latency);
    CHECK(x->bandwidth >= 0.8 * y->bandwidth && x->bandwidth <= 1.1 * y->bandwidth,
          "bandwidth of a link: got %g, want %g", x->bandwidth, y->bandwidth);
    CHECK(x->plogp.count == 0, "a table for %s -> %s", p->cluster[x->from].name, p->cluster[x->to].name);
  }
}

static double predicted(const gbcast_platform *p, uint64_t bytes) {
  gbcast_plan *plan = NULL;
  gbcast_error err;
  gbcast_request request = {.bytes = bytes};
  CHECK(gbcast_plan_make(p, &request, &plan, &err) == GBCAST_OK, "%s", err.message);
  double seconds = gbcast_plan_predicted(plan);
  gbcast_plan_free(plan);
  return seconds;
}

/* What was measured makes plans as good as what is true. */
static void compare_plans(const gbcast_platform *p, const gbcast_platform *want) {
  for (uint64_t bytes = 65536; bytes <= 16777216; bytes *= 16) {
    const double got = predicted(p, bytes), is = predicted(want, bytes);
    CHECK(got >= 0.9 * is && got <= 1.25 * is, "predicted time: got %g, want %g", got, is);
  }
}

static void three_sites(const char *path) {
  gb_probe_options o = {.size = {1024, 16384, 131072}, .size_count = 3, .budget = INFINITY};
  char *text = probe(o); /* finds the sites; one host has two ranks */
  gbcast_platform *want = NULL;
  gbcast_error err;
  if (text != NULL) {
    CHECK(gbcast_platform_read(path, &want, &err) == GBCAST_OK, "%s", err.message);
    gbcast_platform *p = parse(text);
    compare(p, want, text);
    compare_plans(p, want);
    CHECK(p->host[gb_platform_find_host(p, "n0.ottawa")].slots == 2, "slots\n%s", text);
    CHECK(strstr(text, "1.6") != NULL && strstr(text, "#   carleton: 2 hosts, within 8") != NULL,
          "evidence\n%s", text);
    CHECK(strstr(text, "not measured in time") == NULL, "sizes were left out\n%s", text);
    gbcast_platform_free(p);
    free(text);
  }
  o.hosts = path; /* the same when it is told the sites */
  text = probe(o);
  if (text != NULL) {
    gbcast_platform *p = parse(text);
    compare(p, want, text);
    compare_plans(p, want);
    CHECK(strstr(text, "Sites were found") == NULL, "sites\n%s", text);
    gbcast_platform_free(p);
    free(text);
  }
  gbcast_platform_free(want);

  /* too little time for all: fewer sizes, never more time (probe() looks at the clock) */
  o = (gb_probe_options){.size = {1024, 1048576, 16777216}, .size_count = 3, .budget = 120};
  text = probe(o);
  if (text != NULL) {
    gbcast_platform *p = parse(text);
    CHECK(p->cluster_count == 3 && p->link_count == 6, "sites\n%s", text);
    CHECK(strstr(text, "not measured in time: ") != NULL, "nothing was left out\n%s", text);
    CHECK(strstr(text, "c0.carleton - c1.carleton, sizes from 16M\n") != NULL, "16 MiB in 120 s\n%s", text);
    gbcast_platform_free(p);
    free(text);
  }
}

/* --check: a file that is right, and the same with a link that is said to be twice as long. */
static void check_file(const char *path) {
  gb_probe_options o = {
      .size = {1024}, .size_count = 1, .budget = INFINITY, .hosts = path, .check = true, .quiet = true};
  CHECK(gb_probe_run(MPI_COMM_WORLD, &o) == 0, "a right file is called wrong");
  char text[4096], wrong[] = "/tmp/gbcast-probe-test-wrong.txt", *at;
  if (rank_in(MPI_COMM_WORLD) == 0) {
    FILE *in = fopen(path, "r"), *out = fopen(wrong, "w");
    CHECK(in != NULL && out != NULL, "cannot write %s", wrong);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    CHECK((at = strstr(text, "latency=46ms")) != NULL, "%s has no link of 46 ms", path);
    memcpy(at, "latency=92ms", 12);
    fputs(text, out);
    fclose(in);
    fclose(out);
  }
  o.hosts = wrong;
  CHECK(gb_probe_run(MPI_COMM_WORLD, &o) == 1, "a wrong file is called right");
  if (rank_in(MPI_COMM_WORLD) == 0)
    remove(wrong);
}

/* Three switches in a line: the groups of hosts, which one is in the middle, and what the cables carry. */
static void switches(void) {
  gb_probe_options o = {.size = {1024}, .size_count = 1, .budget = INFINITY};
  char *text = probe(o);
  if (text == NULL)
    return;
  gbcast_platform *p = parse(text);
  CHECK(p->cluster_count == 1 && p->switch_count == 3, "%u switches\n%s", (unsigned)p->switch_count, text);
  uint32_t sw[3], cables[3] = {0};
  for (uint32_t h = 0; h < 9; h++) {
    const char name[] = {'h', (char)('0' + h), '\0'};
    const uint32_t found = p->host[gb_platform_find_host(p, name)].sw;
    CHECK(h < 3 || found == sw[h % 3], "%s is on switch %u\n%s", name, (unsigned)found, text);
    sw[h % 3] = found;
  }
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t up = p->sw[i].uplink;
    if (up == GB_NONE)
      continue;
    close_to("bandwidth of a cable", p->sw[i].bandwidth, 12.5e6);
    cables[i]++;
    cables[up]++;
  }
  /* Messages that meet share a cable of the simulator, and none is lost. */
  CHECK(strstr(text, "# contention= is chosen ") != NULL && p->cluster[0].contention <= 0.1, "contention\n%s",
        text);
  CHECK(cables[sw[0]] == 1 && cables[sw[1]] == 2 && cables[sw[2]] == 1, "not in a line\n%s", text);
  gbcast_platform_free(p);
  free(text);
}

static void outlier(void) {
  gb_probe_options o = {.size = {1024}, .size_count = 1, .budget = 8};
  char *text = probe(o);
  if (text == NULL)
    return;
  gbcast_platform *p = parse(text);
  CHECK(p->cluster_count == 1, "sites\n%s", text);
  const char *named = strstr(text, "# outlier: ");
  CHECK(named != NULL && strncmp(named, "# outlier: h5 has a latency of 15", 33) == 0, "outlier\n%s", text);
  CHECK(strstr(named + 1, "# outlier: ") == NULL, "a second outlier\n%s", text);
  gbcast_platform_free(p);
  free(text);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc == 3 && strcmp(argv[1], "three-sites") == 0)
    three_sites(argv[2]);
  else if (argc == 3 && strcmp(argv[1], "check") == 0)
    check_file(argv[2]);
  else if (argc == 2 && strcmp(argv[1], "switches") == 0)
    switches();
  else if (argc == 2 && strcmp(argv[1], "outlier") == 0)
    outlier();
  else
    CHECK(false, "usage");
  MPI_Finalize();
  return 0;
}
