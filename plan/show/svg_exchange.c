/* An all-to-all of one cluster as squares: its phases, or who sends to whom. */
#include "plan/show/svg_cells.h"

/* Columns of phases, where there are so few messages, and where there are more. */
enum { MESSAGES_SHOWN = 4096, COLUMNS_SHOWN = 360, COLUMNS_MOST = 64 };

static const char *const places[GB_CELL_KINDS] = {
    [GB_CELL_LOCAL] = "within a branch", [GB_CELL_GLOBAL] = "over the root switch"};

int gb_svg_phases(gb_svg *svg, const gbcast_plan *plan) {
  const gb_legend legend[] = {
      {"lan", "global: over the root switch"}, {"node", "local: within a branch of switches"}, {NULL, NULL}};
  const gb_alltoall_site *site = plan->alltoall->site;
  const gb_phases *phases = &site->phases;
  gb_cells c;
  const int rc = gb_cells_begin(&c, site, phases->count,
                                phases->message_count <= MESSAGES_SHOWN ? COLUMNS_SHOWN : COLUMNS_MOST);
  if (rc == GBCAST_OK) {
    for (uint32_t k = 0; k < phases->message_count; k++) {
      const gb_message *m = &phases->message[k];
      const uint32_t column = (uint32_t)((uint64_t)phases->phase[k] * c.columns / phases->count);
      gb_cells_count(&c, m->from, m->to, column,
                     gb_alltoall_is_local(site, m) ? GB_CELL_LOCAL : GB_CELL_GLOBAL);
    }
    gb_svg_legend(svg, legend);
    svg->y += 26;
    gb_svg_text(svg, GB_SVG_LEFT, svg->y, "m", "%s sends in phases that are drawn equally long%s",
                c.rows < c.hosts
                    ? "Too many hosts to show: each row is some of them, the first one named. Each"
                    : "Each row is a host, which",
                c.columns < phases->count || c.rows < c.hosts
                    ? "; the fuller a square, the more of its hosts are at work."
                    : ".");
    const gb_axis axis = {c.x, GB_SVG_RIGHT, plan->predicted > plan->bound ? plan->predicted : plan->bound};
    c.width = (gb_axis_x(&axis, plan->predicted) - c.x) / c.columns;
    c.height = c.rows <= 24 ? 20 : 13;
    c.y = svg->y + GB_AXIS_HEIGHT + 30;
    const double bottom = c.y + c.rows * c.height;
    gb_axis_ticks(svg, &axis, plan, c.y - 18, bottom + 4);
    gb_svg_text(svg, GB_SVG_LEFT, c.y - 5, "s m", "phase");
    gb_cells_draw(svg, &c, places, true);
    gb_axis_marks(svg, &axis, plan, c.y - 18, bottom + 4);
    svg->y = bottom + 18;
  }
  gb_cells_end(&c);
  return rc;
}

/* Hosts of a group have places side by side; across groups they send to those of the same position. */
static enum gb_cell_kind kind_of(const gb_cells *c, gb_sync_choice choice, uint32_t from, uint32_t to) {
  const uint32_t group = choice.block;
  if (choice.sync->groups) {
    return c->place[from] / group == c->place[to] / group   ? GB_CELL_LOCAL
           : c->place[from] % group == c->place[to] % group ? GB_CELL_GLOBAL
                                                            : GB_CELL_KINDS;
  }
  const gb_phases *phases = &c->site->phases;
  return phases->subtree[from] == phases->subtree[to] ? GB_CELL_LOCAL : GB_CELL_GLOBAL;
}

int gb_svg_matrix(gb_svg *svg, const gbcast_plan *plan) {
  static const char *const steps[GB_CELL_KINDS] = {[GB_CELL_LOCAL] = "in the first step, inside a group",
                                                   [GB_CELL_GLOBAL] = "in the second step, across groups"};
  const gb_alltoall *a = plan->alltoall;
  const bool groups = a->sync.sync->groups;
  const gb_legend legend[] = {{"lan", groups ? steps[GB_CELL_GLOBAL] : "over the root switch"},
                              {"node", groups ? steps[GB_CELL_LOCAL] : "within a branch of switches"},
                              {NULL, NULL}};
  gb_cells c;
  const int rc = gb_cells_begin(&c, a->site, a->site->machines.count, GB_CELL_ROWS);
  if (rc == GBCAST_OK) {
    for (uint32_t from = 0; from < c.hosts; from++) {
      for (uint32_t to = 0; to < c.hosts; to++) {
        const enum gb_cell_kind kind = from == to ? GB_CELL_KINDS : kind_of(&c, a->sync, from, to);
        if (kind < GB_CELL_KINDS)
          gb_cells_count(&c, from, to, gb_cells_row(&c, to), kind);
      }
    }
    svg->y += 30;
    gb_svg_text(svg, GB_SVG_LEFT, svg->y, "b", "%s",
                groups ? "Who sends to whom: rows send, columns receive; what is for others is passed on"
                       : "Who sends to whom: rows send, columns receive");
    gb_svg_legend(svg, legend);
    c.height = c.width = c.rows <= 24 ? 20 : 12;
    c.y = svg->y + 28;
    gb_cells_draw(svg, &c, groups ? steps : places, false);
    gb_svg_box(svg, c.x, c.y, c.columns * c.width, c.rows * c.height, "key");
    svg->y = c.y + c.rows * c.height + 10;
  }
  gb_cells_end(&c);
  return rc;
}
