/* A saved plan is bound to a platform: who takes part, what is done in the sites, and the whole. */
#include "plan/api/bind.h"
#include "intra/intra.h"
#include "plan/alltoall/alltoall.h"
#include "plan/core/core.h"
#include "plan/search/search.h"

#include "inter/inter.h"
#include "plan/api/api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The names of algorithms as the tables have them; "none" where this version has none of that name. */
static const char *inter_of(const char *name) {
  const size_t i = gb_inter_find(name);
  const enum gb_exchange_kind exchange = gb_exchange_find(name);
  if (exchange != GB_UP_AND_DOWN)
    return gb_exchange_name(exchange);
  return i < gb_inter_count ? gb_inter_table[i].name : "none";
}

static const char *intra_of(const char *name, enum gbcast_operation operation) {
  const size_t i = gb_intra_find(name, gb_carries_blocks(operation));
  return i < gb_intra_count ? gb_intra_table[i].name : "none";
}

static const char *node_of(const char *name) {
  size_t i = 0;
  while (name != NULL && i < gb_node_count && strcmp(gb_node_table[i].name, name) != 0)
    i++;
  return gb_node_table[i < gb_node_count ? i : 0].name;
}

/* What the file says of a site. Where the hosts file groups hosts in other clusters by now, the trees are the
 * same, and the leader is the hosts file's. */
static int read_site(const gb_binding *at, uint32_t number) {
  gbcast_plan *plan = at->plan;
  gb_site *site = &plan->site[number];
  const char *name = plan->platform->cluster[site->cluster].name;
  const gb_saved_cluster *c = NULL;
  for (uint32_t i = 0; i < at->saved->cluster_count; i++)
    if (strcmp(at->saved->cluster[i].name, name) == 0)
      c = &at->saved->cluster[i];
  site->intra = "none";
  site->node = gb_node_table[0].name;
  for (uint32_t lane = 0; lane < plan->lanes; lane++) {
    uint32_t *leader = &plan->leaders[(size_t)lane * plan->site_count + number], e = GB_NONE;
    *leader = site->leader;
    if (c != NULL && lane < c->lane_count) {
      int status = gb_bind_endpoint(at, c->where, &c->lane[lane], &e);
      if (status != GBCAST_OK)
        return status;
    }
    if (e >= site->first_endpoint && e < site->first_endpoint + site->endpoint_count)
      *leader = e;
  }
  if (c != NULL) {
    site->label = c->label;
    site->intra = intra_of(c->algorithm, plan->operation);
    site->node = node_of(c->node);
  }
  return GBCAST_OK;
}

static int read_sites(const gb_binding *at) {
  gbcast_plan *plan = at->plan;
  plan->leaders = malloc((size_t)plan->lanes * plan->site_count * sizeof *plan->leaders);
  int status = plan->leaders != NULL ? GBCAST_OK : gb_no_memory(at->err);
  for (uint32_t s = 0; status == GBCAST_OK && s < plan->site_count; s++)
    status = read_site(at, s);
  return status;
}

static int read_candidates(const gb_binding *at) {
  gbcast_plan *plan = at->plan;
  const gb_saved *s = at->saved;
  plan->candidate = calloc((size_t)s->candidate_count + 1, sizeof *plan->candidate);
  if (plan->candidate == NULL)
    return gb_no_memory(at->err);
  plan->candidate_count = s->candidate_count;
  for (uint32_t i = 0; i < s->candidate_count; i++) {
    const gb_saved_candidate *c = &s->candidate[i];
    plan->candidate[i] = (gb_candidate){
        .lanes = (uint32_t)c->lanes,
        .inter = inter_of(c->inter),
        .intra = strcmp(c->intra, "mixed") == 0 ? "mixed" : intra_of(c->intra, plan->operation),
        .segment = c->segment,
        .predicted = c->predicted,
        .terms = c->terms,
        .cost = c->cost};
  }
  return GBCAST_OK;
}

static int fill(gb_binding *at, const uint32_t *ranks) {
  const gb_saved *s = at->saved;
  gbcast_plan *plan = at->plan;
  gb_job job = {.ranks = ranks};
  int status = gb_bind_host(at, s->root_where, s->root.host, &job.root_host);
  if (status == GBCAST_OK && s->root.k >= ranks[job.root_host])
    status = gb_json_fail(&s->document, s->root_where, at->err,
                          "found the root '%s#%llu', expected a rank of the job, which has %u on that host",
                          s->root.host, (unsigned long long)s->root.k, ranks[job.root_host]);
  job.root_k = (uint32_t)s->root.k;
  if (status == GBCAST_OK)
    status = gb_layout(plan, &job, at->err);
  if (status != GBCAST_OK)
    return status;
  at->first = malloc(plan->platform->host_count * sizeof *at->first);
  if (at->first == NULL)
    return gb_no_memory(at->err);
  for (uint32_t h = 0; h < plan->platform->host_count; h++)
    at->first[h] = GB_NONE;
  for (uint32_t e = plan->schedule.endpoint_count; e-- > 0;)
    at->first[plan->schedule.endpoint[e].host] = e;
  status = gb_bind_trees(at);
  if (status == GBCAST_OK)
    status = read_sites(at);
  return status == GBCAST_OK ? read_candidates(at) : status;
}

/* What a file must have for its plan to be run. */
static int check_saved(const gb_saved *s, gbcast_error *err) {
  if (s->operation == GBCAST_ALLTOALL)
    return gb_json_fail(&s->document, gb_file_start, err,
                        "found an all-to-all, which is not read back; expected an operation with trees");
  if (s->missing != NULL)
    return gb_json_fail(
        &s->document, gb_file_start, err,
        "found no \"%s\", without which a plan cannot be run: print it anew with this version", s->missing);
  return GBCAST_OK;
}

int gb_saved_bind(const gb_saved *saved, const gbcast_platform *p, const uint32_t *ranks, gbcast_plan **out,
                  gbcast_error *err) {
  int status = check_saved(saved, err);
  if (status != GBCAST_OK)
    return status;
  gbcast_plan *plan = calloc(1, sizeof *plan);
  if (plan == NULL)
    return gb_no_memory(err);
  *plan = (gbcast_plan){.operation = saved->operation,
                        .bytes = saved->bytes,
                        .class_bytes = gb_size_class(saved->bytes),
                        .inter = inter_of(saved->inter),
                        .lanes = (uint32_t)saved->lanes,
                        .rendezvous = saved->rendezvous,
                        .native = saved->native,
                        .schedule.pace = saved->pace,
                        .schedule.exchange = gb_way_of(saved->operation) == GB_WAY_BOTH
                                                 ? gb_exchange_find(saved->inter)
                                                 : GB_UP_AND_DOWN,
                        .predicted = saved->predicted,
                        .bound = saved->bound,
                        .cost_bound = NAN};
  gb_binding at = {.saved = saved, .plan = plan, .err = err};
  status = gb_plan_set_platform(plan, p, err);
  if (status == GBCAST_OK)
    status = fill(&at, ranks);
  if (status == GBCAST_OK)
    status = gb_plan_set_cost(plan, err);
  free(at.first);
  gbcast_error why = {""};
  if (status == GBCAST_OK && (status = gbcast_plan_check(plan, &why)) == GBCAST_EINPUT)
    status = gb_json_fail(&saved->document, gb_file_start, err, "%s", why.message);
  else if (why.message[0] != '\0')
    (void)gb_no_memory(err);
  if (status == GBCAST_OK) {
    plan->decision = gb_plan_hash_decision(plan);
    plan->hash = gb_plan_hash_for(plan, plan->bytes);
    *out = plan;
  } else {
    gbcast_plan_free(plan);
  }
  return status;
}

int gb_saved_run(const gb_saved *saved, const gbcast_platform *p, const uint32_t *ranks, uint64_t bytes,
                 gbcast_plan **out, gbcast_error *err) {
  gbcast_plan *plan = NULL;
  int status = gb_saved_bind(saved, p, ranks, &plan, err);
  if (status != GBCAST_OK)
    return status;
  plan->bytes = bytes;
  plan->hash = gb_plan_hash_for(plan, bytes);
  plan->predicted_then = saved->predicted;
  plan->hash_then = saved->hash;
  plan->file = strdup(saved->document.file);
  status = plan->file != NULL ? GBCAST_OK : gb_no_memory(err);
  gbcast_error why = {""};
  if (status == GBCAST_OK)
    status = gb_plan_retime(plan, &why);
  if (status == GBCAST_EINPUT || status == GBCAST_EUSAGE)
    status = gb_json_fail(&saved->document, gb_file_start, err, "%s", why.message);
  else if (status != GBCAST_OK)
    (void)gb_no_memory(err);
  if (status == GBCAST_OK)
    *out = plan;
  else
    gbcast_plan_free(plan);
  return status;
}
