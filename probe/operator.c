/* Measures how long a host takes to combine operands: the time of MPI_Reduce_local() for sums of doubles. */
#include "probe/lead.h"

#include <stdlib.h>

enum { DOUBLES = 8192, SAMPLES = 15 }; /* an operand of 64 KiB, about a segment */

/* Takes the median of the samples; one more, the first, does not count. All ranks of a host measure at the
 * same time, as they also combine at the same time in a reduction. */
static int measure(double *seconds_a_byte) {
  double sample[SAMPLES], *operand = calloc((size_t)2 * DOUBLES, sizeof *operand);
  int rc = operand != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM;
  for (int i = -1; rc == MPI_SUCCESS && i < SAMPLES; i++) {
    const double begin = MPI_Wtime();
    rc = MPI_Reduce_local(operand, operand + DOUBLES, DOUBLES, MPI_DOUBLE, MPI_SUM);
    if (i >= 0)
      sample[i] = (MPI_Wtime() - begin) / (DOUBLES * sizeof *operand);
  }
  free(operand);
  *seconds_a_byte = rc == MPI_SUCCESS ? gb_median_of(sample, SAMPLES).value : 0;
  return rc;
}

int gb_prober_time_operator(gb_prober *x) {
  double mine = 0;
  x->reduce = calloc((size_t)x->size, sizeof *x->reduce);
  int rc = x->reduce != NULL ? measure(&mine) : MPI_ERR_NO_MEM;
  return rc != MPI_SUCCESS ? rc : MPI_Allgather(&mine, 1, MPI_DOUBLE, x->reduce, 1, MPI_DOUBLE, x->comm);
}

int gb_lead_set_operators(gb_lead *l, gbcast_error *err) {
  gbcast_platform *p = l->platform;
  double *value = malloc(sizeof *value * p->host_count);
  bool any = false;
  if (value == NULL)
    return gb_no_memory(err);
  for (uint32_t c = 0; c < p->cluster_count; c++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->cluster[c].host_count; i++) {
      const int rank = l->host_rank[p->host_of_cluster[p->cluster[c].host_start + i]];
      if (rank >= 0)
        value[count++] = l->x->reduce[rank];
    }
    if (count > 0)
      p->cluster[c].reduce = gb_probe_round(gb_median_of(value, count).value);
    any = any || p->cluster[c].reduce > 0;
  }
  if (any)
    (void)fputs(
        "# reduce= is the time per byte of a sum of doubles, the median over the hosts that were measured\n",
        l->notes);
  free(value);
  return GBCAST_OK;
}
