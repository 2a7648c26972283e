/* What rank 0 says on stderr. */
#include "mpi/comm/verbose.h"
#include "mpi/comm/registry.h"
#include "mpi/comm/state.h"
#include "plan/show/show.h"
#include "platform/text/text.h"
#include <gbcast/gbcast.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static void tell_passed_on(const gb_comm *c, const char *why) {
  gb_preload *preload = c->overrides.preload;
  if (preload == NULL || !atomic_exchange(&preload->printed, true))
    fprintf(stderr, "gbcast: %s; the calls are passed on to MPI\n", why);
}

void gb_comm_complain(const gb_comm *c, const char *why) {
  if (c->overrides.preload == NULL)
    fprintf(stderr, "gbcast: %s\n", why);
  else
    tell_passed_on(c, why);
}

void gb_comm_tell_left(const gb_comm *c) {
  tell_passed_on(c, gb_left_why(c->left));
}

/* "from rank 0 to 8 ranks". */
static gb_text between(const gb_comm *c, enum gbcast_operation operation, int root) {
  static const char *const format[] = {
      [GB_WAY_DOWN] = "from rank %d to %d ranks", [GB_WAY_UP] = "to rank %d from %d ranks"};
  const enum gb_way way = gb_way_of(operation);
  gb_text text;
  if (way == GB_WAY_BOTH)
    (void)snprintf(text.s, sizeof text.s, "between %d ranks", c->wire.size);
  else
    (void)snprintf(text.s, sizeof text.s, format[way], root, c->wire.size);
  return text;
}

/* " of up to 1024 bytes"; nothing for a barrier. */
static gb_text size_of(const gbcast_plan *plan) {
  gb_text text = {""};
  if (gb_has_size(plan->operation))
    (void)snprintf(text.s, sizeof text.s, " of up to %" PRIu64 " bytes", plan->class_bytes);
  return text;
}

void gb_verbose_introduce(const gb_comm *c, const gb_settings *settings) {
  char library[GB_VERSION_TEXT];
  gb_job_report *report = c->registry->report;
  if (settings->verbose < 1 || report == NULL || atomic_exchange(&report->introduced, true))
    return;
  gb_library_name(library);
  fprintf(stderr, "gbcast: version %s with %s, %s%s\n", gbcast_version(), library,
          settings->hosts != NULL ? "hosts file " : "no hosts file: each shared-memory node is a host",
          settings->hosts != NULL ? settings->hosts : "");
}

void gb_verbose_plan(const gb_comm *c, const gbcast_plan *plan, int root, bool native) {
  if (c->wire.rank != 0 || c->settings.verbose < 1)
    return;
  if (c->settings.verbose > 1) {
    gb_lines lines;
    const int status = gbcast_plan_print(plan, GBCAST_TEXT, gb_lines_begin(&lines));
    gb_lines_end(&lines);
    if (status != GBCAST_OK)
      return; /* out of memory, or stderr is gone */
  }
  if (plan->operation == GBCAST_ALLTOALL) {
    fprintf(stderr,
            "gbcast: all-to-all with blocks of up to %" PRIu64
            " bytes between %d ranks: %s, predicted %.0f us, "
            "bound %.0f us, hash %016" PRIx64 "\n",
            plan->class_bytes, c->wire.size, native ? "MPI's own" : gb_text_sync(plan->alltoall->sync).s,
            plan->predicted * 1e6, plan->bound * 1e6, plan->hash);
    return;
  }
  fprintf(stderr,
          "gbcast: %s%s %s: %s%s, %u tree%s, segment %" PRIu64
          " bytes, predicted %.0f us, bound %.0f us, hash %016" PRIx64 "\n",
          strchr(gb_operation_table[plan->operation].noun, ' ') + 1, size_of(plan).s,
          between(c, plan->operation, root).s,
          plan->file != NULL ? "as in "
          : plan->native     ? "MPI's own"
          : native           ? "planned, which is MPI's own"
                             : "planned",
          plan->file != NULL ? plan->file : "", plan->schedule.tree_count,
          plan->schedule.tree_count == 1 ? "" : "s",
          plan->schedule.tree_count > 0 ? plan->schedule.tree[0].segment : 0, plan->predicted * 1e6,
          plan->bound * 1e6, plan->hash);
}

/* How far apart two values are, whichever is the larger. */
static double apart(double a, double b) {
  return a == b ? 0 : fabs(log(a / b));
}

static double difference(const gb_link *a, const gb_link *b) {
  return apart(a->latency, b->latency) + apart(a->bandwidth, b->bandwidth) +
         apart(fmin(a->bandwidth, a->stream_bandwidth), fmin(b->bandwidth, b->stream_bandwidth));
}

/* The link that has changed most, and how many others have. */
static void print_links(const gbcast_platform *old, const gbcast_platform *new, FILE *out) {
  const gb_link *from = NULL, *to = NULL;
  uint32_t changed = 0;
  for (uint32_t l = 0; l < new->link_count; l++) {
    const gb_link *now = &new->link[l], *before = gb_platform_link(old, now->from, now->to);
    if (before == NULL || difference(before, now) == 0)
      continue;
    changed++;
    if (from == NULL || difference(before, now) > difference(from, to)) {
      from = before;
      to = now;
    }
  }
  if (from == NULL) {
    fprintf(out, "not a link's latency or bandwidth, but other values");
    return;
  }
  fprintf(out, "link %s -> %s has %.0f us, %.0f kbit/s instead of %.0f us, %.0f kbit/s",
          new->cluster[to->from].name, new->cluster[to->to].name, to->latency * 1e6, to->bandwidth * 8e-3,
          from->latency * 1e6, from->bandwidth * 8e-3);
  if (changed > 1)
    fprintf(out, ", and %u more have changed", changed - 1);
}

char *gb_verbose_change(const gbcast_platform *old, const gbcast_platform *new, double before, double after) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL)
    return NULL;
  print_links(old, new, out);
  fprintf(out, ": what was used last would take %.0f us by the old plans, %.0f us by the new ones",
          before * 1e6, after * 1e6);
  return fclose(out) == 0 ? text : NULL;
}
