/* Squares of an all-to-all in one cluster: a row for each host, or for some that are side by side, and a
 * column for each phase, or some of them; or a column for each receiver, where there are no phases.
 *
 *             phase 0   1     2
 *         n0  |-> n1 |-> n3 |-> n2 |
 *         n1  |-> n3 |      |-> n0 |
 *
 * Where hosts or phases are aggregated, the coloured part of a square says how many of them send, next to the
 * fullest one. */
#ifndef GB_PLAN_SHOW_SVG_CELLS_H
#define GB_PLAN_SHOW_SVG_CELLS_H

#include "plan/show/svg.h"

#define GB_CELL_ROWS 64u /* at most */

enum gb_cell_kind { GB_CELL_LOCAL, GB_CELL_GLOBAL, GB_CELL_KINDS };

typedef struct gb_cells {
  const gb_alltoall_site *site;
  uint32_t hosts, rows, columns;
  uint32_t in_columns;        /* phases, or hosts, that are aggregated to the columns */
  uint32_t *place;            /* hosts: by machine, in the depth-first order of switches */
  uint32_t *sends;            /* rows * columns * GB_CELL_KINDS */
  uint32_t *sample;           /* rows * columns: one of the receivers, or hosts */
  double most;                /* the largest part of a square's possible sends that there is */
  double x, y, width, height; /* of the squares */
} gb_cells;

/* in_columns: what is to be in columns, of which there are no more than `most`. GBCAST_OK or GBCAST_EMEMORY;
 * gb_cells_end either way. */
int gb_cells_begin(gb_cells *c, const gb_alltoall_site *site, uint32_t in_columns, uint32_t most);
void gb_cells_end(gb_cells *c);

uint32_t gb_cells_row(const gb_cells *c, uint32_t machine);
void gb_cells_count(gb_cells *c, uint32_t from, uint32_t to, uint32_t column, enum gb_cell_kind kind);

/* Once all is counted, and y, width and height are set. where: what the kinds are, in words; phases: columns
 * are these. */
void gb_cells_draw(gb_svg *svg, gb_cells *c, const char *const where[GB_CELL_KINDS], bool phases);

#endif
