/* The rows of a picture: each stands for some endpoints. As many are shown as can be read; of larger jobs
 * ranks are folded to hosts, these to the hosts of one switch, or of few sites to some that are side by side,
 * these to sites, and at last all but the first sites to one row. */
#ifndef GB_PLAN_SHOW_AGGREGATE_H
#define GB_PLAN_SHOW_AGGREGATE_H

#include "plan/core/core.h"

enum gb_fold_to {
  GB_FOLD_NONE,
  GB_FOLD_HOSTS,
  GB_FOLD_SWITCHES,
  GB_FOLD_BLOCKS,
  GB_FOLD_SITES,
  GB_FOLD_MORE
};

typedef struct gb_fold_row {
  uint32_t site;         /* GB_NONE: several */
  uint32_t first, count; /* endpoints side by side; of several sites only their number */
  uint32_t hosts;
} gb_fold_row;

typedef struct gb_fold {
  enum gb_fold_to to;
  uint32_t count; /* of rows */
  gb_fold_row *row;
  uint32_t *of; /* endpoint_count: its row */
} gb_fold;

/* How many rows there may be with a row for each rank, and with one for each host or switch. */
typedef struct gb_fold_limits {
  uint32_t ranks, rows;
} gb_fold_limits;

/* Sites in this order (site_count). Returns GBCAST_OK or GBCAST_EMEMORY. */
int gb_fold_new(const gbcast_plan *plan, const uint32_t *sites, gb_fold_limits limits, gb_fold *fold);
void gb_fold_free(gb_fold *fold);

/* A name, cut to what there is room for: "n0.ottawa", "a-long-na…", "host 3, 4 ranks". */
typedef struct gb_name {
  char s[160];
} gb_name;
#define GB_NAME_MOST 32u /* letters */

gb_name gb_short_name(const char *name, uint32_t letters);
uint32_t gb_letters(const char *name);
gb_name gb_fold_name(const gbcast_plan *plan, const gb_fold *fold, uint32_t row, uint32_t letters);

/* What the sends of one level, or of one level and tree, into one row are together. */
typedef struct gb_bar {
  uint32_t sends;        /* 0: there are none */
  uint32_t critical;     /* of these */
  uint32_t tree, to;     /* the first of them, by its time */
  double start, arrival; /* s: the first, the last */
} gb_bar;

void gb_bar_join(gb_bar *bar, const gb_bar *more);

#define GB_TREES_SHOWN 4u /* each by itself; of plans with more, all together */

/* bar[row * per_row + level * trees + tree], where trees is 1 for plans of too many. */
typedef struct gb_bars {
  uint32_t trees, per_row;
  gb_bar *bar;
} gb_bars;

/* critical: of gb_critical_path. Returns GBCAST_OK or GBCAST_EMEMORY. */
int gb_bars_new(const gbcast_plan *plan, const gb_fold *fold, const bool *critical, gb_bars *bars);

/* All about a bar: who sends to whom, and when. */
typedef struct gb_tip {
  char s[800];
} gb_tip;
gb_tip gb_bar_tip(const gbcast_plan *plan, const gb_bars *bars, const gb_bar *bar, enum gb_level level);

#endif
