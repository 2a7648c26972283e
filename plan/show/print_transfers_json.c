/* The clusters of an all-to-all and what they send to each other, as JSON. */
#include "plan/show/json.h"
#include "plan/show/print_alltoall.h"

static void cluster(const char *key, const gbcast_plan *plan, uint32_t site, FILE *out) {
  gb_json_string(key, gb_plan_site_name(plan, site), out);
}

static void clusters(const gbcast_plan *plan, FILE *out) {
  const gb_alltoall *a = plan->alltoall;
  fputs(",\n  \"clusters\": [", out);
  for (uint32_t s = 0; s < a->site_count; s++) {
    const gb_alltoall_site *site = &a->site[s];
    fputs(s == 0 ? "\n    { " : ",\n    { ", out);
    cluster("name", plan, s, out);
    fputs(", ", out);
    gb_json_integer("hosts", site->machines.count, out);
    fputs(", ", out);
    gb_json_integer("phases", site->phases.count, out);
    fputs(", ", out);
    gb_json_string("root_switch", gb_alltoall_root(site), out);
    fputs(", ", out);
    gb_json_number("predicted_seconds", gb_alltoall_site_time(site, a->sync, plan->bytes), out);
    fputs(" }", out);
  }
  fputs("\n  ]", out);
}

/* The hosts of a lane in the order of their slots, each with its first receiver and how many it sends to. */
static void lane(const gb_alltoall *a, const gb_site_transfer *transfer, uint32_t l, FILE *out) {
  const gb_alltoall_site *to = &a->site[transfer->to];
  for (uint32_t i = transfer->lane[l]; i < transfer->lane[l + 1]; i++) {
    const gb_lane_slot *slot = &transfer->slot[i];
    fputs(i == transfer->lane[l] ? "\n      [ { " : ", { ", out);
    gb_json_string("from", gb_alltoall_host_name(&a->site[transfer->from], slot->machine), out);
    fputs(", ", out);
    gb_json_string("first_to", gb_alltoall_host_name(to, slot->first), out);
    fputs(", ", out);
    gb_json_integer("messages", slot->count, out);
    fputs(" }", out);
  }
  fputs(" ]", out);
}

static void transfer(const gbcast_plan *plan, const gb_site_transfer *w, FILE *out) {
  const gb_alltoall *a = plan->alltoall;
  const gb_site_transfers *transfers = &a->transfers;
  cluster("from_cluster", plan, w->from, out);
  fputs(", ", out);
  cluster("to_cluster", plan, w->to, out);
  fputs(", ", out);
  gb_json_integer("lanes", w->lanes, out);
  fputs(", ", out);
  gb_json_integer("track", w->track, out);
  fputs(", ", out);
  gb_json_integer("tells_early", w->early, out);
  fputs(", ", out);
  gb_json_integer("sends_ahead", w->ahead, out);
  fputs(", ", out);
  gb_json_number("bytes", w->pairs * (double)plan->bytes, out);
  fputs(", ", out);
  gb_json_number("start_seconds", gb_transfer_start(transfers, w, plan->bytes), out);
  fputs(", ", out);
  gb_json_number("arrival_seconds", gb_transfer_arrival(transfers, w, plan->bytes), out);
  fputs(",\n      \"turns\": [", out);
  for (uint32_t l = 0; l < w->lanes; l++) {
    fputs(l == 0 ? "" : ",", out);
    lane(a, w, l, out);
  }
  fputs(" ]", out);
}

void gb_print_transfers_json(const gbcast_plan *plan, FILE *out) {
  const gb_site_transfers *transfers = &plan->alltoall->transfers;
  clusters(plan, out);
  fputs(",\n  \"wan\": [", out);
  for (uint32_t w = 0; w < transfers->count; w++) {
    fputs(w == 0 ? "\n    { " : ",\n    { ", out);
    transfer(plan, &transfers->transfer[w], out);
    fputs(" }", out);
  }
  fputs("\n  ]", out);
}
