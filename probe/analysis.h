/* What gbcast-probe does with its measurements, without MPI: statistics, sites from latencies, which pairs
 * may be measured at the same time, the parameters of the models, the hosts file. Seconds, bytes, bytes a
 * second.
 */
#ifndef GB_PROBE_ANALYSIS_H
#define GB_PROBE_ANALYSIS_H

#include "platform/platform.h"

enum { GB_PROBE_SIZES = 24, GB_PROBE_SAMPLES = 31 };

typedef struct gb_median { /* the median of some samples */
  double value;
  double spread; /* median distance of the samples from it, as a share of it */
  uint32_t samples;
} gb_median;

/* Overwrites the samples. No samples: all 0. */
gb_median gb_median_of(double *sample, uint32_t count);

/* Sets outlier[i] where a value is above the median by more than three times the median distance from it and
 * by more than half of it. Fewer than four values: none is. GBCAST_EMEMORY. */
int gb_outliers(const double *value, uint32_t count, bool *outlier, gb_median *usual, gbcast_error *err);

/* ---- sites ---- */

typedef struct gb_near { /* two hosts, and the latency in one direction (s) */
  uint32_t a, b;
  double latency;
} gb_near;

typedef struct gb_group {
  double within;         /* the longest step that joins its hosts; 0 for a host alone */
  double apart;          /* least latency measured to a host of another group; 0: there is none */
  uint32_t inner, outer; /* the hosts between which that was */
  uint32_t hosts;
} gb_group;

typedef struct gb_groups {
  uint32_t count;
  uint32_t *of;    /* by host */
  gb_group *group; /* in the order of their first hosts */
} gb_groups;

/* Groups hosts whose mutual latency is well below the latency to the others. `pair` joins all hosts, and is
 * sorted. GBCAST_EMEMORY. */
int gb_probe_groups(uint32_t hosts, gb_near *pair, uint32_t pairs, gb_groups *out, gbcast_error *err);
void gb_groups_release(gb_groups *groups);

/* What the names of a group's hosts and no others begin with, up to its last letter, where no name has a
 * domain: its length, or 0. of[h] is the group of host h. */
size_t gb_probe_prefix(const char *const *name, const uint32_t *of, uint32_t hosts, uint32_t group,
                       const char **prefix);

/* Below this latency two hosts are in one site whatever the others are. */
#define GB_PROBE_NEAR 200e-6

/* ---- what is measured ---- */

typedef struct gb_probe_point { /* one message size; [0] is from the pair's first end to the second, [1] back
                                 */
  uint64_t bytes;
  gb_median rtt;
  gb_median gap[2];
  gb_median send[2];    /* a blocking send keeps its sender: the injection time */
  gb_median receive[2]; /* a receive of what has come already */
} gb_probe_point;

typedef struct gb_probe_table {
  gb_median rate[2]; /* bytes/s of a stream, in both directions; no samples: not measured */
  uint32_t count;
  gb_probe_point point[GB_PROBE_SIZES]; /* by increasing size */
} gb_probe_table;

typedef struct gb_probe_task { /* one pair of hosts, measured in both directions */
  uint32_t host[2];
  int rank[2];    /* the lower one leads */
  uint32_t round; /* tasks of one round share nothing */
  double rough;   /* latency between the two sites that was known before; 0: none */
  bool reported;  /* the pair is done */
  gb_probe_table table;
} gb_probe_task;

/* Whether so many sizes and the rates were measured. */
static inline bool gb_task_is_complete(const gb_probe_task *t, uint32_t sizes) {
  return t->table.count >= sizes && t->table.rate[0].samples > 0 && t->table.rate[1].samples > 0;
}

/* One of several streams that run at the same time between sites: they show what a link carries in all, or
 * what a site's own link does, where one stream cannot fill it. */
typedef struct gb_probe_flow {
  uint32_t host[2]; /* from and to */
  int rank[2];
  uint32_t set;   /* flows of one set run together */
  uint32_t round; /* sets of one round share nothing */
  uint32_t site;  /* whose link to all others is measured; GB_NONE: the link between two sites is */
  double alone;   /* what it carries without the others, bytes/s, about */
  double rough;   /* latency, about (s) */
  double rate;    /* what it carried, bytes/s */
  bool measured;
} gb_probe_flow;

typedef struct gb_probe_ends { /* of what is measured: two hosts */
  uint32_t host[2];
  uint32_t machine[2]; /* ranks of one machine share its links, whatever hosts they stand for */
  uint32_t set;        /* those of one set, which follow each other, are in one round; GB_NONE: alone */
  uint32_t round;
} gb_probe_ends;

/* Sets the rounds: first fit in the order given, and what is in one round shares nothing. GBCAST_EMEMORY. */
int gb_probe_rounds(const gbcast_platform *p, uint32_t machines, gb_probe_ends *ends, uint32_t count,
                    uint32_t *rounds, gbcast_error *err);

/* ---- parameters ---- */

typedef struct gb_flood_times { /* floods of `count` messages in one direction, by the sender's clock */
  uint32_t count;
  gb_median total; /* from the first send to the acknowledgement of the last */
  double sending;  /* until the last send was done */
} gb_flood_times;

/* g(m) in both directions, from floods and the RTT of the same size; `empty` is the RTT of an empty message.
 * At least two messages a flood. */
void gb_probe_gaps(const gb_flood_times times[2], double rtt, double empty, gb_median gap[2]);

/* A larger message does not take less: each gap is at least that of the size before. */
void gb_probe_make_monotone(gb_probe_table *table);

/* L(m), the same in both directions; *clamped: it was below 0, which cannot be. */
double gb_probe_latency(const gb_probe_point *point, bool *clamped);

#define GB_PROBE_LEAST_LATENCY 1e-9 /* of a line: 0 cannot stand there */

typedef struct gb_probe_line { /* what a cluster or link line says */
  double latency, bandwidth, overhead;
} gb_probe_line;

/* The table has at least one point. */
gb_probe_line gb_probe_derive(const gb_probe_table *table, int direction);

/* Four significant digits: what a measurement is worth, and what a reader can take in. */
double gb_probe_round(double value);

/* ---- the hosts file ---- */

typedef struct gb_probe_report {
  const gbcast_platform *platform;
  const gb_groups *groups; /* the sites were found; NULL: the platform was given */
  const gb_probe_task *task;
  uint32_t task_count;
  const gb_probe_flow *flow;
  uint32_t flow_count;
  const uint64_t *size; /* asked for */
  uint32_t size_count;
  const char *version;
  const char *when; /* UTC */
  int ranks;
  double seconds, budget;
  uint64_t window;   /* bytes: initial-window of links between sites; 0: none */
  const char *notes; /* lines, each with its newline; may be empty */
} gb_probe_report;

/* Returns GBCAST_EMEMORY, or GBCAST_EINPUT when writing fails. */
int gb_probe_write(const gb_probe_report *report, FILE *out, gbcast_error *err);

/* ---- a hosts file that is there, with other numbers ---- */

/* Writes the text of a hosts file again, with the numbers of `now`, which has the same sites, where the text
 * has numbers; all else stays as it is. `name` stands in messages. GBCAST_EINPUT: the text has a mistake. */
int gb_probe_merge(const char *text, size_t length, const char *name, const gbcast_platform *now, FILE *out,
                   gbcast_error *err);

/* Names, a line each, what `now` says and `merged`, the platform of the text that came out, does not. */
void gb_probe_tell_unplaced(const gbcast_platform *merged, const gbcast_platform *now, FILE *out);

#endif
