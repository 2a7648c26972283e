/* The plan of an all-to-all as JSON, schema gbcast-plan/1 (gbcast-plan(1)). */
#include "plan/show/print.h"

#include <stdlib.h>

/* The site with most phases. */
static const gb_alltoall_site *longest_of(const gb_alltoall *a) {
  const gb_alltoall_site *longest = a->site;
  for (uint32_t s = 1; s < a->site_count; s++)
    longest = a->site[s].phases.count > longest->phases.count ? &a->site[s] : longest;
  return longest;
}

/* The object stays open. */
static gb_json_object begin_message(gb_json_object *list, const gb_alltoall_site *site, uint32_t from,
                                    uint32_t to) {
  gb_json_object o = gb_json_begin_object(list, NULL);
  gb_json_string(&o, "from", gb_alltoall_host_name(site, from));
  gb_json_string(&o, "to", gb_alltoall_host_name(site, to));
  return o;
}

/* The messages of one site in a phase. */
static void print_phase(gb_json_object *list, const gb_alltoall_site *site, uint32_t p) {
  for (uint32_t k = site->phases.start[p]; k < site->phases.start[p + 1]; k++) {
    const gb_message *message = &site->phases.message[k];
    gb_json_object o = begin_message(list, site, message->from, message->to);
    gb_json_string(&o, "scope", gb_alltoall_is_local(site, message) ? "local" : "global");
    gb_json_end(&o);
  }
}

static void print_phases(gb_json_object *document, const gb_alltoall *a) {
  const uint32_t count = longest_of(a)->phases.count;
  gb_json_object list = gb_json_begin_list(document, "phases", GB_JSON_LINES);
  for (uint32_t p = 0; p < count; p++) {
    gb_json_object phase = gb_json_begin_list(&list, NULL, GB_JSON_WIDE);
    for (uint32_t s = 0; s < a->site_count; s++)
      if (p < a->site[s].phases.count)
        print_phase(&phase, &a->site[s], p);
    gb_json_end(&phase);
  }
  gb_json_end(&list);
}

/* From the host that signals to the one that waits. */
static void print_signal(gb_json_object *list, const gb_alltoall_site *site, const gb_dependence *d,
                         bool sender) {
  const gb_message *earlier = &site->phases.message[d->before];
  gb_json_object o = gb_json_begin_object(list, NULL);
  gb_json_integer(&o, "from_phase", site->phases.phase[d->before]);
  gb_json_integer(&o, "to_phase", site->phases.phase[d->after]);
  gb_json_string(&o, "from", gb_alltoall_host_name(site, sender ? earlier->from : earlier->to));
  gb_json_string(&o, "to", gb_alltoall_host_name(site, site->phases.message[d->after].from));
  gb_json_end(&o);
}

static void print_signals(gb_json_object *document, const gb_alltoall *a) {
  gb_json_object list = gb_json_begin_list(document, "synchronisations", GB_JSON_LINES);
  for (uint32_t s = 0; s < a->site_count; s++) {
    const gb_alltoall_site *site = &a->site[s];
    for (size_t i = 0; i < site->order.count; i++)
      if (gb_alltoall_needs_signal(site, a->sync, &site->order.dependence[i]))
        print_signal(&list, site, &site->order.dependence[i], a->sync.sync->signaller == GB_SIGNALLER_SENDER);
  }
  gb_json_end(&list);
}

/* Phase after phase. */
static int print_dummies(gb_json_object *document, const gb_alltoall *a) {
  const uint32_t count = longest_of(a)->phases.count;
  gb_message *message = malloc(GB_ALLTOALL_MACHINES * sizeof *message);
  bool *busy = calloc(GB_ALLTOALL_MACHINES, 2 * sizeof *busy);
  const int rc = message != NULL && busy != NULL ? GBCAST_OK : GBCAST_EMEMORY;
  gb_json_object list = gb_json_begin_list(document, "dummies", GB_JSON_LINES);
  for (uint32_t p = 0; rc == GBCAST_OK && p < count; p++) {
    gb_json_object phase = gb_json_begin_list(&list, NULL, GB_JSON_WIDE);
    for (uint32_t s = 0; s < a->site_count; s++) {
      const gb_alltoall_site *site = &a->site[s];
      const uint32_t idle = p < site->phases.count ? gb_alltoall_dummies(site, p, busy, message) : 0;
      for (uint32_t i = 0; i < idle; i++) {
        const gb_json_object o = begin_message(&phase, site, message[i].from, message[i].to);
        gb_json_end(&o);
      }
    }
    gb_json_end(&phase);
  }
  gb_json_end(&list);
  free(message);
  free(busy);
  return rc;
}

static void print_clusters(gb_json_object *document, const gbcast_plan *plan) {
  const gb_alltoall *a = plan->alltoall;
  gb_json_object list = gb_json_begin_list(document, "clusters", GB_JSON_LINES);
  for (uint32_t s = 0; s < a->site_count; s++) {
    const gb_alltoall_site *site = &a->site[s];
    gb_json_object o = gb_json_begin_object(&list, NULL);
    gb_json_string(&o, "name", gb_plan_site_name(plan, s));
    gb_json_integer(&o, "hosts", site->machines.count);
    gb_json_integer(&o, "phases", site->phases.count);
    gb_json_string(&o, "root_switch", gb_alltoall_root(site));
    gb_json_number(&o, "predicted_seconds", gb_alltoall_site_time(site, a->sync, plan->bytes));
    gb_json_end(&o);
  }
  gb_json_end(&list);
}

/* The hosts of a lane in the order of their slots, each with its first receiver and how many it sends to. */
static void print_lane(gb_json_object *lanes, const gb_alltoall *a, const gb_site_transfer *transfer,
                       uint32_t l) {
  gb_json_object list = gb_json_begin_list(lanes, NULL, GB_JSON_WIDE);
  for (uint32_t i = transfer->lane[l]; i < transfer->lane[l + 1]; i++) {
    const gb_lane_slot *slot = &transfer->slot[i];
    gb_json_object o = gb_json_begin_object(&list, NULL);
    gb_json_string(&o, "from", gb_alltoall_host_name(&a->site[transfer->from], slot->machine));
    gb_json_string(&o, "first_to", gb_alltoall_host_name(&a->site[transfer->to], slot->first));
    gb_json_integer(&o, "messages", slot->count);
    gb_json_end(&o);
  }
  gb_json_end(&list);
}

static void print_transfer(gb_json_object *list, const gbcast_plan *plan, const gb_site_transfer *t) {
  const gb_alltoall *a = plan->alltoall;
  gb_json_object o = gb_json_begin_object(list, NULL);
  gb_json_string(&o, "from_cluster", gb_plan_site_name(plan, t->from));
  gb_json_string(&o, "to_cluster", gb_plan_site_name(plan, t->to));
  gb_json_integer(&o, "lanes", t->lanes);
  gb_json_integer(&o, "track", t->track);
  gb_json_integer(&o, "tells_early", t->early);
  gb_json_integer(&o, "sends_ahead", t->ahead);
  gb_json_number(&o, "bytes", t->pairs * (double)plan->bytes);
  gb_json_number(&o, "start_seconds", gb_transfer_start(&a->transfers, t, plan->bytes));
  gb_json_number(&o, "arrival_seconds", gb_transfer_arrival(&a->transfers, t, plan->bytes));
  o.separator = ",\n      ";
  gb_json_object lanes = gb_json_begin_list(&o, "turns", GB_JSON_INNER_BLOCK);
  for (uint32_t l = 0; l < t->lanes; l++)
    print_lane(&lanes, a, t, l);
  gb_json_end(&lanes);
  gb_json_end(&o);
}

static void print_transfers(gb_json_object *document, const gbcast_plan *plan) {
  const gb_site_transfers *transfers = &plan->alltoall->transfers;
  gb_json_object list = gb_json_begin_list(document, "wan", GB_JSON_LINES);
  for (uint32_t w = 0; w < transfers->count; w++)
    print_transfer(&list, plan, &transfers->transfer[w]);
  gb_json_end(&list);
}

int gb_print_alltoall_json(const gbcast_plan *plan, FILE *out) {
  const gb_alltoall *a = plan->alltoall;
  const gb_alltoall_site *longest = longest_of(a);
  const gb_sync *sync = a->sync.sync;
  gb_json_object o = gb_json_begin_document(out);
  gb_json_string(&o, "schema", "gbcast-plan/1");
  gb_json_string(&o, "operation", "alltoall");
  gb_json_integer(&o, "message_bytes", plan->bytes);
  gb_json_string(&o, "algorithm", gb_sync_in_phases(sync) && !plan->native ? "phases" : sync->name);
  gb_json_string(&o, "sync", sync->paced ? "sender-all" : gb_text_sync(a->sync).s);
  if (sync->paced) /* those signals, but sent when a message begins */
    gb_json_number(&o, "pace_seconds", gb_alltoall_pace(longest, plan->bytes));
  gb_json_integer(&o, "load", longest->phases.count);
  gb_json_string(&o, "root_switch", gb_alltoall_root(longest));
  print_phases(&o, a);
  print_signals(&o, a);
  const int rc = sync->dummies ? print_dummies(&o, a) : GBCAST_OK;
  if (a->site_count > 1) {
    print_clusters(&o, plan);
    print_transfers(&o, plan);
  }
  gb_json_number(&o, "peak_throughput_bytes_per_second", a->peak);
  gb_json_number(&o, "predicted_seconds", plan->predicted);
  gb_json_number(&o, "lower_bound_seconds", plan->bound);
  gb_json_cost(&o, plan->cost.egress, plan->cost.hire);
  gb_json_hash(&o, "hash", plan->hash);
  gb_json_end(&o);
  return rc;
}
