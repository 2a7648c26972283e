/* Figure 5 of Patarasuk, Yuan and Faraj: mean heights of binary trees on 20 random clusters of each size,
 * with 16 and with 8 machines a switch on average. Next to Algorithm 2 stand the tree that shares links and
 * the height of the complete binary tree, below which no binary tree gets.
 *
 *   figure5 [MOST]     machines up to MOST (1024, as in the paper; 16384 takes a few minutes)
 *
 * Assumed, where the paper leaves it open: the root is the first machine, machines are a power of two,
 * switches are as many as fit exactly. The text of the paper has no numbers for the points of the figure,
 * only that the means are "within a factor of two" of the complete tree. Times are of one build, processor
 * time. */
#include "bench/figure5_cluster.h"
#include "intra/intra.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TOPOLOGIES 20

static int paper(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  return gb_intra_table[gb_intra_find("binary-contention-free", GB_BCAST)].build(job, parent, err);
}

static int shared(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  return gb_shared_links_tree(job, 1, 0, parent, err);
}

/* Adds the height of the tree and the seconds that building it took. */
static int measure(gb_intra_build *build, const figure5_cluster *c, uint32_t *parent, double *height,
                   double *seconds, gbcast_error *err) {
  double most = 0;
  uint32_t degree = 0;
  gb_intra_job job = {.p = &c->platform, .host = c->order, .count = c->platform.host_count};
  clock_t start = clock();
  int status = build(&job, parent, err);
  *seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
  if (status == GBCAST_OK)
    status = gb_tree_time(parent, c->platform.host_count, 1, 0, &most, &degree, err);
  *height += most;
  return status;
}

static int row(uint32_t machines, uint32_t each, gbcast_error *err) {
  uint32_t *parent = malloc(machines * sizeof *parent), complete = 0;
  double height[2] = {0}, seconds[2] = {0};
  uint64_t state = machines + each;
  int status = parent ? GBCAST_OK : gb_no_memory(err);
  while (machines >> (complete + 1) > 0)
    complete++;
  for (int i = 0; status == GBCAST_OK && i < TOPOLOGIES; i++) {
    figure5_cluster c;
    if (!figure5_cluster_new(&c, &state, machines / each, machines))
      status = gb_no_memory(err);
    if (status == GBCAST_OK)
      status = measure(paper, &c, parent, &height[0], &seconds[0], err);
    if (status == GBCAST_OK)
      status = measure(shared, &c, parent, &height[1], &seconds[1], err);
    figure5_cluster_free(&c);
  }
  if (status == GBCAST_OK) {
    printf("%8u %8u %9u", machines, each, complete);
    for (int k = 0; k < 2; k++)
      printf("  %6.2f %5.2f %6.1f ms", height[k] / TOPOLOGIES, height[k] / TOPOLOGIES / complete,
             1e3 * seconds[k] / TOPOLOGIES);
    printf("\n");
  }
  free(parent);
  return status;
}

int main(int argc, char **argv) {
  uint32_t most = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1024;
  gbcast_error err = {""};
  printf("machines a switch  complete  Algorithm 2 (ratio, time)  shared links (ratio, time)\n");
  for (uint32_t each = 16; each >= 8; each /= 2)
    for (uint32_t machines = 32; machines <= most; machines *= 2)
      if (row(machines, each, &err) != GBCAST_OK) {
        fprintf(stderr, "figure5: %s\n", err.message);
        return 1;
      }
  return 0;
}
