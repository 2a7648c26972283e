/* MPI's own reduction, as MPICH documents it (R. Thakur, R. Rabenseifner and W. Gropp, Optimization of
 * collective communication operations in MPICH, IJHPCA 19, 2005), on the hosts of a site in the order of the
 * file. In step j every host exchanges with the one whose number differs in bit j:
 *
 *   allreduce, m <= 2 KiB   recursive doubling: m in each step
 *   longer, and reductions  recursive halving, m / 2, m / 4, ...; then the results the other way, in the same
 *                           steps: to all hosts, or to the root
 *   allgather               recursive doubling: m / P in step 0, twice as much in each step
 *
 *   step 0   0 <-> 1   2 <-> 3      step 1   0 <-> 2   1 <-> 3
 *
 * The library does not know the switches. So a step of m bytes takes L + o + m / B, and no less than the
 * cable takes that most of its messages cross. Where hosts are no power of two the others first send all to a
 * neighbour, and get the result from it at the end. In seconds; no cost of the operator. */
#include "plan/search/native.h"
#include <stdlib.h>
#include <string.h>

#define SHORT_BYTES 2048u

typedef struct gb_steps {
  gb_network *net;
  const uint32_t *host; /* count */
  uint32_t count;
  double *work; /* gb_resource_count: s of each link in one step */
} gb_steps;

/* Adds a message; *alone: how long it takes by itself. */
static int add_message(const gb_steps *x, uint32_t from, uint32_t to, uint64_t bytes, double *alone,
                       gbcast_error *err) {
  gb_cost cost;
  const int status = gb_edge_cost(x->net, (gb_endpoint){x->host[from], 0}, (gb_endpoint){x->host[to], 0},
                                  bytes, 1, &cost, err);
  if (status != GBCAST_OK)
    return status;
  *alone = gb_larger(*alone, cost.gap + cost.tail);
  gb_route_add_work(&x->net->route, (double)bytes, x->work);
  return GBCAST_OK;
}

/* Adds the time of one step, in which hosts `far` apart exchange, or from `first` on only send, to those
 * before them. */
static int add_step(const gb_steps *x, uint32_t first, uint32_t far, uint64_t bytes, double *seconds,
                    gbcast_error *err) {
  const uint64_t links = gb_resource_count(x->net->p);
  double alone = 0, most = 0;
  int status = GBCAST_OK;
  memset(x->work, 0, links * sizeof *x->work);
  for (uint32_t i = first; status == GBCAST_OK && i < x->count; i++)
    if (first > 0)
      status = add_message(x, i, i - far, bytes, &alone, err);
    else if ((i ^ far) < x->count)
      status = add_message(x, i, i ^ far, bytes, &alone, err);
  for (uint64_t r = 0; r < links; r++)
    most = gb_larger(most, x->work[r]);
  *seconds += gb_larger(alone, most);
  return status;
}

/* both: the steps are taken twice, the second time the other way round. */
static int add_all(gb_steps *x, bool halves, bool both, uint64_t bytes, double *seconds, gbcast_error *err) {
  const uint32_t all = x->count;
  uint32_t power = 1;
  while (power <= all / 2)
    power *= 2;
  int status = power < all ? add_step(x, power, power, bytes, seconds, err) : GBCAST_OK;
  if (both)
    *seconds *= 2; /* there, and at the end back */
  x->count = power;
  uint64_t piece = bytes;
  for (uint32_t far = 1; status == GBCAST_OK && far < power; far *= 2) {
    double step = 0;
    piece = !both ? bytes / power * far : halves ? (piece + 1) / 2 : bytes;
    status = add_step(x, 0, far, piece, &step, err);
    *seconds += halves && both ? 2 * step : step;
  }
  return status;
}

int gb_butterfly_time(gb_network *net, const gbcast_plan *plan, uint64_t bytes, double *seconds,
                      gbcast_error *err) {
  const gb_site *site = &plan->site[0];
  uint32_t *host = calloc(site->hosts, sizeof *host), count = 0;
  gb_steps x = {net, host, site->hosts, calloc(gb_resource_count(net->p), sizeof *x.work)};
  int status = host && x.work ? GBCAST_OK : gb_no_memory(err);
  const bool parts = gb_carries_parts(plan->operation);
  *seconds = 0;
  for (uint32_t i = 0; status == GBCAST_OK && i < site->endpoint_count; i++)
    if (plan->schedule.endpoint[i].k == 0)
      host[count++] = plan->schedule.endpoint[i].host;
  if (status == GBCAST_OK)
    status = add_all(&x, gb_plan_goes_up(plan) || parts || bytes > SHORT_BYTES, !parts, bytes, seconds, err);
  free(host);
  free(x.work);
  return status;
}
