/* The plan of an all-to-all as JSON, schema gbcast-plan/1 (gbcast-plan(1)). */
#include "plan/show/print_alltoall.h"

#include <stdlib.h>

/* The object stays open. */
static gb_json_object begin_message(const gb_alltoall_site *site, uint32_t from, uint32_t to, FILE *out) {
  gb_json_object o = gb_json_begin(out);
  gb_json_string(&o, "from", gb_alltoall_host_name(site, from));
  gb_json_string(&o, "to", gb_alltoall_host_name(site, to));
  return o;
}

/* The messages of one site in a phase; returns what goes before the next. */
static const char *phase(const gb_alltoall_site *site, uint32_t p, const char *before, FILE *out) {
  for (uint32_t k = site->phases.start[p]; k < site->phases.start[p + 1]; k++) {
    const gb_message *message = &site->phases.message[k];
    fputs(before, out);
    gb_json_object o = begin_message(site, message->from, message->to, out);
    gb_json_string(&o, "scope", gb_alltoall_is_local(site, message) ? "local" : "global");
    gb_json_end(&o);
    before = ", ";
  }
  return before;
}

static void phases(gb_json_object *all, const gb_alltoall *a) {
  FILE *out = all->out;
  const uint32_t count = gb_alltoall_longest(a)->phases.count;
  gb_json_key(all, "phases");
  putc('[', out);
  for (uint32_t p = 0; p < count; p++) {
    const char *before = " ";
    fputs(p == 0 ? "\n    [" : ",\n    [", out);
    for (uint32_t s = 0; s < a->site_count; s++) {
      before = p < a->site[s].phases.count ? phase(&a->site[s], p, before, out) : before;
    }
    fputs(" ]", out);
  }
  fputs("\n  ]", out);
}

/* From the host that signals to the one that waits. */
static void synchronisation(const gb_alltoall_site *site, const gb_dependence *d, bool sender, FILE *out) {
  const gb_message *earlier = &site->phases.message[d->before];
  gb_json_object o = gb_json_begin(out);
  gb_json_integer(&o, "from_phase", site->phases.phase[d->before]);
  gb_json_integer(&o, "to_phase", site->phases.phase[d->after]);
  gb_json_string(&o, "from", gb_alltoall_host_name(site, sender ? earlier->from : earlier->to));
  gb_json_string(&o, "to", gb_alltoall_host_name(site, site->phases.message[d->after].from));
  gb_json_end(&o);
}

static void synchronisations(gb_json_object *all, const gb_alltoall *a) {
  const char *before = "\n    ";
  FILE *out = all->out;
  gb_json_key(all, "synchronisations");
  putc('[', out);
  for (uint32_t s = 0; s < a->site_count; s++) {
    const gb_alltoall_site *site = &a->site[s];
    for (size_t i = 0; i < site->order.count; i++) {
      const gb_dependence *d = &site->order.dependence[i];
      if (gb_alltoall_needs_signal(site, a->sync, d)) {
        fputs(before, out);
        synchronisation(site, d, a->sync.sync->signaller == GB_SIGNALLER_SENDER, out);
        before = ",\n    ";
      }
    }
  }
  fputs("\n  ]", out);
}

/* Phase after phase. */
static int dummies(gb_json_object *all, const gb_alltoall *a) {
  FILE *out = all->out;
  const uint32_t count = gb_alltoall_longest(a)->phases.count;
  gb_message *message = malloc(GB_ALLTOALL_MACHINES * sizeof *message);
  bool *busy = calloc(GB_ALLTOALL_MACHINES, 2 * sizeof *busy);
  const int rc = message != NULL && busy != NULL ? GBCAST_OK : GBCAST_EMEMORY;
  gb_json_key(all, "dummies");
  putc('[', out);
  for (uint32_t p = 0; rc == GBCAST_OK && p < count; p++) {
    const char *before = " ";
    fputs(p == 0 ? "\n    [" : ",\n    [", out);
    for (uint32_t s = 0; s < a->site_count; s++) {
      const gb_alltoall_site *site = &a->site[s];
      const uint32_t idle = p < site->phases.count ? gb_alltoall_dummies(site, p, busy, message) : 0;
      for (uint32_t i = 0; i < idle; i++) {
        fputs(before, out);
        const gb_json_object o = begin_message(site, message[i].from, message[i].to, out);
        gb_json_end(&o);
        before = ", ";
      }
    }
    fputs(" ]", out);
  }
  fputs("\n  ]", out);
  free(message);
  free(busy);
  return rc;
}

int gb_print_alltoall_json(const gbcast_plan *plan, FILE *out) {
  const gb_alltoall *a = plan->alltoall;
  const gb_alltoall_site *longest = gb_alltoall_longest(a);
  const gb_sync *sync = a->sync.sync;
  gb_json_object o = gb_json_begin(out);
  o.separator = ",\n  ";
  gb_json_string(&o, "schema", "gbcast-plan/1");
  gb_json_string(&o, "operation", "alltoall");
  gb_json_integer(&o, "message_bytes", plan->bytes);
  gb_json_string(&o, "algorithm", gb_sync_in_phases(sync) && !plan->native ? "phases" : sync->name);
  if (sync->paced) { /* sender-all's signals, but sent when a message begins */
    gb_json_string(&o, "sync", "sender-all");
    gb_json_number(&o, "pace_seconds", gb_alltoall_pace(longest, plan->bytes));
  } else {
    gb_json_string(&o, "sync", gb_text_sync(a->sync).s);
  }
  gb_json_integer(&o, "load", longest->phases.count);
  gb_json_string(&o, "root_switch", gb_alltoall_root(longest));
  phases(&o, a);
  synchronisations(&o, a);
  const int rc = sync->dummies ? dummies(&o, a) : GBCAST_OK;
  if (a->site_count > 1) {
    gb_print_transfers_json(&o, plan);
  }
  gb_json_number(&o, "peak_throughput_bytes_per_second", a->peak);
  gb_json_number(&o, "predicted_seconds", plan->predicted);
  gb_json_number(&o, "lower_bound_seconds", plan->bound);
  gb_json_cost(&o, plan->cost.egress, plan->cost.hire);
  gb_json_hash(&o, "hash", plan->hash);
  fputs("\n}\n", out);
  return rc;
}
