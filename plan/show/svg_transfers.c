/* The time lines of an all-to-all without phases of its own in the picture: of several clusters, a row for
 * what goes on inside each and one for each track, on which its transfers to others follow each other; of one
 * cluster, the steps.
 *
 *   ottawa  inside   ===7 phases===
 *           track 1  ====to lyon, 2 lanes====
 *           track 2  ==to carleton==|==to nice== */
#include "plan/show/print_alltoall.h"
#include "plan/show/svg.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ROWS_MOST = 64, CHARACTERS = 20 };
#define ROW 18.0
#define LOW_ROW 5.0 /* where there are many */
#define SITE_GAP 6.0

typedef struct timeline {
  const gbcast_plan *plan;
  gb_axis axis;
  bool aggregated; /* a site's tracks are one row */
  double row;      /* height */
  double *y;       /* by site: of its first row */
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

static void draw_bar(gb_svg *svg, const gb_axis *axis, double y, double row, double start, double end,
                     const char *classes, const char *label) {
  const double x = gb_axis_x(axis, start), x_end = gb_axis_x(axis, end);
  gb_svg_bar(svg, x, y + 1, x_end - x > 1 ? x_end - x : 1, row - (row < ROW ? 0.5 : 2), classes,
             "%s: %s to %s", label, gb_text_seconds(start).s, gb_text_seconds(end).s);
}

/* Inside a cluster, and then across: the bars, or their labels, which no bar may cover. */
static void draw_inside(gb_svg *svg, const timeline *t, uint32_t site, bool labels) {
  const gb_alltoall *a = t->plan->alltoall;
  const double time = gb_alltoall_site_time(&a->site[site], a->sync, t->plan->bytes);
  const bool decides = as_long_as_all(t->plan, time);
  char label[80];
  if (gb_sync_in_phases(a->sync.sync)) {
    (void)snprintf(label, sizeof label, "inside, %" PRIu32 " phase%s", a->site[site].phases.count,
                   a->site[site].phases.count == 1 ? "" : "s");
  } else {
    (void)snprintf(label, sizeof label, "inside, to all at once");
  }
  if (a->site[site].machines.count < 2) {
    return;
  }
  if (labels) {
    gb_svg_label(svg, t->axis.x0, gb_axis_x(&t->axis, time), t->y[site], t->row, label, t->axis.x0,
                 t->axis.x1);
  } else {
    draw_bar(svg, &t->axis, t->y[site], t->row, 0, time, decides ? "lan crit" : "lan", label);
  }
}

static void draw_transfer(gb_svg *svg, const timeline *t, const gb_site_transfer *transfer, bool critical,
                          bool labels) {
  const double start = start_of(t->plan, transfer), end = arrival_of(t->plan, transfer);
  const double y = t->y[transfer->from] + transfer->track * t->row;
  char label[200];
  (void)snprintf(label, sizeof label, "to %s, %" PRIu32 " lane%s",
                 gb_short_name(gb_plan_site_name(t->plan, transfer->to), CHARACTERS).s, transfer->lanes,
                 transfer->lanes == 1 ? "" : "s");
  if (labels) {
    const double x = gb_axis_x(&t->axis, start), x_end = gb_axis_x(&t->axis, end);
    const double room = transfer->next == GB_NONE ? t->axis.x1 : x_end;
    gb_svg_label(svg, x, x_end, y, t->row, label, transfer->previous == GB_NONE ? t->axis.x0 : x, room);
  } else {
    draw_bar(svg, &t->axis, y, t->row, start, end, critical ? "wan crit" : "wan", label);
  }
}

/* All transfers of a site in one row. */
static void draw_together(gb_svg *svg, const timeline *t, uint32_t site, bool labels) {
  const gb_alltoall *a = t->plan->alltoall;
  const gb_site_transfer *transfer = &a->transfers.transfer[(size_t)site * (a->site_count - 1)];
  double start = start_of(t->plan, transfer), end = arrival_of(t->plan, transfer);
  char label[80];
  (void)snprintf(label, sizeof label, "to %" PRIu32 " clusters", a->site_count - 1);
  for (uint32_t i = 1; i + 1 < a->site_count; i++) {
    const double from = start_of(t->plan, &transfer[i]);
    start = from < start ? from : start;
    end = gb_larger(end, arrival_of(t->plan, &transfer[i]));
  }
  if (labels) {
    gb_svg_label(svg, gb_axis_x(&t->axis, start), gb_axis_x(&t->axis, end), t->y[site] + t->row, t->row,
                 label, t->axis.x0, t->axis.x1);
  } else {
    draw_bar(svg, &t->axis, t->y[site] + t->row, t->row, start, end, "wan", label);
  }
}

/* The transfer that is last, and those before it on its track; unless what goes on inside clusters decides.
 */
static void mark_critical(const gbcast_plan *plan, bool *critical) {
  const gb_site_transfers *transfers = &plan->alltoall->transfers;
  uint32_t last = 0;
  for (uint32_t w = 1; w < transfers->count; w++) {
    last =
        arrival_of(plan, &transfers->transfer[w]) > arrival_of(plan, &transfers->transfer[last]) ? w : last;
  }
  if (as_long_as_all(plan, gb_transfers_time(transfers, plan->bytes))) {
    for (uint32_t w = last; w != GB_NONE; w = transfers->transfer[w].previous) {
      critical[w] = true;
    }
  }
}

static void draw_all(gb_svg *svg, const timeline *t, const bool *critical, bool labels) {
  const gb_alltoall *a = t->plan->alltoall;
  for (uint32_t s = 0; s < a->site_count; s++) {
    draw_inside(svg, t, s, labels);
    if (t->aggregated) {
      draw_together(svg, t, s, labels);
    }
  }
  for (uint32_t w = 0; !t->aggregated && w < a->transfers.count; w++) {
    draw_transfer(svg, t, &a->transfers.transfer[w], critical[w], labels);
  }
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
  for (uint32_t w = 0; w < a->transfers.count; w++) {
    end = gb_larger(end, arrival_of(t->plan, &a->transfers.transfer[w]));
  }
  t->aggregated = rows > ROWS_MOST;
  t->row = 2 * a->site_count > ROWS_MOST ? LOW_ROW : ROW;
  for (uint32_t s = 0; s < a->site_count; s++) {
    t->y[s] = y;
    y += t->row * (t->aggregated ? 2 : a->transfers.tracks[s]) + SITE_GAP;
  }
  t->axis = (gb_axis){GB_SVG_LEFT + characters * GB_SVG_CHARACTER + 14, GB_SVG_RIGHT, end};
  return y - SITE_GAP;
}

static void draw_clusters(gb_svg *svg, timeline *t, const bool *critical) {
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
  if (hosts) {
    gb_svg_text(
        svg, GB_SVG_LEFT, note, "b", "%s",
        "What decides are the hosts' own links: with all of this at the same time they need longer than each "
        "way by itself.");
  }
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
    for (uint32_t m = 0; svg->span != NULL && m < a->site[s].machines.count; m++) {
      svg->span[host++] = (gb_span){t->y[s], end - t->y[s]};
    }
    if (s > 0) {
      gb_svg_line(svg, GB_SVG_LEFT, t->y[s] - SITE_GAP / 2, GB_SVG_RIGHT, t->y[s] - SITE_GAP / 2, "grid");
    }
  }
  draw_all(svg, t, critical, false);
  gb_axis_marks(svg, &t->axis, t->plan, top - 4, bottom + 4);
  draw_all(svg, t, critical, true);
  svg->y = bottom + 18;
}

/* Of one cluster without phases. */
static void draw_steps(gb_svg *svg, const gbcast_plan *plan) {
  const gb_alltoall *a = plan->alltoall;
  const uint32_t group = a->sync.block, hosts = a->site->machines.count;
  const gb_axis axis = {GB_SVG_LEFT, GB_SVG_RIGHT, gb_larger(plan->predicted, plan->bound)};
  const bool groups = a->sync.sync->groups;
  const double first = groups ? gb_alltoall_step_time(a->site, group, plan->bytes, true) : plan->predicted;
  const double top = svg->y + GB_AXIS_HEIGHT + 16;
  const uint32_t others = hosts / (groups ? group : 1);
  char label[2][120];
  if (groups) {
    (void)snprintf(label[0], sizeof label[0], "step 1: to %" PRIu32 " of the group, %" PRIu32 " block%s each",
                   group - 1, others, others == 1 ? "" : "s");
  } else {
    (void)snprintf(label[0], sizeof label[0],
                   a->sync.sync->native ? "the MPI library's own all-to-all"
                                        : "each host sends to all others at once");
  }
  (void)snprintf(label[1], sizeof label[1],
                 "step 2: to %" PRIu32 " of other groups, %" PRIu32 " block%s each", others - 1, group,
                 group == 1 ? "" : "s");
  gb_axis_ticks(svg, &axis, plan, top - 4, top + 2 * ROW);
  for (int i = 0; i <= groups; i++) {
    const double start = i == 0 ? 0 : first, end = i == 0 ? first : plan->predicted;
    const double y = top + i * ROW;
    if (end <= start) {
      continue; /* groups of one host, or one group */
    }
    draw_bar(svg, &axis, y, ROW, start, end, groups && i == 0 ? "node" : "lan", label[i]);
    gb_svg_label(svg, gb_axis_x(&axis, start), gb_axis_x(&axis, end), y, ROW, label[i], axis.x0, axis.x1);
  }
  gb_axis_marks(svg, &axis, plan, top - 4, top + 2 * ROW);
  svg->y = top + 2 * ROW;
}

int gb_svg_transfers(gb_svg *svg, const gbcast_plan *plan) {
  if (plan->site_count == 1) {
    draw_steps(svg, plan);
    return GBCAST_OK;
  }
  timeline t = {.plan = plan, .y = malloc(plan->site_count * sizeof *t.y)};
  bool *critical = calloc(plan->alltoall->transfers.count, sizeof *critical);
  const int rc = t.y == NULL || critical == NULL ? GBCAST_EMEMORY : GBCAST_OK;
  if (rc == GBCAST_OK) {
    mark_critical(plan, critical);
    draw_clusters(svg, &t, critical);
  }
  free(critical);
  free(t.y);
  return rc;
}
