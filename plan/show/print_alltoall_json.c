/* The plan of an all-to-all as JSON, schema gbcast-plan/1 (contract, section 3). */
#include "plan/show/json.h"
#include "plan/show/print_alltoall.h"

#include <inttypes.h>
#include <stdlib.h>

static void host(const char *key, const gb_alltoall_site *site, uint32_t machine, FILE *out) {
  gb_json_string(key, gb_alltoall_host_name(site, machine), out);
}

static void ends(const gb_alltoall_site *site, const gb_message *message, FILE *out) {
  host("from", site, message->from, out);
  fputs(", ", out);
  host("to", site, message->to, out);
}

/* Those of one site in a phase; returns what goes before the next. */
static const char *phase(const gb_alltoall_site *site, uint32_t p, const char *before, FILE *out) {
  for (uint32_t k = site->phases.start[p]; k < site->phases.start[p + 1]; k++) {
    const gb_message *message = &site->phases.message[k];
    fputs(before, out);
    ends(site, message, out);
    fprintf(out, ", \"scope\": \"%s\" }", gb_alltoall_is_local(site, message) ? "local" : "global");
    before = ", { ";
  }
  return before;
}

static void phases(const gb_alltoall *a, FILE *out) {
  const uint32_t count = gb_alltoall_longest(a)->phases.count;
  fputs("\"phases\": [", out);
  for (uint32_t p = 0; p < count; p++) {
    const char *before = " { ";
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
  gb_json_integer("from_phase", site->phases.phase[d->before], out);
  fputs(", ", out);
  gb_json_integer("to_phase", site->phases.phase[d->after], out);
  fputs(", ", out);
  host("from", site, sender ? earlier->from : earlier->to, out);
  fputs(", ", out);
  host("to", site, site->phases.message[d->after].from, out);
  fputs(" }", out);
}

static void synchronisations(const gb_alltoall *a, FILE *out) {
  const char *before = "\n    { ";
  fputs("\"synchronisations\": [", out);
  for (uint32_t s = 0; s < a->site_count; s++) {
    const gb_alltoall_site *site = &a->site[s];
    for (size_t i = 0; i < site->order.count; i++) {
      const gb_dependence *d = &site->order.dependence[i];
      if (gb_alltoall_needs_signal(site, a->sync, d)) {
        fputs(before, out);
        synchronisation(site, d, a->sync.sync->signaller == GB_SIGNALLER_SENDER, out);
        before = ",\n    { ";
      }
    }
  }
  fputs("\n  ]", out);
}

/* Phase after phase. */
static int dummies(const gb_alltoall *a, FILE *out) {
  const uint32_t count = gb_alltoall_longest(a)->phases.count;
  gb_message *message = malloc(GB_ALLTOALL_MACHINES * sizeof *message);
  bool *busy = calloc(GB_ALLTOALL_MACHINES, 2 * sizeof *busy);
  const int rc = message != NULL && busy != NULL ? GBCAST_OK : GBCAST_EMEMORY;
  fputs(",\n  \"dummies\": [", out);
  for (uint32_t p = 0; rc == GBCAST_OK && p < count; p++) {
    const char *before = " { ";
    fputs(p == 0 ? "\n    [" : ",\n    [", out);
    for (uint32_t s = 0; s < a->site_count; s++) {
      const gb_alltoall_site *site = &a->site[s];
      const uint32_t idle = p < site->phases.count ? gb_alltoall_dummies(site, p, busy, message) : 0;
      for (uint32_t i = 0; i < idle; i++) {
        fputs(before, out);
        ends(site, &message[i], out);
        fputs(" }", out);
        before = ", { ";
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
  fputs("{ \"schema\": \"gbcast-plan/1\",\n  \"operation\": \"alltoall\",\n  ", out);
  gb_json_integer("message_bytes", plan->bytes, out);
  fputs(",\n  ", out);
  const gb_sync *sync = a->sync.sync;
  gb_json_string("algorithm", gb_sync_in_phases(sync) && !plan->native ? "phases" : sync->name, out);
  fputs(",\n  ", out);
  if (sync->paced) { /* sender-all's signals, but sent when a message begins */
    gb_json_string("sync", "sender-all", out);
    fputs(",\n  ", out);
    gb_json_number("pace_seconds", gb_alltoall_pace(longest, plan->bytes), out);
  } else {
    gb_json_string("sync", gb_text_sync(a->sync).s, out);
  }
  fputs(",\n  ", out);
  gb_json_integer("load", longest->phases.count, out);
  fputs(",\n  ", out);
  gb_json_string("root_switch", gb_alltoall_root(longest), out);
  fputs(",\n  ", out);
  phases(a, out);
  fputs(",\n  ", out);
  synchronisations(a, out);
  const int rc = a->sync.sync->dummies ? dummies(a, out) : GBCAST_OK;
  if (a->site_count > 1) {
    gb_print_transfers_json(plan, out);
  }
  fputs(",\n  ", out);
  gb_json_number("peak_throughput_bytes_per_second", a->peak, out);
  fputs(",\n  ", out);
  gb_json_number("predicted_seconds", plan->predicted, out);
  fputs(",\n  ", out);
  gb_json_number("lower_bound_seconds", plan->bound, out);
  fprintf(out, ",\n  \"hash\": \"%016" PRIx64 "\"\n}\n", plan->hash);
  return rc;
}
