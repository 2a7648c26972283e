/* An all-to-all as Chrome trace events. A process is a cluster; its threads are its hosts, with what they
 * send inside it, and the tracks of what goes to other clusters:
 *
 *   ottawa  n0       |to n3==|to n1==|to n2==|
 *           track 1  |to lyon=================|to nice====|
 *
 * Phases are taken to be equally long. Without phases a host's sends, or those of a step, are one slice. */
#include "plan/show/print.h"
#include "plan/show/trace.h"

#include <stdio.h>

static void name_threads(gb_trace *trace, const gbcast_plan *plan, uint32_t s) {
  const gb_alltoall *a = plan->alltoall;
  const uint32_t hosts = a->site[s].machines.count, tracks = a->site_count > 1 ? a->transfers.tracks[s] : 1;
  gb_trace_process(trace, s + 1, gb_plan_site_name(plan, s));
  for (uint32_t m = 0; m < hosts; m++)
    gb_trace_thread(trace, s + 1, m + 1, gb_alltoall_host_name(&a->site[s], m), "");
  for (uint32_t track = 1; track < tracks; track++)
    gb_trace_thread(trace, s + 1, hosts + track, "to other clusters, track ", gb_text_whole(track).s);
}

static void put_phases(gb_trace *trace, const gb_alltoall_site *site, uint32_t s, double time) {
  const double length = time / site->phases.count;
  for (uint32_t k = 0; k < site->phases.message_count; k++) {
    const gb_message *m = &site->phases.message[k];
    const uint32_t phase = site->phases.phase[k];
    const char *scope = gb_alltoall_is_local(site, m) ? "local" : "global";
    gb_json_object o = gb_trace_slice(trace, s + 1, m->from + 1, phase * length, (phase + 1) * length, scope);
    gb_json_texts(&o, "name", "to ", gb_alltoall_host_name(site, m->to), NULL);
    gb_json_object args = gb_json_begin_object(&o, "args");
    gb_json_string(&args, "from", gb_alltoall_host_name(site, m->from));
    gb_json_string(&args, "to", gb_alltoall_host_name(site, m->to));
    gb_json_integer(&args, "phase", phase);
    gb_json_string(&args, "scope", scope);
    gb_json_end(&args);
    gb_json_end(&o);
  }
}

/* The same of each host. */
static void put_step(gb_trace *trace, const gb_alltoall_site *site, uint32_t s, double start, double end,
                     const char *name) {
  for (uint32_t m = 0; m < site->machines.count; m++) {
    gb_json_object o = gb_trace_slice(trace, s + 1, m + 1, start, end, "local");
    gb_json_string(&o, "name", name);
    gb_json_end(&o);
  }
}

static void put_inside(gb_trace *trace, const gbcast_plan *plan, uint32_t s) {
  const gb_alltoall *a = plan->alltoall;
  const gb_alltoall_site *site = &a->site[s];
  const double time = gb_alltoall_site_time(site, a->sync, plan->bytes);
  if (plan->native || a->sync.sync->native) {
    put_step(trace, site, s, 0, time, "MPI's own");
  } else if (a->sync.sync->groups) {
    const double first = gb_alltoall_step_time(site, a->sync.block, plan->bytes, true);
    put_step(trace, site, s, 0, first, "to all of the group");
    put_step(trace, site, s, first, time, "to one of each other group");
  } else if (a->sync.sync->at_once) {
    put_step(trace, site, s, 0, time, "to all at once");
  } else if (site->phases.count > 0) {
    put_phases(trace, site, s, time);
  }
}

static void put_transfers(gb_trace *trace, const gbcast_plan *plan) {
  const gb_alltoall *a = plan->alltoall;
  for (uint32_t w = 0; w < a->transfers.count; w++) {
    const gb_site_transfer *transfer = &a->transfers.transfer[w];
    const char *to = gb_plan_site_name(plan, transfer->to);
    gb_json_object o =
        gb_trace_slice(trace, transfer->from + 1, a->site[transfer->from].machines.count + transfer->track,
                       gb_transfer_start(&a->transfers, transfer, plan->bytes),
                       gb_transfer_arrival(&a->transfers, transfer, plan->bytes), "wan");
    gb_json_texts(&o, "name", "to ", to, NULL);
    gb_json_object args = gb_json_begin_object(&o, "args");
    gb_json_string(&args, "from_cluster", gb_plan_site_name(plan, transfer->from));
    gb_json_string(&args, "to_cluster", to);
    gb_json_integer(&args, "lanes", transfer->lanes);
    gb_json_integer(&args, "track", transfer->track);
    gb_json_end(&args);
    gb_json_end(&o);
  }
}

int gb_print_alltoall_trace(const gbcast_plan *plan, FILE *out) {
  gb_trace trace;
  gb_trace_begin(&trace, plan, out);
  for (uint32_t s = 0; s < plan->site_count; s++)
    name_threads(&trace, plan, s);
  for (uint32_t s = 0; s < plan->site_count; s++)
    put_inside(&trace, plan, s);
  put_transfers(&trace, plan);
  gb_trace_end(&trace);
  return GBCAST_OK;
}
