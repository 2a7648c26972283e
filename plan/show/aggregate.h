/* The rows of a picture: each stands for some endpoints. As many are shown as can be read; in larger jobs a
 * row is the ranks of a host, else the hosts of a switch, or of one site some hosts that are side by side,
 * else a site, and the last row all sites but the first ones. */
#ifndef GB_PLAN_SHOW_AGGREGATE_H
#define GB_PLAN_SHOW_AGGREGATE_H

#include "plan/core/core.h"

enum gb_aggregate_by {
  GB_AGGREGATE_NONE,
  GB_AGGREGATE_HOSTS,
  GB_AGGREGATE_SWITCHES,
  GB_AGGREGATE_BLOCKS,
  GB_AGGREGATE_SITES,
  GB_AGGREGATE_MORE
};

typedef struct gb_aggregate_row {
  uint32_t site;         /* GB_NONE: several */
  uint32_t first, count; /* endpoints side by side; of several sites only their number */
  uint32_t hosts;
} gb_aggregate_row;

typedef struct gb_aggregate {
  enum gb_aggregate_by to;
  uint32_t count; /* of rows */
  gb_aggregate_row *row;
  uint32_t *of; /* endpoint_count: its row */
} gb_aggregate;

/* How many rows there may be with a row for each rank, and with one for each host; and with how many sites
 * a row may be less than a site. */
typedef struct gb_aggregate_limits {
  uint32_t ranks, hosts, sites;
} gb_aggregate_limits;

/* Sites in this order (site_count). Returns GBCAST_OK or GBCAST_EMEMORY. */
int gb_aggregate_new(const gbcast_plan *plan, const uint32_t *sites, gb_aggregate_limits limits,
                     gb_aggregate *aggregate);
void gb_aggregate_free(gb_aggregate *aggregate);

/* A name, cut to what there is room for: "n0.ottawa", "a-long-na…ttawa", "host 3, 4 ranks". */
typedef struct gb_name {
  char s[160];
} gb_name;
#define GB_NAME_MOST 32u /* characters */

gb_name gb_short_name(const char *name, uint32_t characters);
uint32_t gb_character_count(const char *name);
gb_name gb_aggregate_name(const gbcast_plan *plan, const gb_aggregate *aggregate, uint32_t row,
                          uint32_t characters);

/* What the sends of one level, or of one level and tree, into one row are together. */
typedef struct gb_bar {
  uint32_t sends;        /* 0: there are none */
  uint32_t critical;     /* of these */
  uint32_t tree, to;     /* the first of them, by its time */
  double start, arrival; /* s: the first, the last */
} gb_bar;

/* One send: of a tree, to an endpoint. critical: of gb_critical_path. */
gb_bar gb_bar_of(const gbcast_plan *plan, const bool *critical, uint32_t tree, uint32_t to);
void gb_bar_join(gb_bar *bar, const gb_bar *more);

#define GB_TREES_SHOWN                                                                                       \
  4u /* each by itself; all together in plans with more, and in rows of several hosts                        \
      */

/* bar[row * per_row + level * trees + tree], where trees is 1 for plans of too many. */
typedef struct gb_bars {
  uint32_t trees, per_row;
  gb_bar *bar;
} gb_bars;

/* critical: of gb_critical_path. Returns GBCAST_OK or GBCAST_EMEMORY. */
int gb_bars_new(const gbcast_plan *plan, const gb_aggregate *aggregate, const bool *critical, gb_bars *bars);

/* The text of a bar: who sends to whom, and when. */
typedef struct gb_tip {
  char s[800];
} gb_tip;
gb_tip gb_bar_tip(const gbcast_plan *plan, const gb_bar *bar, enum gb_level level,
                  bool tree); /* names its tree */

#endif
