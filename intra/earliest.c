/* Every host that has the message keeps sending it until all have it. On one switch no tree is faster
 * (Karp, Sahay, Santos and Schauser, "Optimal broadcast and summation in the LogP model", 1993). With Delta =
 * g(m) until the next send and a = g(m) + L(m) until the message is there, the k-th host has it at
 *
 *   t(1) = 0, t(2) = a, and then the least of what is left of  t(i) + Delta  and  t(i) + a,  i = 2 ..  [s]
 *
 * where the first is the next send of the host that sent to i, and the second is the first send of i.
 *
 *   Delta = 1, a = 3:   0 - 1 at 3, 2 at 4, 3 at 5, 4 at 6       t = 0 3 4 5 6 6 ...
 *                           1 - 5 at 6
 *
 * Hosts that send on have to poll for the message first, which no model here counts: where the tree gains
 * less than 5 % the root sends to every host (docs/planning.md has the measurement).
 *
 * The hosts below a host are a run of positions, the largest part farthest away: so a subtree stays on few
 * switches. */
#include "intra/algorithms.h"
#include "intra/contention_free.h"
#include <stdlib.h>

#define WORTH_SENDING_ON 0.95

/* sender[k], k from 0 in the order of time, the root being 0; t: seconds. */
static void send_on(uint32_t count, double delta, double arrive, uint32_t *sender, double *t) {
  uint32_t again = 1, other = 1; /* whose sender, and who, sends next */
  sender[0] = GB_NONE;
  if (count < 2)
    return;
  sender[1] = 0;
  t[1] = arrive;
  for (uint32_t k = 2; k < count; k++) {
    const bool first = t[other] + arrive < t[again] + delta;
    sender[k] = first ? other : sender[again];
    t[k] = first ? t[other] + arrive : t[again] + delta;
    other += first;
    again += !first;
  }
  if (t[count - 1] > WORTH_SENDING_ON * (arrive + (double)(count - 2) * delta))
    for (uint32_t k = 1; k < count; k++)
      sender[k] = 0;
}

static int build(const gb_switch_order *order, const gb_conflicts *conflicts, const void *context,
                 uint32_t *parent, gbcast_error *err) {
  const gb_intra_job *job = context;
  (void)conflicts;
  const uint32_t n = order->count;
  const gb_lan lan = gb_lan_of(job->p, job->p->host[job->host[0]].cluster);
  const double gap = gb_lan_gap(&lan, job->bytes);
  uint32_t *sender = malloc(4 * (size_t)n * sizeof *sender), *size = sender + n;
  uint32_t *position = sender + 2 * (size_t)n, *end = sender + 3 * (size_t)n; /* of the run below a host */
  double *t = malloc(n * sizeof *t);
  if (sender == NULL || t == NULL) {
    free(sender);
    free(t);
    return gb_no_memory(err);
  }
  send_on(n, gap, gap + gb_lan_latency(&lan, job->bytes), sender, t);
  for (uint32_t k = 0; k < n; k++)
    size[k] = 1;
  for (uint32_t k = n; k-- > 1;)
    size[sender[k]] += size[k];
  position[0] = 0;
  end[0] = n;
  parent[0] = GB_NONE;
  for (uint32_t k = 1; k < n; k++) {
    end[k] = end[sender[k]];
    position[k] = end[sender[k]] -= size[k];
    parent[position[k]] = position[sender[k]];
  }
  free(sender);
  free(t);
  return GBCAST_OK;
}

int gb_intra_build_earliest(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  return gb_build_by_position(job, build, job, parent, err);
}

/* Hosts that have it by T, in closed form: with i messages on the way to a host and j earlier ones of those
 * who sent them there are C(i - 1 + j, j) of them at i a + j Delta, so
 *
 *   1 + sum over i of C(i + j_i, i),   j_i = floor((T - i a) / Delta) */
static double informed(double time, double delta, double arrive, double enough) {
  const double rounding = 1e-9;
  double hosts = 1;
  for (double i = 1; i * arrive <= time * (1 + rounding) && hosts < enough; i++) {
    const double j = (double)(uint64_t)((time - i * arrive) / delta + rounding);
    double choices = 1;
    for (double k = 1; k <= i && choices < enough; k++)
      choices *= (j + k) / k;
    hosts += choices;
  }
  return hosts;
}

/* The least i a + j Delta by which P hosts have it, where that is worth it. */
double gb_intra_earliest(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  (void)segment;
  const double delta = gb_lan_gap(lan, bytes), arrive = delta + gb_lan_latency(lan, bytes);
  if (hosts < 2 || !(delta > 0))
    return hosts < 2 ? 0 : arrive;
  const double flat = arrive + (double)(hosts - 2) * delta;
  double best = flat;
  for (uint32_t i = 1; i * arrive < best; i++) {
    uint32_t low = 0, high = hosts; /* the least j is in low .. high */
    while (low < high) {
      const uint32_t j = low + (high - low) / 2;
      if (informed(i * arrive + j * delta, delta, arrive, hosts) >= hosts)
        high = j;
      else
        low = j + 1;
    }
    if (i * arrive + low * delta < best)
      best = i * arrive + low * delta;
  }
  return best > WORTH_SENDING_ON * flat ? flat : best;
}
