/* How long an all-to-all of several clusters takes in each of them and between them, and its busiest link. */
#include "plan/show/print.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ROWS_SHOWN = 10 };

/* The name of a link or of a site's WAN traffic, see platform/cost/cost.h. */
typedef struct link_name {
  const char *what, *from, *arrow, *to;
} link_name;

static link_name name_resource(const gbcast_platform *p, uint64_t id) {
  const uint64_t wan = 2 * ((uint64_t)p->host_count + p->switch_count);
  const uint64_t link = wan + 2 * (uint64_t)p->cluster_count;
  if (id < link) {
    return (link_name){.what = (id - wan) % 2 == 0 ? "uplink of " : "downlink of ",
                       .from = p->cluster[(id - wan) / 2].name,
                       .arrow = "",
                       .to = ""};
  }
  const uint64_t place = id - link, count = p->cluster_count;
  const uint64_t from = p->assumed_mesh ? place / count : p->link[place].from;
  const uint64_t to = p->assumed_mesh ? place % count : p->link[place].to;
  return (link_name){
      .what = "link ", .from = p->cluster[from].name, .arrow = " -> ", .to = p->cluster[to].name};
}

static int print_sites(const gbcast_plan *plan, FILE *out) {
  const gb_alltoall *a = plan->alltoall;
  const uint32_t shown = a->site_count < ROWS_SHOWN ? a->site_count : ROWS_SHOWN;
  gb_table table = {.columns = 6, .align = "lrrrlr"};
  gb_table_row(&table, "cluster", "hosts", "ranks", "phases", "around", "takes", NULL);
  for (uint32_t s = 0; s < shown; s++) {
    const gb_alltoall_site *site = &a->site[s];
    gb_table_row(&table, gb_plan_site_name(plan, s), gb_text_whole(site->machines.count).s,
                 gb_text_whole(site->all_ranks).s, gb_text_whole(site->phases.count).s, NULL);
    gb_table_add(&table, "%s%s", site->phases.root == GB_NONE ? "the " : "", gb_alltoall_root(site));
    gb_table_add(&table, "%s", gb_text_seconds(gb_alltoall_site_time(site, a->sync, plan->bytes)).s);
  }
  const int rc = gb_table_print(&table, out);
  if (shown < a->site_count)
    fprintf(out, "... and %" PRIu32 " more clusters\n", a->site_count - shown);
  return rc;
}

/* What keeps a transfer from being faster: its lanes, or the resource that it fills. The hosts' own links are
 * not among its resources. */
static void add_limit(gb_table *table, const gbcast_plan *plan, const gb_site_transfer *transfer) {
  const gb_site_transfers *transfers = &plan->alltoall->transfers;
  const size_t w = (size_t)(transfer - transfers->transfer);
  const gb_transfer_use *most = NULL;
  for (size_t i = transfers->first_use[w]; i < transfers->first_use[w + 1]; i++)
    most = most == NULL || transfers->use[i].share > most->share ? &transfers->use[i] : most;
  if (transfer->streams) {
    gb_table_add(table, "its streams");
  } else if (most == NULL || most->share < 0.9) {
    gb_table_add(table, "the hosts' own links");
  } else {
    const link_name name = name_resource(plan->platform, transfers->resource[most->resource].id);
    gb_table_add(table, "%s%s%s%s", name.what, name.from, name.arrow, name.to);
  }
}

static int last_first(const void *left, const void *right) {
  const gb_timed_transfer *a = left, *b = right;
  return a->arrival > b->arrival   ? -1
         : a->arrival < b->arrival ? 1
                                   : (a->transfer > b->transfer) - (a->transfer < b->transfer);
}

gb_timed_transfer *gb_transfers_last_first(const gb_site_transfers *transfers, const uint64_t *bytes) {
  gb_timed_transfer *list = malloc(transfers->count * sizeof *list);
  for (uint32_t w = 0; list != NULL && w < transfers->count; w++) {
    const gb_site_transfer *t = &transfers->transfer[w];
    list[w] =
        (gb_timed_transfer){t, bytes != NULL ? gb_transfer_arrival(transfers, t, *bytes) : t->end + t->tail};
  }
  if (list != NULL)
    qsort(list, transfers->count, sizeof *list, last_first);
  return list;
}

static void add_transfer(gb_table *table, const gbcast_plan *plan, const gb_site_transfer *transfer) {
  const gb_site_transfers *transfers = &plan->alltoall->transfers;
  gb_table_row(table, gb_plan_site_name(plan, transfer->from), gb_plan_site_name(plan, transfer->to),
               gb_text_whole(transfer->lanes).s, gb_text_whole((uint64_t)transfer->pairs).s,
               gb_text_whole(transfer->track).s,
               gb_text_seconds(gb_transfer_start(transfers, transfer, plan->bytes)).s,
               gb_text_seconds(gb_transfer_arrival(transfers, transfer, plan->bytes)).s, NULL);
  add_limit(table, plan, transfer);
}

static int print_transfers(const gbcast_plan *plan, FILE *out) {
  const gb_site_transfers *transfers = &plan->alltoall->transfers;
  const uint32_t shown = transfers->count < ROWS_SHOWN ? transfers->count : ROWS_SHOWN;
  gb_timed_transfer *list = gb_transfers_last_first(transfers, NULL);
  if (list == NULL)
    return GBCAST_EMEMORY;
  gb_table table = {.columns = 8, .align = "llrrrrrl"};
  gb_table_row(&table, "from", "to", "lanes", "blocks", "track", "begins", "is there", "alone limited by",
               NULL);
  for (uint32_t i = 0; i < shown; i++)
    add_transfer(&table, plan, list[i].transfer);
  free(list);
  const int rc = gb_table_print(&table, out);
  if (shown < transfers->count) {
    fprintf(out, "... and %" PRIu32 " more, which are there no later (--format=json has every one)\n",
            transfers->count - shown);
  }
  return rc;
}

/* The link that needs most time, whatever the schedule, when each block goes straight. */
static void print_busiest(const gbcast_plan *plan, FILE *out) {
  const gb_alltoall *a = plan->alltoall;
  double most = 0;
  link_name name = {.what = "nothing", .from = "", .arrow = "", .to = ""};
  for (uint32_t r = 0; r < a->transfers.resource_count; r++) {
    if (a->transfers.resource[r].seconds_a_byte > most) {
      most = a->transfers.resource[r].seconds_a_byte;
      name = name_resource(plan->platform, a->transfers.resource[r].id);
    }
  }
  for (uint32_t s = 0; s < a->site_count; s++) {
    const gb_alltoall_site *site = &a->site[s];
    const bool own = site->own_seconds >= site->seconds_a_byte;
    const double need = own ? site->own_seconds : site->seconds_a_byte;
    if (need > most) {
      most = need;
      name = (link_name){.what = own ? "the hosts' own links of " : "a cable inside ",
                         .from = gb_plan_site_name(plan, s),
                         .arrow = "",
                         .to = ""};
    }
  }
  fprintf(out, "\nbusiest: %s%s%s%s, for %s\n", name.what, name.from, name.arrow, name.to,
          gb_text_seconds((double)plan->bytes * most).s);
}

int gb_print_transfers_text(const gbcast_plan *plan, FILE *out) {
  int rc = print_sites(plan, out);
  putc('\n', out);
  if (rc == GBCAST_OK)
    rc = print_transfers(plan, out);
  print_busiest(plan, out);
  return rc;
}
