/* Table 3 of Patarasuk, Yuan and Faraj, Techniques for Pipelined Broadcast on Ethernet Switched Clusters: the
 * best of eight segment sizes for broadcasts on their topology (4), from the g and L of their Table 2. What
 * the paper prints, and the same sizes found again by its formulas and by the planner. */
#ifndef GB_BENCH_TABLE3_H
#define GB_BENCH_TABLE3_H

#include "intra/intra.h"
#include "plan/core/core.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TABLE3_ROWS 9  /* messages of 8 KiB, 16 KiB .. 2 MiB */
#define TABLE3_SIZES 8 /* segments of 256 B, 512 B .. 32 KiB */

typedef struct table3_net { /* one of the two networks: Table 2, and the columns of Table 3 */
  const char *name, *rate;
  unsigned gap[TABLE3_SIZES], latency[TABLE3_SIZES]; /* us */
  uint64_t linear_model[TABLE3_ROWS], linear_actual[TABLE3_ROWS];
  uint64_t binary_model[TABLE3_ROWS], binary_actual[TABLE3_ROWS];
} table3_net;

static const table3_net table3[2] = {
    {.name = "100 Mbit/s",
     .rate = "100Mbit/s",
     .gap = {30, 51, 89, 177, 351, 695, 1389, 2781},
     .latency = {110, 156, 250, 318, 317, 324, 325, 323},
     .linear_model = {256, 256, 256, 256, 512, 512, 1024, 1024, 1024},
     .linear_actual = {256, 512, 512, 512, 512, 1024, 1024, 2048, 1024},
     .binary_model = {256, 512, 1024, 1024, 1024, 1024, 1024, 2048, 4096},
     .binary_actual = {512, 512, 1024, 1024, 1024, 2048, 4096, 4096, 4096}},
    {.name = "1000 Mbit/s",
     .rate = "1Gbit/s",
     .gap = {13, 17, 25, 39, 69, 133, 267, 541},
     .latency = {46, 54, 68, 83, 82, 78, 62, 30},
     .linear_model = {256, 256, 512, 1024, 1024, 2048, 4096, 4096, 4096},
     .linear_actual = {512, 512, 2048, 2048, 2048, 2048, 2048, 4096, 4096},
     .binary_model = {512, 1024, 2048, 4096, 4096, 4096, 8192, 8192, 8192},
     .binary_actual = {1024, 2048, 2048, 4096, 8192, 8192, 8192, 16384, 16384}},
};

static inline uint64_t table3_message(unsigned row) {
  return (uint64_t)8192 << row;
}

static inline uint64_t table3_segment(unsigned i) {
  return (uint64_t)256 << i;
}

/* Topology (4): 32 hosts on four switches. The text of the paper has lost its figure 9; taken here is a row
 * of switches with eight consecutive hosts each. No number of Table 3 depends on it as long as the trees are
 * free of contention, which every tree is on one switch. NULL after a message. */
static inline gbcast_platform *table3_platform(const table3_net *net) {
  char *text = NULL;
  size_t length = 0;
  enum { switches = 4, each = 32 / switches };
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  fprintf(out, "cluster net bandwidth=%s\n", net->rate);
  for (unsigned s = 0; s < switches; s++) {
    fprintf(out, "switch s%u bandwidth=%s", s, net->rate);
    if (s > 0)
      fprintf(out, " uplink=s%u", s - 1);
    fprintf(out, "\nn[%u-%u]\n", s * each, (s + 1) * each - 1);
  }
  for (unsigned i = 0; i < TABLE3_SIZES; i++)
    fprintf(out, "plogp net size=%llu gap=%uus latency=%uus\n", (unsigned long long)table3_segment(i),
            net->gap[i], net->latency[i]);
  fclose(out);
  gbcast_platform *platform = NULL;
  gbcast_error err = {""};
  if (gbcast_platform_parse(text, length, "table3", &platform, &err) != GBCAST_OK)
    fprintf(stderr, "%s\n", err.message);
  free(text);
  return platform;
}

/* The plan of one LAN algorithm with one segment size; NULL after a message. */
static inline gbcast_plan *table3_plan(const gbcast_platform *p, const char *intra, uint64_t bytes,
                                       uint64_t segment) {
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  gbcast_request request = {.bytes = bytes, .intra = intra, .segment = segment};
  if (gbcast_plan_make(p, &request, &plan, &err) != GBCAST_OK)
    fprintf(stderr, "table3: %s\n", err.message);
  return plan;
}

/* Formulas (1) and (2) on the plan's tree, children in sending order: the i-th child of a sender has a
 * segment i g + L later than the sender; the last host's sum is A L + B g. Of X segments the other X - 1
 * follow at D g, D the most children of a sender: A L + B g + D (X - 1) g. In a chain A = B = P - 1 and D
 * = 1. g and L [s] of the segment s = m / X. INFINITY when there is no memory. */
static inline double table3_formula(const gbcast_plan *plan, const gb_lan *lan, uint64_t bytes,
                                    uint64_t segment) {
  const gb_tree *tree = &plan->schedule.tree[0];
  double g = gb_lan_gap(lan, segment), l = gb_lan_latency(lan, segment), first = 0;
  uint32_t *queue = malloc(plan->schedule.endpoint_count * sizeof *queue), tail = 0, degree = 0;
  double *at = calloc(plan->schedule.endpoint_count, sizeof *at);
  if (queue && at)
    queue[tail++] = plan->schedule.root;
  for (uint32_t head = 0; head < tail; head++) {
    uint32_t u = queue[head], children = tree->child_start[u + 1] - tree->child_start[u];
    degree = children > degree ? children : degree;
    first = at[u] > first ? at[u] : first;
    for (uint32_t i = 0; i < children; i++) {
      uint32_t v = tree->child[tree->child_start[u] + i];
      at[v] = at[u] + (i + 1) * g + l;
      queue[tail++] = v;
    }
  }
  free(queue);
  free(at);
  return tail == 0 ? INFINITY : first + (double)degree * (double)(bytes / segment - 1) * g;
}

typedef struct table3_cell { /* the segment sizes with the least time; 0 when something failed */
  uint64_t formula, planner;
} table3_cell;

/* The best of the eight sizes for one message. A tie goes to the smaller size. */
static inline table3_cell table3_best(const gbcast_platform *p, const char *intra, uint64_t bytes) {
  table3_cell best = {0};
  double formula = INFINITY, planner = INFINITY;
  gb_lan lan = gb_lan_of(p, 0);
  for (unsigned i = 0; i < TABLE3_SIZES && table3_segment(i) <= bytes; i++) {
    uint64_t segment = table3_segment(i);
    gbcast_plan *plan = table3_plan(p, intra, bytes, segment);
    if (!plan)
      return (table3_cell){0};
    double seconds = table3_formula(plan, &lan, bytes, segment);
    if (seconds < formula) {
      formula = seconds;
      best.formula = segment;
    }
    if (plan->predicted < planner) {
      planner = plan->predicted;
      best.planner = segment;
    }
    gbcast_plan_free(plan);
  }
  return best;
}

/* The tree of a column. */
typedef struct table3_tree {
  const char *intra, *formula;
} table3_tree;

static inline table3_tree table3_tree_of(bool binary) {
  return binary ? (table3_tree){"binary-contention-free", "formula (2)"}
                : (table3_tree){"linear-contention-free", "formula (1)"};
}

/* Doublings between two sizes. */
static inline unsigned table3_steps(uint64_t a, uint64_t b) {
  unsigned steps = 0;
  for (; a < b; a *= 2)
    steps++;
  for (; b < a; b *= 2)
    steps++;
  return steps;
}

#endif
