/* The plan of an all-to-all on one screen, and its schemes side by side. */
#include "plan/show/print.h"

#include <inttypes.h>

enum { PHASES_SHOWN = 10, MESSAGES_SHOWN = 4 };

gb_text gb_text_sync(gb_sync_choice choice) {
  return gb_text_of(choice.sync->blocks ? "%s:%" PRIu32 : "%s", choice.sync->name, choice.block);
}

static void print_header(const gbcast_plan *plan, FILE *out) {
  uint32_t hosts = 0;
  for (uint32_t s = 0; s < plan->site_count; s++)
    hosts += plan->site[s].hosts;
  fprintf(out, "All-to-all with blocks of %s: %s on %s of %s\n", gb_text_bytes(plan->bytes).s,
          gb_text_count(plan->schedule.endpoint_count, "rank").s, gb_text_count(hosts, "host").s,
          plan->site_count > 1 ? gb_text_count(plan->site_count, "cluster").s : gb_plan_site_name(plan, 0));
}

size_t gb_alltoall_all_signals(const gb_alltoall *a, gb_sync_choice choice) {
  size_t count = 0;
  for (uint32_t s = 0; s < a->site_count; s++)
    count += gb_alltoall_signals(&a->site[s], choice);
  return count;
}

static void print_load(const gb_alltoall_site *site, gb_sync_choice choice, FILE *out) {
  const uint32_t hosts = site->machines.count, group = choice.block;
  if (choice.sync->groups)
    fprintf(out, "%s of %s: %s from each host instead of %" PRIu32, gb_text_count(hosts / group, "group").s,
            gb_text_count(group, "host").s, gb_text_count(group + hosts / group - 2, "message").s, hosts - 1);
  else if (choice.sync->at_once)
    fprintf(out, "%s between hosts, all at once", gb_text_count(site->phases.message_count, "message").s);
  else
    fprintf(out, "%s around %s%s", gb_text_count(site->phases.count, "contention-free phase").s,
            site->phases.root == GB_NONE ? "the " : "switch ", gb_alltoall_root(site));
  fprintf(out, ", for a load of %s each way on the busiest link\n",
          gb_text_count(site->phases.count, choice.sync->groups ? "block" : "message").s);
}

static void print_how(const gb_alltoall *a, FILE *out) {
  fprintf(out, "%ssynchronisation %s (%s", a->site_count > 1 ? "inside clusters " : "",
          gb_text_sync(a->sync).s, a->forced ? "asked for" : "predicted to be the fastest");
  if (!a->forced && a->site_count == 1) {
    const double contention = gb_alltoall_contention(a->site);
    fprintf(out, contention > 0 ? " where contention costs up to %.3g %%" : " where contention costs nothing",
            100 * contention);
  }
  fprintf(out, "), %s", gb_text_count(gb_alltoall_all_signals(a, a->sync), "signal").s);
  if (a->sync.sync->barrier)
    fprintf(out, ", %s", gb_text_count(gb_alltoall_barriers(a->site, a->sync), "barrier").s);
  fprintf(out, "\npeak throughput %s over all hosts\n", gb_text_rate(a->peak).s);
}

static void add_messages(gb_table *table, const gb_alltoall_site *site, uint32_t first, uint32_t end) {
  char text[256] = "";
  size_t length = 0;
  uint32_t k = first;
  for (; k < end && k - first < MESSAGES_SHOWN && length < sizeof text; k++) {
    const gb_message *message = &site->phases.message[k];
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%s -> %s", k > first ? ", " : "",
                               gb_alltoall_host_name(site, message->from),
                               gb_alltoall_host_name(site, message->to));
  }
  gb_table_add(table, k < end ? "%s, %" PRIu32 " more" : "%s", text, end - k);
}

static int print_phases(const gb_alltoall_site *site, FILE *out) {
  const uint32_t shown = site->phases.count < PHASES_SHOWN ? site->phases.count : PHASES_SHOWN;
  gb_table table = {.columns = 4, .align = "rrrl"};
  gb_table_row(&table, "phase", "global", "local", "messages", NULL);
  for (uint32_t p = 0; p < shown; p++) {
    const uint32_t first = site->phases.start[p], end = site->phases.start[p + 1];
    uint32_t local = 0;
    for (uint32_t k = first; k < end; k++)
      local += gb_alltoall_is_local(site, &site->phases.message[k]);
    gb_table_row(&table, gb_text_whole(p).s, gb_text_whole(end - first - local).s, gb_text_whole(local).s,
                 NULL);
    add_messages(&table, site, first, end);
  }
  const int rc = gb_table_print(&table, out);
  if (shown < site->phases.count) {
    fprintf(out, "... and %" PRIu32 " more phases (--format=json has every one)\n",
            site->phases.count - shown);
  }
  return rc;
}

void gb_print_alltoall_head(const gbcast_plan *plan, FILE *out) {
  const gb_alltoall *a = plan->alltoall;
  print_header(plan, out);
  if (plan->native) {
    fprintf(out, "native: MPI's own (%s)\n",
            a->forced                      ? "asked for"
            : a->site->machines.count == 1 ? "they share memory"
                                           : "predicted to be the fastest");
    return;
  }
  if (a->site_count == 1)
    print_load(a->site, a->sync, out);
  print_how(a, out);
}

int gb_print_alltoall_text(const gbcast_plan *plan, FILE *out) {
  const gb_alltoall *a = plan->alltoall;
  const bool phases = gb_sync_in_phases(a->sync.sync) && !plan->native;
  gb_print_alltoall_head(plan, out);
  if (phases || a->site_count > 1)
    putc('\n', out);
  const int rc = a->site_count > 1 ? gb_print_transfers_text(plan, out)
                 : phases          ? print_phases(a->site, out)
                                   : GBCAST_OK;
  gb_print_times(plan, out);
  return rc;
}

/* Several sites have no barriers, but transfers between them that take time, too. */
static void add_candidate(gb_table *table, const gbcast_plan *plan, gb_sync_choice choice) {
  const gb_alltoall *a = plan->alltoall;
  const double time = gb_alltoall_time(a, choice, plan->bytes);
  gb_table_row(table, choice.sync == a->sync.sync ? "*" : "", gb_text_sync(choice).s,
               gb_text_whole(gb_alltoall_all_signals(a, choice)).s,
               a->site_count > 1 ? gb_text_seconds(gb_alltoall_inside_time(a, choice, plan->bytes)).s
                                 : gb_text_whole(gb_alltoall_barriers(a->site, choice)).s,
               gb_text_seconds(time).s, NULL);
  gb_table_add(table, "%.3f", plan->predicted > 0 ? time / plan->predicted : 1.0);
  gb_table_add(table, "%s", choice.sync->summary);
}

int gb_print_alltoall_compare(const gbcast_plan *plan, FILE *out) {
  const gb_alltoall *a = plan->alltoall;
  print_header(plan, out);
  putc('\n', out);
  gb_table table = {.columns = 7, .align = "llrrrrl"};
  gb_table_row(&table, "", "synchronisation", "signals", a->site_count > 1 ? "inside" : "barriers",
               "predicted", "ratio", "how", NULL);
  for (size_t i = 0; i < gb_sync_count; i++) {
    gb_sync_choice choice = {&gb_sync_table[i], 1};
    if (choice.sync->groups)
      choice.block = GB_SYNC_BEST;
    else if (choice.sync->blocks)
      choice.block = a->sync.sync->blocks && !a->sync.sync->groups ? a->sync.block : GB_SYNC_BLOCK;
    if (gb_alltoall_fits(a, choice, NULL) == GBCAST_OK) {
      choice = choice.sync == a->sync.sync ? a->sync : gb_alltoall_with_group(a, choice, plan->class_bytes);
      add_candidate(&table, plan, choice);
    }
  }
  return gb_table_print(&table, out);
}
