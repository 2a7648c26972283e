/* The plan of an all-to-all as JSON, schema gbcast-plan/1 (contract, section 3). */
#include "plan/json.h"
#include "plan/print_alltoall.h"

#include <inttypes.h>
#include <stdlib.h>

static void host(const char *key, const gb_alltoall *a, uint32_t machine, FILE *out) {
  gb_json_string(key, gb_alltoall_host_name(a, machine), out);
}

static void ends(const gb_alltoall *a, const gb_message *message, FILE *out) {
  host("from", a, message->from, out);
  fputs(", ", out);
  host("to", a, message->to, out);
}

static void phases(const gb_alltoall *a, FILE *out) {
  fputs("\"phases\": [", out);
  for (uint32_t p = 0; p < a->phases.count; p++) {
    fputs(p == 0 ? "\n    [" : ",\n    [", out);
    for (uint32_t k = a->phases.start[p]; k < a->phases.start[p + 1]; k++) {
      const gb_message *message = &a->phases.message[k];
      fputs(k == a->phases.start[p] ? " { " : ", { ", out);
      ends(a, message, out);
      fprintf(out, ", \"scope\": \"%s\" }", gb_alltoall_is_local(a, message) ? "local" : "global");
    }
    fputs(" ]", out);
  }
  fputs("\n  ]", out);
}

/* From the host that tells to the one that waits. */
static void synchronisations(const gb_alltoall *a, FILE *out) {
  const char *before = "\n    { ";
  fputs("\"synchronisations\": [", out);
  for (size_t i = 0; i < a->order.count; i++) {
    const gb_dependence *d = &a->order.dependence[i];
    if (gb_alltoall_tells(a, a->sync, d)) {
      const gb_message *earlier = &a->phases.message[d->before];
      fputs(before, out);
      gb_json_integer("from_phase", a->phases.phase[d->before], out);
      fputs(", ", out);
      gb_json_integer("to_phase", a->phases.phase[d->after], out);
      fputs(", ", out);
      host("from", a, a->sync.sync->teller == GB_TELLS_SENDER ? earlier->from : earlier->to, out);
      fputs(", ", out);
      host("to", a, a->phases.message[d->after].from, out);
      fputs(" }", out);
      before = ",\n    { ";
    }
  }
  fputs("\n  ]", out);
}

/* Phase after phase. */
static int dummies(const gb_alltoall *a, FILE *out) {
  gb_message *message = malloc(a->machines.count * sizeof *message);
  bool *busy = calloc(a->machines.count, 2 * sizeof *busy);
  const int rc = message != NULL && busy != NULL ? GBCAST_OK : GBCAST_EMEMORY;
  fputs(",\n  \"dummies\": [", out);
  for (uint32_t p = 0; rc == GBCAST_OK && p < a->phases.count; p++) {
    const uint32_t count = gb_alltoall_dummies(a, p, busy, message);
    fputs(p == 0 ? "\n    [" : ",\n    [", out);
    for (uint32_t i = 0; i < count; i++) {
      fputs(i == 0 ? " { " : ", { ", out);
      ends(a, &message[i], out);
      fputs(" }", out);
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
  const uint32_t root = a->phases.root;
  fputs("{ \"schema\": \"gbcast-plan/1\",\n  \"operation\": \"alltoall\",\n  ", out);
  gb_json_integer("message_bytes", plan->bytes, out);
  fputs(",\n  \"algorithm\": \"phases\",\n  ", out);
  gb_json_string("sync", gb_text_sync(a->sync).s, out);
  fputs(",\n  ", out);
  gb_json_integer("load", a->phases.count, out);
  fputs(",\n  ", out);
  gb_json_string("root_switch", root == GB_NONE ? "core" : plan->platform->sw[root].name, out);
  fputs(",\n  ", out);
  phases(a, out);
  fputs(",\n  ", out);
  synchronisations(a, out);
  const int rc = a->sync.sync->dummies ? dummies(a, out) : GBCAST_OK;
  fputs(",\n  ", out);
  gb_json_number("peak_throughput_bytes_per_second", a->peak, out);
  fputs(",\n  ", out);
  gb_json_number("predicted_seconds", plan->predicted, out);
  fputs(",\n  ", out);
  gb_json_number("lower_bound_seconds", plan->bound, out);
  fprintf(out, ",\n  \"hash\": \"%016" PRIx64 "\"\n}\n", plan->hash);
  return rc;
}
