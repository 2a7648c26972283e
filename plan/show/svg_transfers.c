/* The time lines of an all-to-all without phases of its own in the picture: of several clusters, a row for
 * what goes on inside each and one for each track, on which its transfers to others follow each other; of one
 * cluster, the steps.
 *
 *   ottawa  inside   ===7 phases===
 *           track 1  ====to lyon, 2 lanes====
 *           track 2  ==to carleton==|==to nice== */
#include "plan/show/svg.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ROWS_MOST = 64, CHARACTERS = 20 };
#define ROW 18.0
#define LOW_ROW 5.0 /* where there are many */
#define SITE_GAP 6.0

/* A bar, and its label between two places, which no bar may cover. */
typedef struct bar {
  double y, start, end; /* of its row; s */
  double least, most;
  const char *classes;
  char label[208];
} bar;

typedef struct timeline {
  const gbcast_plan *plan;
  gb_axis axis;
  bool aggregated; /* a site's tracks are one row */
  double row;      /* height */
  double *y;       /* by site: of its first row */
  bar *bar;
  uint32_t count;
} timeline;

static double start_of(const gbcast_plan *plan, const gb_site_transfer *transfer) {
  return gb_transfer_start(&plan->alltoall->transfers, transfer, plan->bytes);
}

static double arrival_of(const gbcast_plan *plan, const gb_site_transfer *transfer) {
  return gb_transfer_arrival(&plan->alltoall->transfers, transfer, plan->bytes);
}

static bool as_long_as_all(const gbcast_plan *plan, double time) {
  return time >= plan->predicted * (1 - 1e-12);
}

static void draw_bar(gb_svg *svg, const timeline *t, const bar *b) {
  const double x = gb_axis_x(&t->axis, b->start), x_end = gb_axis_x(&t->axis, b->end);
  gb_svg_bar(svg, x, b->y + 1, x_end - x > 1 ? x_end - x : 1, t->row - (t->row < ROW ? 0.5 : 2), b->classes,
             "%s: %s to %s", b->label, gb_text_seconds(b->start).s, gb_text_seconds(b->end).s);
}

static void draw_label(gb_svg *svg, const timeline *t, const bar *b) {
  gb_svg_label(svg, gb_axis_x(&t->axis, b->start), gb_axis_x(&t->axis, b->end), b->y, t->row, b->label,
               b->least, b->most);
}

/* Without a label. */
static bar *add_bar(timeline *t, double y, double start, double end, const char *classes) {
  t->bar[t->count] = (bar){y, start, end, t->axis.x0, t->axis.x1, classes, ""};
  return &t->bar[t->count++];
}

static void add_inside(timeline *t, uint32_t s) {
  const gb_alltoall *a = t->plan->alltoall;
  const gb_alltoall_site *site = &a->site[s];
  const double time = gb_alltoall_site_time(site, a->sync, t->plan->bytes);
  if (site->machines.count < 2)
    return;
  bar *b = add_bar(t, t->y[s], 0, time, as_long_as_all(t->plan, time) ? "lan crit" : "lan");
  (void)snprintf(b->label, sizeof b->label, "inside, %s",
                 gb_sync_in_phases(a->sync.sync) ? gb_text_count(site->phases.count, "phase").s
                                                 : "to all at once");
}

static void add_transfer(timeline *t, const gb_site_transfer *transfer) {
  const double start = start_of(t->plan, transfer), end = arrival_of(t->plan, transfer);
  bar *b = add_bar(t, t->y[transfer->from] + transfer->track * t->row, start, end, "wan");
  b->least = transfer->previous == GB_NONE ? t->axis.x0 : gb_axis_x(&t->axis, start);
  b->most = transfer->next == GB_NONE ? t->axis.x1 : gb_axis_x(&t->axis, end);
  (void)snprintf(b->label, sizeof b->label, "to %s, %s",
                 gb_short_name(gb_plan_site_name(t->plan, transfer->to), CHARACTERS).s,
                 gb_text_count(transfer->lanes, "lane").s);
}

/* All transfers of a site in one row. */
static void add_together(timeline *t, uint32_t site) {
  const uint32_t others = t->plan->site_count - 1;
  const gb_site_transfer *transfer = &t->plan->alltoall->transfers.transfer[(size_t)site * others];
  double start = start_of(t->plan, transfer), end = arrival_of(t->plan, transfer);
  for (uint32_t i = 1; i < others; i++) {
    start = gb_smaller(start, start_of(t->plan, &transfer[i]));
    end = gb_larger(end, arrival_of(t->plan, &transfer[i]));
  }
  bar *b = add_bar(t, t->y[site] + t->row, start, end, "wan");
  (void)snprintf(b->label, sizeof b->label, "to %" PRIu32 " clusters", others);
}

/* Of the bars of all transfers, the one that ends last, and those before it on its track; unless what goes on
 * inside clusters decides. */
static void mark_critical(const gbcast_plan *plan, bar *b) {
  const gb_site_transfers *transfers = &plan->alltoall->transfers;
  uint32_t last = 0;
  for (uint32_t w = 1; w < transfers->count; w++)
    last = b[w].end > b[last].end ? w : last;
  if (as_long_as_all(plan, gb_transfers_time(transfers, plan->bytes)))
    for (uint32_t w = last; w != GB_NONE; w = transfers->transfer[w].previous)
      b[w].classes = "wan crit";
}

/* GBCAST_EMEMORY. */
static int add_all(timeline *t) {
  const uint32_t sites = t->plan->alltoall->site_count;
  const gb_site_transfers *transfers = &t->plan->alltoall->transfers;
  const size_t most = (size_t)sites + (t->aggregated ? sites : transfers->count);
  t->bar = malloc((most + 1) * sizeof *t->bar);
  if (t->bar == NULL)
    return GBCAST_EMEMORY;
  for (uint32_t s = 0; s < sites; s++) {
    add_inside(t, s);
    if (t->aggregated)
      add_together(t, s);
  }
  const uint32_t first = t->count;
  for (uint32_t w = 0; !t->aggregated && w < transfers->count; w++)
    add_transfer(t, &transfers->transfer[w]);
  if (!t->aggregated)
    mark_critical(t->plan, t->bar + first);
  return GBCAST_OK;
}

/* Sets y and the axis; returns where the last row ends. */
static double lay(timeline *t, double y) {
  const gb_alltoall *a = t->plan->alltoall;
  uint32_t characters = 0, rows = 0;
  double end = gb_larger(t->plan->predicted, t->plan->bound);
  for (uint32_t s = 0; s < a->site_count; s++) {
    const uint32_t name = gb_character_count(gb_short_name(gb_plan_site_name(t->plan, s), CHARACTERS).s);
    characters = name > characters ? name : characters;
    rows += a->transfers.tracks[s];
  }
  for (uint32_t w = 0; w < a->transfers.count; w++)
    end = gb_larger(end, arrival_of(t->plan, &a->transfers.transfer[w]));
  t->aggregated = rows > ROWS_MOST;
  t->row = 2 * a->site_count > ROWS_MOST ? LOW_ROW : ROW;
  for (uint32_t s = 0; s < a->site_count; s++) {
    t->y[s] = y;
    y += t->row * (t->aggregated ? 2 : a->transfers.tracks[s]) + SITE_GAP;
  }
  t->axis = (gb_axis){GB_SVG_LEFT + characters * GB_SVG_CHARACTER + 14, GB_SVG_RIGHT, end};
  return y - SITE_GAP;
}

static int draw_clusters(gb_svg *svg, timeline *t) {
  static const gb_legend legend[] = {{"wan", "to another cluster (WAN)"},
                                     {"lan", "inside a cluster (LAN)"},
                                     {"key crit", "critical path: what decides when all is done"},
                                     {NULL, NULL}};
  gb_svg_legend(svg, legend);
  svg->y += 26;
  const gb_alltoall *a = t->plan->alltoall;
  const bool hosts = !as_long_as_all(t->plan, gb_transfers_time(&a->transfers, t->plan->bytes)) &&
                     !as_long_as_all(t->plan, gb_alltoall_inside_time(a, a->sync, t->plan->bytes));
  const double note = svg->y + 17, top = svg->y + GB_AXIS_HEIGHT + (hosts ? 29 : 12), bottom = lay(t, top);
  const int rc = add_all(t);
  if (hosts)
    gb_svg_text(
        svg, GB_SVG_LEFT, note, "b", "%s",
        "What decides are the hosts' own links: with all of this at the same time they need longer than each "
        "way by itself.");
  gb_svg_text(svg, GB_SVG_LEFT, svg->y, "m", "%s",
              t->aggregated
                  ? "Too many tracks to show: of each cluster, what it does inside, and all that it "
                    "sends to others together."
                  : "Of each cluster, what it does inside, and what it sends to others: in a row one "
                    "after the other.");
  gb_axis_ticks(svg, &t->axis, t->plan, top - 4, bottom + 4);
  uint32_t host = 0;
  for (uint32_t s = 0; s < t->plan->site_count; s++) {
    gb_svg_text(svg, GB_SVG_LEFT, t->y[s] + 13, "n b", "%s",
                gb_short_name(gb_plan_site_name(t->plan, s), CHARACTERS).s);
    const double end = s + 1 < t->plan->site_count ? t->y[s + 1] - SITE_GAP : bottom;
    for (uint32_t m = 0; svg->span != NULL && m < a->site[s].machines.count; m++)
      svg->span[host++] = (gb_span){t->y[s], end - t->y[s]};
    if (s > 0)
      gb_svg_line(svg, GB_SVG_LEFT, t->y[s] - SITE_GAP / 2, GB_SVG_RIGHT, t->y[s] - SITE_GAP / 2, "grid");
  }
  for (uint32_t i = 0; i < t->count; i++)
    draw_bar(svg, t, &t->bar[i]);
  gb_axis_marks(svg, &t->axis, t->plan, top - 4, bottom + 4);
  for (uint32_t i = 0; i < t->count; i++)
    draw_label(svg, t, &t->bar[i]);
  svg->y = bottom + 18;
  return rc;
}

/* Of one cluster without phases. */
static void draw_steps(gb_svg *svg, const gbcast_plan *plan) {
  const gb_alltoall *a = plan->alltoall;
  const bool groups = a->sync.sync->groups;
  const uint32_t group = a->sync.block, others = a->site->machines.count / (groups ? group : 1);
  const double top = svg->y + GB_AXIS_HEIGHT + 16;
  bar step[2];
  timeline t = {.plan = plan, .row = ROW, .bar = step};
  t.axis = (gb_axis){GB_SVG_LEFT, GB_SVG_RIGHT, gb_larger(plan->predicted, plan->bound)};
  if (groups) {
    const double first = gb_alltoall_step_time(a->site, group, plan->bytes, true);
    bar *inside = add_bar(&t, top, 0, first, "node");
    (void)snprintf(inside->label, sizeof inside->label, "step 1: to %" PRIu32 " of the group, %s each",
                   group - 1, gb_text_count(others, "block").s);
    bar *across = add_bar(&t, top + ROW, first, plan->predicted, "lan");
    (void)snprintf(across->label, sizeof across->label, "step 2: to %" PRIu32 " of other groups, %s each",
                   others - 1, gb_text_count(group, "block").s);
  } else {
    bar *all = add_bar(&t, top, 0, plan->predicted, "lan");
    (void)snprintf(all->label, sizeof all->label, "%s",
                   a->sync.sync->native ? "the MPI library's own all-to-all"
                                        : "each host sends to all others at once");
  }
  gb_axis_ticks(svg, &t.axis, plan, top - 4, top + 2 * ROW);
  for (uint32_t i = 0; i < t.count; i++)
    if (step[i].end > step[i].start) { /* not: groups of one host, or one group */
      draw_bar(svg, &t, &step[i]);
      draw_label(svg, &t, &step[i]);
    }
  gb_axis_marks(svg, &t.axis, plan, top - 4, top + 2 * ROW);
  svg->y = top + 2 * ROW;
}

int gb_svg_transfers(gb_svg *svg, const gbcast_plan *plan) {
  if (plan->site_count == 1) {
    draw_steps(svg, plan);
    return GBCAST_OK;
  }
  timeline t = {.plan = plan, .y = malloc(plan->site_count * sizeof *t.y)};
  const int rc = t.y == NULL ? GBCAST_EMEMORY : draw_clusters(svg, &t);
  free(t.bar);
  free(t.y);
  return rc;
}
