/* Making, checking and freeing the plan of an all-to-all. */
#include "plan/alltoall/make.h"

#include <stdlib.h>

static int check_size(const gbcast_plan *plan, gbcast_error *err) {
  uint32_t hosts = 0;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    hosts += plan->site[s].hosts;
    if (plan->site[s].hosts > GB_ALLTOALL_MACHINES) {
      return gb_fail_at(err, &plan->platform->cluster[plan->site[s].cluster].where,
                        "found %u hosts in one cluster, expected at most %u in an all-to-all",
                        plan->site[s].hosts, GB_ALLTOALL_MACHINES);
    }
  }
  if (plan->site_count > GB_ALLTOALL_SITES || hosts > GB_ALLTOALL_HOSTS) {
    return gb_fail_at(err, &plan->platform->cluster[plan->site[plan->site_count - 1].cluster].where,
                      "found %u hosts in %u clusters, expected at most %u in %u in an all-to-all", hosts,
                      plan->site_count, GB_ALLTOALL_HOSTS, GB_ALLTOALL_SITES);
  }
  return GBCAST_OK;
}

static int refuse(const gbcast_plan *plan, const gbcast_request *request, gbcast_error *err) {
  if (request->root != NULL || request->inter != NULL || request->intra != NULL || request->segment > 0 ||
      request->lanes > 0) {
    return gb_fail(err, GBCAST_EUSAGE,
                   "an all-to-all has no root, no trees, no segments and no lanes; --sync is its one choice");
  }
  return check_size(plan, err);
}

/* Hosts exchange their ranks' blocks together. */
static int list_hosts(const gbcast_plan *plan, const gb_site *from, gb_alltoall_site *site,
                      gbcast_error *err) {
  site->host = calloc(from->hosts, sizeof *site->host);
  site->ranks = calloc(from->hosts, sizeof *site->ranks);
  if (site->host == NULL || site->ranks == NULL) {
    return gb_no_memory(err);
  }
  const gb_endpoint *endpoint = &plan->schedule.endpoint[from->first_endpoint];
  for (uint32_t e = 0, i = 0; e < from->endpoint_count; e++) {
    i += e > 0 && endpoint[e].host != endpoint[e - 1].host;
    site->host[i] = endpoint[e].host;
    site->ranks[i]++;
  }
  site->all_ranks = from->endpoint_count;
  return GBCAST_OK;
}

static int make_site(const gbcast_plan *plan, const gb_site *from, gb_alltoall_site *site,
                     gbcast_error *err) {
  int status = list_hosts(plan, from, site, err);
  if (status == GBCAST_OK) {
    status = gb_machines_new(plan->platform, site->host, from->hosts, &site->machines, err);
  }
  if (status == GBCAST_OK) {
    status = gb_phases_new(&site->machines, &site->phases, err);
  }
  if (status == GBCAST_OK) {
    status = gb_dependences_new(&site->machines, &site->phases, &site->order, err);
  }
  return status;
}

int gb_alltoall_make(gbcast_plan *plan, const gbcast_request *request, gbcast_error *err) {
  int status = refuse(plan, request, err);
  if (status != GBCAST_OK) {
    return status;
  }
  gb_alltoall *a = plan->alltoall = calloc(1, sizeof *a);
  if (a == NULL || (a->site = calloc(plan->site_count, sizeof *a->site)) == NULL) {
    return gb_no_memory(err);
  }
  status = gb_sync_read(request->sync, &a->sync, err);
  for (; status == GBCAST_OK && a->site_count < plan->site_count; a->site_count++) {
    status = make_site(plan, &plan->site[a->site_count], &a->site[a->site_count], err);
  }
  a->bytes = plan->class_bytes;
  a->forced = a->sync.sync != NULL;
  if (status == GBCAST_OK && a->forced) {
    status = gb_alltoall_fits(a, a->sync, err);
  }
  if (status == GBCAST_OK) {
    status = gb_transfers_make(plan, a, err);
  }
  if (status != GBCAST_OK) {
    return status;
  }
  gb_alltoall_rate(a);
  a->sync = a->forced ? gb_alltoall_with_group(a, a->sync, plan->class_bytes)
                      : gb_alltoall_choose(a, plan->class_bytes);
  plan->native = a->sync.sync->native;
  plan->predicted = gb_alltoall_time(a, a->sync, plan->bytes);
  return GBCAST_OK;
}

static int check_site(const gb_alltoall_site *site, gbcast_error *err) {
  for (size_t i = 0; i < site->order.count; i++) {
    const gb_dependence *d = &site->order.dependence[i];
    if (d->after >= site->phases.message_count || d->before >= d->after ||
        site->phases.phase[d->before] >= site->phases.phase[d->after]) {
      return gb_fail(err, GBCAST_EINPUT, "message %u waits for %u, which is not in an earlier phase",
                     d->after, d->before);
    }
  }
  return gb_phases_check(&site->machines, &site->phases, err);
}

int gb_alltoall_check(const gb_alltoall *a, gbcast_error *err) {
  int status = GBCAST_OK;
  for (uint32_t s = 0; status == GBCAST_OK && s < a->site_count; s++) {
    status = check_site(&a->site[s], err);
  }
  return status == GBCAST_OK && a->site_count > 1 ? gb_transfers_check(a, err) : status;
}

static void free_site(gb_alltoall_site *site) {
  gb_dependences_free(&site->order);
  gb_phases_free(&site->phases);
  gb_machines_free(&site->machines);
  free(site->ranks);
  free(site->host);
}

void gb_alltoall_free(gb_alltoall *a) {
  if (a != NULL) {
    for (uint32_t s = 0; s < a->site_count; s++) {
      free_site(&a->site[s]);
    }
    free(a->site);
    gb_transfers_free(&a->transfers);
    free(a);
  }
}
