/* Distributed k-means: every rank has points of its own. In every step rank 0 broadcasts the model to all
 * sites, and gets the sums of the points near each centroid back.
 *
 *   GBCAST_HOSTS=hosts.txt mpiexec ... kmeans [POINTS [CENTROIDS [STEPS]]]      calls gbcast's functions
 *   LD_PRELOAD=libgbcast-pmpi.so GBCAST_HOSTS=... mpiexec ... kmeans-mpi ...    calls MPI's: KMEANS_MPI
 *
 * The steps are made twice, with MPI's own collectives and with those that are tried, from the same start.
 * Sums of so few points are exact, so the results are the same whatever their order. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef KMEANS_MPI
#define BROADCAST MPI_Bcast
#define REDUCE MPI_Reduce
#else
#include <gbcast/gbcast.h>
#define BROADCAST gbcast_bcast
#define REDUCE gbcast_reduce
#endif

enum { DIMENSIONS = 16 };

typedef struct problem {
  int rank, points, centroids, steps;
  float *point;    /* points rows of DIMENSIONS */
  float *centroid; /* the model, centroids rows of DIMENSIONS */
  double *sum;     /* centroids rows of DIMENSIONS, and how many points are in them */
} problem;

static float random_number(unsigned *state) { /* the same on every machine */
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / (float)(1 << 24);
}

static void fill(float *at, size_t n, unsigned seed) {
  for (size_t i = 0; i < n; i++)
    at[i] = random_number(&seed);
}

static int nearest(const problem *p, const float *point) {
  int best = 0;
  float least = 1e30f;
  for (int c = 0; c < p->centroids; c++) {
    const float *centroid = p->centroid + (size_t)c * DIMENSIONS;
    float distance = 0;
    for (int d = 0; d < DIMENSIONS; d++)
      distance += (point[d] - centroid[d]) * (point[d] - centroid[d]);
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  return best;
}

/* Adds this rank's points to the sums of the centroids that are nearest to them. */
static void assign(const problem *p) {
  double *count = p->sum + (size_t)p->centroids * DIMENSIONS;
  memset(p->sum, 0, sizeof *p->sum * (size_t)p->centroids * (DIMENSIONS + 1));
  for (int i = 0; i < p->points; i++) {
    const float *point = p->point + (size_t)i * DIMENSIONS;
    int c = nearest(p, point);
    count[c]++;
    for (int d = 0; d < DIMENSIONS; d++)
      p->sum[(size_t)c * DIMENSIONS + (size_t)d] += point[d];
  }
}

/* Rank 0: the means; a centroid without points stays. */
static void move(const problem *p) {
  const double *count = p->sum + (size_t)p->centroids * DIMENSIONS;
  for (int c = 0; c < p->centroids; c++)
    for (int d = 0; count[c] > 0 && d < DIMENSIONS; d++) {
      size_t i = (size_t)c * DIMENSIONS + (size_t)d;
      p->centroid[i] = (float)(p->sum[i] / count[c]);
    }
}

static void add_up(const problem *p, int own) {
  const int sums = p->centroids * (DIMENSIONS + 1);
  const void *mine = p->rank == 0 ? MPI_IN_PLACE : p->sum;
  if (own)
    PMPI_Reduce(mine, p->sum, sums, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  else
    REDUCE(mine, p->sum, sums, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

/* The seconds that the steps took. */
static double run(const problem *p, int own) {
  const int model = p->centroids * DIMENSIONS;
  double start = 0;
  if (p->rank == 0)
    fill(p->centroid, (size_t)model, 1);
  for (int step = -1; step < p->steps; step++) { /* the first step also plans, and does not count */
    if (step == 0) {
      MPI_Barrier(MPI_COMM_WORLD);
      start = MPI_Wtime();
    }
    if (own)
      PMPI_Bcast(p->centroid, model, MPI_FLOAT, 0, MPI_COMM_WORLD);
    else
      BROADCAST(p->centroid, model, MPI_FLOAT, 0, MPI_COMM_WORLD);
    assign(p);
    add_up(p, own);
    if (p->rank == 0 && step >= 0)
      move(p);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - start;
}

/* What the means are, in one number. */
static double mean(const problem *p) {
  double sum = 0;
  for (int i = 0; i < p->centroids * DIMENSIONS; i++)
    sum += (double)p->centroid[i] * (i % 7 + 1);
  return sum;
}

static int argument(int argc, char **argv, int i, int otherwise) {
  int value = argc > i ? atoi(argv[i]) : otherwise;
  return value > 0 && value < 1 << 24 ? value : otherwise;
}

int main(int argc, char **argv) {
  problem p = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
  p.points = argument(argc, argv, 1, 200);
  p.centroids = argument(argc, argv, 2, 4096);
  p.steps = argument(argc, argv, 3, 10);
  size_t model = (size_t)p.centroids * DIMENSIONS;
  p.point = malloc(sizeof *p.point * (size_t)p.points * DIMENSIONS);
  p.centroid = calloc(model, sizeof *p.centroid);
  p.sum = malloc(sizeof *p.sum * (size_t)p.centroids * (DIMENSIONS + 1));
  if (p.point == NULL || p.centroid == NULL || p.sum == NULL) {
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
  }
  fill(p.point, (size_t)p.points * DIMENSIONS, (unsigned)p.rank + 2);
  double took[2], result[2];
  for (int own = 1; own >= 0; own--) {
    took[own] = run(&p, own);
    result[own] = mean(&p);
  }
  int differs = p.rank == 0 && result[0] != result[1];
  if (p.rank == 0) {
    printf("%d steps with a model of %zu bytes; centroids %.9g%s\n", p.steps, sizeof *p.centroid * model,
           result[0], differs ? ", BUT OTHERS WITH MPI'S OWN COLLECTIVES" : "");
    printf("MPI's own collectives %.1f ms, gbcast's %.1f ms\n", took[1] * 1e3, took[0] * 1e3);
    printf("speed-up %.2f\n", took[1] / took[0]);
  }
  free(p.point);
  free(p.centroid);
  free(p.sum);
  MPI_Finalize();
  return differs;
}
