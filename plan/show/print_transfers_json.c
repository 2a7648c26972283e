/* The clusters of an all-to-all and what they send to each other, as JSON. */
#include "plan/show/print_alltoall.h"

static void clusters(gb_json_object *all, const gbcast_plan *plan) {
  const gb_alltoall *a = plan->alltoall;
  FILE *out = all->out;
  gb_json_key(all, "clusters");
  putc('[', out);
  for (uint32_t s = 0; s < a->site_count; s++) {
    const gb_alltoall_site *site = &a->site[s];
    fputs(s == 0 ? "\n    " : ",\n    ", out);
    gb_json_object o = gb_json_begin(out);
    gb_json_string(&o, "name", gb_plan_site_name(plan, s));
    gb_json_integer(&o, "hosts", site->machines.count);
    gb_json_integer(&o, "phases", site->phases.count);
    gb_json_string(&o, "root_switch", gb_alltoall_root(site));
    gb_json_number(&o, "predicted_seconds", gb_alltoall_site_time(site, a->sync, plan->bytes));
    gb_json_end(&o);
  }
  fputs("\n  ]", out);
}

/* The hosts of a lane in the order of their slots, each with its first receiver and how many it sends to. */
static void lane(const gb_alltoall *a, const gb_site_transfer *transfer, uint32_t l, FILE *out) {
  const gb_alltoall_site *to = &a->site[transfer->to];
  for (uint32_t i = transfer->lane[l]; i < transfer->lane[l + 1]; i++) {
    const gb_lane_slot *slot = &transfer->slot[i];
    fputs(i == transfer->lane[l] ? "\n      [ " : ", ", out);
    gb_json_object o = gb_json_begin(out);
    gb_json_string(&o, "from", gb_alltoall_host_name(&a->site[transfer->from], slot->machine));
    gb_json_string(&o, "first_to", gb_alltoall_host_name(to, slot->first));
    gb_json_integer(&o, "messages", slot->count);
    gb_json_end(&o);
  }
  fputs(" ]", out);
}

static void print_transfer(const gbcast_plan *plan, const gb_site_transfer *t, FILE *out) {
  const gb_alltoall *a = plan->alltoall;
  gb_json_object o = gb_json_begin(out);
  gb_json_string(&o, "from_cluster", gb_plan_site_name(plan, t->from));
  gb_json_string(&o, "to_cluster", gb_plan_site_name(plan, t->to));
  gb_json_integer(&o, "lanes", t->lanes);
  gb_json_integer(&o, "track", t->track);
  gb_json_integer(&o, "tells_early", t->early);
  gb_json_integer(&o, "sends_ahead", t->ahead);
  gb_json_number(&o, "bytes", t->pairs * (double)plan->bytes);
  gb_json_number(&o, "start_seconds", gb_transfer_start(&a->transfers, t, plan->bytes));
  gb_json_number(&o, "arrival_seconds", gb_transfer_arrival(&a->transfers, t, plan->bytes));
  fputs(",\n      \"turns\": [", out);
  for (uint32_t l = 0; l < t->lanes; l++) {
    fputs(l == 0 ? "" : ",", out);
    lane(a, t, l, out);
  }
  fputs(" ]", out);
  gb_json_end(&o);
}

void gb_print_transfers_json(gb_json_object *all, const gbcast_plan *plan) {
  const gb_site_transfers *transfers = &plan->alltoall->transfers;
  FILE *out = all->out;
  clusters(all, plan);
  gb_json_key(all, "wan");
  putc('[', out);
  for (uint32_t w = 0; w < transfers->count; w++) {
    fputs(w == 0 ? "\n    " : ",\n    ", out);
    print_transfer(plan, &transfers->transfer[w], out);
  }
  fputs("\n  ]", out);
}
