/* Making, checking and freeing the plan of an all-to-all. */
#include "plan/alltoall.h"

#include <stdlib.h>

static int refuse(const gbcast_plan *plan, const gbcast_request *request, gbcast_error *err) {
  if (request->root != NULL || request->inter != NULL || request->intra != NULL || request->segment > 0 ||
      request->lanes > 0) {
    return gb_fail(err, GBCAST_EUSAGE,
                   "an all-to-all has no root, no trees, no segments and no lanes; --sync is its one choice");
  }
  if (plan->site_count > 1) {
    return gb_fail(err, GBCAST_EUSAGE,
                   "an all-to-all between several clusters (found %u) is not available in this version",
                   plan->site_count);
  }
  if (plan->site[0].hosts > GB_ALLTOALL_MACHINES) {
    return gb_fail(err, GBCAST_EINPUT, "%s:1:1: found %u hosts, expected at most %u in an all-to-all",
                   plan->platform->file, plan->site[0].hosts, GB_ALLTOALL_MACHINES);
  }
  return GBCAST_OK;
}

/* Hosts exchange their ranks' blocks together. */
static int list_hosts(const gbcast_plan *plan, gb_alltoall *a, gbcast_error *err) {
  a->host = calloc(plan->site[0].hosts, sizeof *a->host);
  a->ranks = calloc(plan->site[0].hosts, sizeof *a->ranks);
  if (a->host == NULL || a->ranks == NULL) {
    return gb_no_memory(err);
  }
  for (uint32_t e = 0, i = 0; e < plan->endpoint_count; e++) {
    i += e > 0 && plan->endpoint[e].host != plan->endpoint[e - 1].host;
    a->host[i] = plan->endpoint[e].host;
    a->ranks[i]++;
  }
  return GBCAST_OK;
}

static int fill(gbcast_plan *plan, const gbcast_request *request, gb_alltoall *a, gbcast_error *err) {
  int status = gb_sync_read(request->sync, &a->sync, err);
  if (status == GBCAST_OK) {
    status = list_hosts(plan, a, err);
  }
  if (status == GBCAST_OK) {
    status = gb_machines_new(plan->platform, a->host, plan->site[0].hosts, &a->machines, err);
  }
  if (status == GBCAST_OK) {
    status = gb_phases_new(&a->machines, &a->phases, err);
  }
  if (status == GBCAST_OK) {
    status = gb_dependences_new(&a->machines, &a->phases, &a->order, err);
  }
  return status;
}

int gb_alltoall_make(gbcast_plan *plan, const gbcast_request *request, gbcast_error *err) {
  int status = refuse(plan, request, err);
  if (status != GBCAST_OK) {
    return status;
  }
  gb_alltoall *a = plan->alltoall = calloc(1, sizeof *a);
  if (a == NULL) {
    return gb_no_memory(err);
  }
  status = fill(plan, request, a, err);
  if (status != GBCAST_OK) {
    return status;
  }
  gb_alltoall_rate(a);
  a->forced = a->sync.sync != NULL;
  if (!a->forced) {
    a->sync = gb_alltoall_choose(a, plan->class_bytes);
  }
  plan->predicted = gb_alltoall_time(a, a->sync, plan->bytes);
  plan->bound = (double)plan->bytes * a->seconds_a_byte;
  return GBCAST_OK;
}

int gb_alltoall_check(const gb_alltoall *a, gbcast_error *err) {
  for (size_t i = 0; i < a->order.count; i++) {
    const gb_dependence *d = &a->order.dependence[i];
    if (d->after >= a->phases.message_count || d->before >= d->after ||
        a->phases.phase[d->before] >= a->phases.phase[d->after]) {
      return gb_fail(err, GBCAST_EINPUT, "message %u waits for %u, which is not in an earlier phase",
                     d->after, d->before);
    }
  }
  return gb_phases_check(&a->machines, &a->phases, err);
}

void gb_alltoall_free(gb_alltoall *a) {
  if (a != NULL) {
    gb_dependences_free(&a->order);
    gb_phases_free(&a->phases);
    gb_machines_free(&a->machines);
    free(a->ranks);
    free(a->host);
    free(a);
  }
}
