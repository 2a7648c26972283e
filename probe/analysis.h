/* What gbcast-probe makes of its measurements, without MPI: statistics, sites from latencies, rounds of pairs
 * that may be measured at the same time, the parameters of the cost models, and the hosts file.
 *
 * Times are in seconds, sizes in bytes, rates in bytes a second. A direction is 0, from the first host of a
 * pair to the second, or 1, back. */
#ifndef GB_PROBE_ANALYSIS_H
#define GB_PROBE_ANALYSIS_H

#include "platform/platform.h"

enum { GB_PROBE_SIZES = 24, GB_PROBE_SAMPLES = 31 }; /* at most: message sizes; samples of a value */

typedef struct gb_median { /* the median of some samples */
  double value;
  double spread; /* median distance of the samples from `value`, as a fraction of `value` */
  uint32_t samples;
} gb_median;

/* Sorts the samples in ascending order. */
void gb_sort_samples(double *sample, uint32_t count);

/* Returns the median of the samples, which it overwrites. Without samples all fields are 0. */
gb_median gb_median_of(double *sample, uint32_t count);

/* Sets outlier[i] if value[i] is above the median by more than half of the median and by more than three
 * times the median distance from it. Among fewer than four values there is no outlier. *usual: the median.
 * GBCAST_EMEMORY. */
int gb_outliers(const double *value, uint32_t count, bool *outlier, gb_median *usual, gbcast_error *err);

/* ---- sites ---- */

typedef struct gb_near { /* two hosts, and the latency between them in one direction */
  uint32_t a, b;
  double latency;
} gb_near;

typedef struct gb_group { /* the hosts of one site */
  double within; /* the longest latency by which single linkage joined its hosts; 0: it has one host */
  double apart;  /* the shortest latency measured to a host of another group; 0: none was measured */
  uint32_t inner, outer; /* the two hosts of that measurement; `inner` is in this group */
  uint32_t hosts;        /* how many */
} gb_group;

typedef struct gb_groups {
  uint32_t count;
  uint32_t *of;    /* the group of each host */
  gb_group *group; /* in the order of their first hosts */
} gb_groups;

/* Groups hosts whose latency to each other is well below their latency to the others. As edges of a graph the
 * pairs must connect all hosts; the function sorts them. *out is to be given to gb_groups_release().
 * GBCAST_EMEMORY. */
int gb_probe_groups(uint32_t hosts, gb_near *pair, uint32_t pairs, gb_groups *out, gbcast_error *err);
void gb_groups_release(gb_groups *groups);

/* Finds a name for the site of a group: see names.c. of[h]: the group of host h. *start points into the name
 * of a host. Returns the length of the site's name; 0: the hosts' names suggest none. */
size_t gb_probe_site_name(const char *const *name, const uint32_t *of, uint32_t hosts, uint32_t group,
                          const char **start);

/* Two hosts with a latency below this (s) are in one site, whatever the other latencies are. */
#define GB_PROBE_NEAR 200e-6

/* ---- what is measured ---- */

typedef struct gb_probe_point { /* one message size */
  uint64_t bytes;
  gb_median rtt;     /* of a message of this size and an answer of the same size */
  gb_median gap[2];  /* g(m), by direction */
  gb_median send[2]; /* how long MPI_Send() takes at the first and at the second host: the injection time */
  gb_median receive[2]; /* how long MPI_Recv() takes there for a message that has already arrived */
} gb_probe_point;

typedef struct gb_probe_table {
  gb_median rate[2]; /* of a stream, by direction; without samples it was not measured */
  uint32_t count;
  gb_probe_point point[GB_PROBE_SIZES]; /* by increasing size */
} gb_probe_table;

typedef struct gb_probe_task { /* one pair of hosts, measured in both directions */
  uint32_t host[2];
  int rank[2];    /* rank[0] is the lower one; it leads the measurement */
  uint32_t round; /* tasks of one round share no link, and are measured at the same time */
  double rough;   /* an earlier, rough value of the latency between the two sites; 0: there is none */
  bool reported;  /* rank 0 has the report of rank[0] */
  gb_probe_table table;
} gb_probe_task;

/* Whether at least `sizes` sizes, and the rates of streams in both directions, were measured. */
static inline bool gb_task_is_complete(const gb_probe_task *t, uint32_t sizes) {
  return t->table.count >= sizes && t->table.rate[0].samples > 0 && t->table.rate[1].samples > 0;
}

/* One stream of a set. The streams of a set run at the same time between sites. Where one stream cannot fill
 * a link, their total shows what the link between two sites carries, or that of one site to all others. */
typedef struct gb_probe_flow {
  uint32_t host[2]; /* sender and receiver */
  int rank[2];
  uint32_t set;
  uint32_t round; /* sets of one round share no link, and run at the same time */
  uint32_t site;  /* the site whose link to all others is measured; GB_NONE: the link between two sites is */
  double alone;   /* about what the stream carries without the others, bytes/s */
  double rough;   /* latency, about */
  gb_median rate; /* what it carried with the others, bytes/s */
  bool measured;  /* `rate` is set */
} gb_probe_flow;

typedef struct gb_probe_ends { /* the two hosts of a pair or stream that needs a round */
  uint32_t host[2];
  uint32_t machine[2]; /* hosts on one machine share its network link */
  uint32_t set;        /* entries of a set lie side by side, and get the same round; GB_NONE: in no set */
  uint32_t round;
} gb_probe_ends;

/* Sets the rounds, from 0: first fit in the given order. Entries of one round share no link, site or machine,
 * except within a set. `machines`: how many there are. *rounds: how many are needed. GBCAST_EMEMORY. */
int gb_probe_rounds(const gbcast_platform *p, uint32_t machines, gb_probe_ends *ends, uint32_t count,
                    uint32_t *rounds, gbcast_error *err);

/* ---- parameters ---- */

typedef struct gb_flood_times { /* floods of `count` messages in one direction, timed by the sender */
  uint32_t count;
  gb_median total; /* from the first send until the acknowledgement of the last message */
  double sending;  /* from the first send until the last one is complete: the median */
} gb_flood_times;

/* Sets gap[d] to g(m) of direction d, from floods in both directions, the RTT of the same size and the RTT of
 * an empty message. Each flood must have at least two messages. */
void gb_probe_gaps(const gb_flood_times times[2], double rtt, double empty, gb_median gap[2]);

/* Raises each gap to at least that of the size before: a larger message does not take less time. */
void gb_probe_make_monotone(gb_probe_table *table);

/* Returns L(m), which is the same in both directions. *clamped: it would be below 0, and 0 is returned. */
double gb_probe_latency(const gb_probe_point *point, bool *clamped);

#define GB_PROBE_LEAST_LATENCY 1e-9 /* s; a cluster or link line cannot have 0 */

typedef struct gb_probe_line { /* the values of a cluster or link line */
  double latency, bandwidth, overhead;
} gb_probe_line;

/* Derives a line for one direction. The table must have at least one point. */
gb_probe_line gb_probe_derive(const gb_probe_table *table, int direction);

/* Rounds to four significant digits: a measurement is not more accurate, and people read these numbers. */
double gb_probe_round(double value);

/* ---- the hosts file ---- */

typedef struct gb_probe_report {
  const gbcast_platform *platform;
  const gb_groups *groups; /* of the sites that were found; NULL: the platform was given */
  const gb_probe_task *task;
  uint32_t task_count;
  const gb_probe_flow *flow;
  uint32_t flow_count;
  const uint64_t *size; /* the message sizes that were asked for */
  uint32_t size_count;
  const char *version;
  const char *when; /* date and time in UTC */
  int ranks;
  double seconds, budget; /* that it took, and that it could take; budget INFINITY: no limit */
  uint64_t window;        /* initial-window of links between sites, bytes; 0: none */
  const char *notes;      /* comment lines, each with # and newline; may be empty */
} gb_probe_report;

/* Writes the hosts file. GBCAST_EMEMORY, or GBCAST_EINPUT if writing fails. */
int gb_probe_write(const gb_probe_report *report, FILE *out, gbcast_error *err);

/* ---- updating an existing hosts file (--merge) ---- */

/* Writes the text of a hosts file with its numbers replaced by those of `now`, a platform with the same
 * sites. Everything else stays as it is, byte for byte. `name` stands for the file in messages.
 * GBCAST_EINPUT: the text has a mistake; GBCAST_EMEMORY. */
int gb_probe_merge(const char *text, size_t length, const char *name, const gbcast_platform *now, FILE *out,
                   gbcast_error *err);

/* Prints a line for each number of `now` that is not in `merged`, the platform of the text that
 * gb_probe_merge() has written. */
void gb_probe_tell_unplaced(const gbcast_platform *merged, const gbcast_platform *now, FILE *out);

#endif
