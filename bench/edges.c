/* gbcast-bench edges: where a broadcast or scatter takes longer than predicted, edge by edge.
 *
 * All ranks begin at one moment (moment.h). When the last byte that comes over an edge of a tree is there is
 * measured on the receiver, predicted in the plan. A step is from then on at the sender until then at the
 * receiver, so the steps on the way to a rank add up to the time that it takes, and tell which edge loses it:
 *
 *     root ---- step ----> leader ---- step ----> host        predicted  |----|----|
 *                                                              measured   |-------|----|      the first one
 */
#include "bench/gbcast-bench.h"
#include "bench/moment.h"
#include "bench/numbers.h"
#include "mpi/comm/comm.h"
#include "mpi/comm/plans.h"
#include "plan/show/show.h"
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#define NAME "gbcast-bench edges"

enum { ROUNDS = 9, WARM = 2 };

typedef struct bench {
  bench_call c;
  shared_clock clock;
  gb_comm *comm;
  gbcast_plan *plan;
  double *came;   /* GB_TREES_MOST: 0 or, on this rank's clock, in the last call */
  double *round;  /* tree * ROUNDS + round: s since the moment at which all began, */
  double *median; /* tree: of these; on rank 0 of all ranks: rank * trees + tree */
  double seconds; /* of the whole call, the median */
  long wrong;     /* calls that failed or left wrong data on this rank */
} bench;

static double median_of(double *value) {
  qsort(value, ROUNDS, sizeof *value, ascending);
  return value[ROUNDS / 2];
}

/* The plan, and room for its times; false, on all ranks, when there is none. */
static bool get_ready(bench *b) {
  const enum gbcast_operation operation = b->c.operation == BENCH_SCATTER ? GBCAST_SCATTER : GBCAST_BCAST;
  int good = gb_comm_any(MPI_COMM_WORLD, &b->comm) == MPI_SUCCESS && b->comm != NULL &&
             gb_decide(b->comm, operation, b->c.size, b->c.root, &b->plan) == MPI_SUCCESS &&
             !b->plan->native && !gb_same_as_mpi(b->comm, b->plan, b->c.root);
  if (good) {
    const size_t trees = b->plan->schedule.tree_count;
    b->came = calloc(GB_TREES_MOST, sizeof *b->came);
    b->round = calloc(trees * ROUNDS, sizeof *b->round);
    b->median = calloc(trees * (b->c.rank == 0 ? (size_t)b->c.ranks : 1), sizeof *b->median);
    good = b->came != NULL && b->round != NULL && b->median != NULL;
    b->comm->wire.arrivals = b->came;
  }
  int all_good = 0;
  MPI_Allreduce(&good, &all_good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (!all_good && b->c.rank == 0)
    fputs(NAME ": MPI's own call is made for this (GBCAST_INTRA=binomial and others force gbcast's), or "
               "something above is wrong\n",
          stderr);
  return all_good != 0;
}

static void measure(bench *b) {
  const size_t trees = b->plan->schedule.tree_count;
  double whole[ROUNDS];
  for (int i = -WARM; i < ROUNDS; i++) {
    const double seconds = call_together(&b->c, true, &b->clock, &b->wrong);
    if (i < 0)
      continue;
    whole[i] = seconds;
    for (size_t t = 0; t < trees; t++)
      b->round[t * ROUNDS + (size_t)i] =
          b->came[t] > 0 ? b->came[t] + b->clock.distance - b->clock.moment : 0;
  }
  b->seconds = median_of(whole);
  for (size_t t = 0; t < trees; t++)
    b->median[t] = median_of(b->round + t * ROUNDS);
  MPI_Gather(b->c.rank == 0 ? MPI_IN_PLACE : b->median, (int)trees, MPI_DOUBLE, b->median, (int)trees,
             MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/* Measured, once rank 0 has gathered it: s until the last byte is there. */
static double came_to(const bench *b, uint32_t tree, uint32_t endpoint) {
  const gb_endpoint e = b->plan->schedule.endpoint[endpoint];
  return b
      ->median[(uint32_t)gb_wire_rank_of(&b->comm->wire, e.host, e.k) * b->plan->schedule.tree_count + tree];
}

static void add_name(gb_table *table, const gbcast_plan *plan, uint32_t endpoint) {
  const gb_endpoint e = plan->schedule.endpoint[endpoint];
  if (e.k == 0)
    gb_table_add(table, "%s", plan->platform->host[e.host].name);
  else
    gb_table_add(table, "%s#%u", plan->platform->host[e.host].name, e.k);
}

static void add_head(gb_table *table) {
  static const char *const head[] = {
      "tree",           "from",        "to", "level", "predicted", "measured", "step, predicted",
      "step, measured", "step, longer"};
  for (size_t i = 0; i < sizeof head / sizeof *head; i++)
    gb_table_add(table, "%s", head[i]);
}

static void add_edge(gb_table *table, const bench *b, uint32_t tree, uint32_t to) {
  const gb_tree *t = &b->plan->schedule.tree[tree];
  const uint32_t from = t->parent[to];
  const double predicted = t->arrival[to] - (from == b->plan->schedule.root ? 0 : t->arrival[from]);
  const double came = came_to(b, tree, to), measured = came - came_to(b, tree, from);
  gb_table_add(table, "%u", tree + 1);
  add_name(table, b->plan, from);
  add_name(table, b->plan, to);
  gb_table_add(table, "%s", gb_level_name[gb_plan_level(b->plan, from, to)]);
  gb_table_add(table, "%s", gb_text_seconds(t->arrival[to]).s);
  gb_table_add(table, "%s", gb_text_seconds(came).s);
  gb_table_add(table, "%s", gb_text_seconds(predicted).s);
  gb_table_add(table, "%s", gb_text_seconds(measured).s);
  gb_table_add(table, "%s", gb_text_seconds(measured - predicted).s);
}

/* Who is last, and in which tree. */
static void find_last(const bench *b, uint32_t *tree, uint32_t *to) {
  double latest = -1;
  for (uint32_t t = 0; t < b->plan->schedule.tree_count; t++)
    for (uint32_t e = 0; e < b->plan->schedule.endpoint_count; e++)
      if (came_to(b, t, e) > latest) {
        latest = came_to(b, t, e);
        *tree = t;
        *to = e;
      }
}

/* The edges from the root to that rank, in this order, or all there are. */
static void add_edges(gb_table *table, const bench *b, bool all, uint32_t tree, uint32_t last) {
  const gbcast_plan *plan = b->plan;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++)
    for (uint32_t e = 0; all && e < plan->schedule.endpoint_count; e++)
      if (e != plan->schedule.root)
        add_edge(table, b, t, e);
  for (uint32_t done = plan->schedule.root; !all && done != last;) {
    uint32_t next = last;
    while (plan->schedule.tree[tree].parent[next] != done)
      next = plan->schedule.tree[tree].parent[next];
    add_edge(table, b, tree, next);
    done = next;
  }
}

/* False: no memory. */
static bool print(const bench *b, bool all) {
  const gbcast_plan *plan = b->plan;
  const char *const hosts = getenv("GBCAST_HOSTS");
  uint32_t tree = 0, to = plan->schedule.root;
  gb_table table = {.columns = 9, .align = "rlllrrrrr"};
  find_last(b, &tree, &to);
  printf("%s of %s from rank %d, %d ranks, hosts file %s\n", operation_name(b->c.operation),
         gb_text_bytes(b->c.size).s, b->c.root, b->c.ranks, hosts ? hosts : "(none)");
  printf("predicted %s, measured %s (median of %d); plan %016" PRIx64 "\n\n",
         gb_text_seconds(plan->predicted).s, gb_text_seconds(b->seconds).s, ROUNDS, plan->hash);
  puts(all ? "All edges; when the last byte is there, and the step that the edge adds:"
           : "The way to the rank that is last; when the last byte is there, and the step that each edge "
             "adds:");
  add_head(&table);
  add_edges(&table, b, all, tree, to);
  return gb_table_print(&table, stdout) == GBCAST_OK;
}

static const char usage[] =
    "usage: mpiexec -n N " NAME " [OPTION...]\n"
    "  -o, --operation=bcast|scatter  default bcast\n"
    "  -m, --size=BYTES               of the message or a block, default 1048576\n"
    "  -r, --root=RANK                default 0\n"
    "  -a, --all                      all edges, not only the way to the rank that is last\n"
    "  -h, --help                     print this and end\n";

static bool read_options(int argc, char **argv, bench_call *c, bool *all, bool *help) {
  static const struct option known[] = {{"operation", 1, NULL, 'o'}, {"size", 1, NULL, 'm'},
                                        {"root", 1, NULL, 'r'},      {"all", 0, NULL, 'a'},
                                        {"help", 0, NULL, 'h'},      {NULL, 0, NULL, 0}};
  bool bad = false, wrong = false;
  c->size = 1 << 20;
  opterr = c->rank == 0;
  for (int option; (option = getopt_long(argc, argv, "o:m:r:ah", known, NULL)) != -1;
       wrong |= bad, bad = false) {
    switch (option) {
    case 'o':
      c->operation = operation_of(optarg);
      bad |= c->operation != BENCH_BCAST && c->operation != BENCH_SCATTER;
      break;
    case 'm':
      c->size = number(optarg, 1, 1 << 30, &bad);
      break;
    case 'r':
      c->root = (int)number(optarg, 0, (size_t)c->ranks - 1, &bad);
      break;
    case 'a':
      *all = true;
      break;
    case 'h':
      *help = true;
      break;
    default: /* getopt_long() has named it */
      wrong = true;
    }
    if (bad)
      tell_value(NAME, c->rank, option, optarg);
  }
  return no_word_left(NAME, c->rank, argc, argv, optind) && !wrong;
}

/* Exit status: 0; 1 when there is no plan or data were wrong. */
static int run(bench *b, bool all) {
  int status = 1;
  long wrong = 0;
  const bool room = allocate(&b->c, b->c.size);
  if (!room && b->c.rank == 0)
    fputs(NAME ": no memory for that many bytes; a smaller --size may do\n", stderr);
  if (room && get_ready(b)) {
    b->clock = make_clock(b->c.rank, b->c.ranks);
    measure(b);
    MPI_Allreduce(&b->wrong, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (b->c.rank == 0 && wrong > 0)
      fprintf(stderr, NAME ": %ld calls failed or left wrong data\n", wrong);
    status = wrong > 0 || (b->c.rank == 0 && !print(b, all));
  }
  if (b->comm != NULL)
    b->comm->wire.arrivals = NULL;
  free(b->came);
  free(b->round);
  free(b->median);
  gbcast_plan_free(b->plan);
  release(&b->c);
  return status;
}

int bench_edges(int argc, char **argv) {
  bench b = {0};
  bool all = false, help = false;
  (void)unsetenv("GBCAST_CHECK");   /* a message more that goes the same way */
  (void)unsetenv("GBCAST_REFRESH"); /* the plan might change */
  MPI_Comm_rank(MPI_COMM_WORLD, &b.c.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.c.ranks);
  const bool good = read_options(argc, argv, &b.c, &all, &help);
  if (good && help && b.c.rank == 0)
    fputs(usage, stdout);
  return !good ? 2 : help ? 0 : run(&b, all);
}
