/* The platform: what a hosts file says about hosts, switches, clusters and links, with live values laid over
 * the links. It is plain data that does not change while anybody plans on it.
 *
 * Times are in seconds, rates in bytes a second, sizes in bytes. Beside this header the room has those of
 * three rooms inside it:
 *
 *   platform/text/text.h   words, names, numbers with units, error messages; included here
 *   platform/cost/cost.h   routes, and what a message costs on them
 *   platform/live/live.h   live values, from their source to the links of a platform */
#ifndef GB_PLATFORM_PLATFORM_H
#define GB_PLATFORM_PLATFORM_H

#include "platform/text/text.h"
#include <gbcast/platform.h>

/* fmax and fmin without calls into libm; arguments are never NaN. */
static inline double gb_larger(double a, double b) {
  return a > b ? a : b;
}

static inline double gb_smaller(double a, double b) {
  return a < b ? a : b;
}

/* ---- The data ---- */

typedef struct gb_plogp_point {
  uint64_t bytes;
  double gap, latency;
  double send_overhead, receive_overhead; /* -1 when not given */
} gb_plogp_point;

typedef struct gb_plogp {
  uint32_t count;        /* 0: nothing was measured */
  gb_plogp_point *point; /* by increasing size */
} gb_plogp;

typedef struct gb_host {
  char *name;
  char *user;  /* of user@host, or NULL */
  char *extra; /* unknown key=value words, kept as written, separated by blanks, or NULL */
  uint32_t cluster;
  uint32_t sw;    /* its switch, or GB_NONE: straight on the cluster's core */
  uint32_t slots; /* ranks it may take, at least 1 */
  gb_place where;
} gb_host;

/* Slots of one host that follow each other. */
typedef struct gb_slot_run {
  uint32_t host;
  uint32_t first; /* position of the first of them among all slots, from 0 */
  uint32_t k;     /* and among those of its host */
} gb_slot_run;

typedef struct gb_switch {
  char *name;
  uint32_t cluster;
  uint32_t uplink;           /* the switch above, or GB_NONE: joined to the cluster's core */
  uint32_t depth;            /* cables between it and the top: 0 when uplink is GB_NONE */
  double bandwidth, latency; /* of the cable to its uplink (or core), each direction */
  gb_place where;
} gb_switch;

#define GB_DEFAULT_OVERHEAD 2e-6 /* s */

typedef struct gb_cluster {
  char *name;
  uint32_t leader;        /* host named by leader=, or GB_NONE */
  double latency;         /* between two hosts on one switch */
  double bandwidth;       /* of each host's own link, each direction */
  bool assumed_bandwidth; /* the file does not say it */
  double overhead;
  double wan_bandwidth; /* INFINITY when not given */
  double reduce;        /* s a byte that a host takes to combine operands with others; 0 when not given */
  double contention;    /* by how much of their time messages take longer, at most, where they contend */
  double egress;        /* USD a byte that leaves it; 0 when not given */
  double hire;          /* USD a second for each of its hosts; 0 when not given */
  bool relay;           /* its hosts have no ranks, but may pass data on */
  gb_plogp plogp;
  uint32_t host_start, host_count; /* into host_of_cluster */
  uint32_t switch_count;
  uint32_t top_count;   /* its switches without uplink */
  bool has_loose_hosts; /* some host is on no switch */
  gb_place where;
} gb_cluster;

typedef struct gb_link { /* one direction between two sites */
  uint32_t from, to;     /* clusters */
  double latency, bandwidth, overhead;
  double stream_bandwidth; /* INFINITY when not given */
  double initial_window;   /* bytes that a stream sends before the first answer; INFINITY when not given */
  double injection;        /* -1 when not given */
  double egress;           /* USD a byte; that of the cluster it leaves when not given */
  bool assumed_bandwidth;  /* neither the file nor a measurement says it */
  gb_plogp plogp;
  gb_place where;
} gb_link;

typedef struct gb_remarks { /* lines of text */
  char **line;
  uint32_t count, capacity;
} gb_remarks;

struct gbcast_platform {
  char *file; /* its name in messages */
  uint32_t host_count, switch_count, cluster_count, link_count;
  gb_host *host;             /* in file order; a repeated host adds slots to the first */
  gb_switch *sw;             /* in file order */
  gb_cluster *cluster;       /* in the order in which the sites are first mentioned */
  uint32_t *host_of_cluster; /* hosts grouped by cluster, in file order within each */
  gb_link *link;             /* by from, then to */
  uint32_t *link_start;      /* cluster_count + 1: links that leave a site */
  bool priced;               /* some egress= or hire= is above 0 */
  bool assumed_mesh;         /* no cluster and no link line: every pair joined by `assumed` */
  gb_link assumed;
  uint64_t slot_count;
  uint32_t run_count;
  gb_slot_run *run; /* all slots in file order: a host that other lines name, too, has several runs */
  gb_remarks notes, warnings; /* see gbcast_platform_note, gbcast_platform_warning */
  struct gb_weather *weather; /* live values laid over the links, or NULL */
  void *storage;              /* owns what the fields above point into */
};

/* ---- Reading it with all of its mistakes ---- */

typedef void gb_mistake_sink(void *context, const char *message);

/* As gbcast_platform_read; path NULL: standard input. With a `report` it goes on after a mistake and gives
 * each to it; err then tells how many there are. */
int gb_platform_check(const char *path, gb_mistake_sink *report, void *context, gbcast_platform **out,
                      gbcast_error *err);

/* The same of a text, as gbcast_platform_parse. */
int gb_platform_parse(const char *text, size_t length, const char *name, gb_mistake_sink *report,
                      void *context, gbcast_platform **out, gbcast_error *err);

/* ---- Questions about it ---- */

/* The direct link, or NULL. */
const gb_link *gb_platform_link(const gbcast_platform *p, uint32_t from, uint32_t to);

/* Whether a message takes as long on both: all but the ends and where the file says it is the same. */
bool gb_links_alike(const gb_link *a, const gb_link *b);

/* Index of a name, or GB_NONE. */
uint32_t gb_platform_find_host(const gbcast_platform *p, const char *name);
uint32_t gb_platform_find_cluster(const gbcast_platform *p, const char *name);

/* The host that speaks for a cluster: leader= where given, else the first in the file. */
uint32_t gb_platform_leader(const gbcast_platform *p, uint32_t cluster);

/* How many slots a run has. */
uint32_t gb_slot_run_length(const gbcast_platform *p, uint32_t run);

/* Whether the slots of a host are for ranks: a relay's are not. */
static inline bool gb_takes_ranks(const gbcast_platform *p, uint32_t host) {
  return !p->cluster[p->host[host].cluster].relay;
}

/* Whether a line that begins with this word is no host line. */
bool gb_is_keyword(const char *word);

/* ---- The platform against its direction (turn.c) ---- */

enum gb_turn {
  GB_TURN_NOT,
  GB_TURN_ROUND, /* the link from A to B is as that from B to A */
  GB_TURN_BOTH   /* both are as the worse of the two, with the mean latency */
};

/* Sets *out to a platform that shares all but the links with `p`, which must outlive it; NULL: it would be
 * the same as `p`. To be given to gb_platform_turned_free. GBCAST_EMEMORY. */
int gb_platform_turn(const gbcast_platform *p, enum gb_turn turn, gbcast_platform **out, gbcast_error *err);
void gb_platform_turned_free(gbcast_platform *turned); /* NULL is allowed */

/* ---- What live values say about the links (platform/live/live.h finds it) ---- */

enum gb_reading_state {
  GB_READING_NONE,    /* no live value */
  GB_READING_USED,    /* the link has it */
  GB_READING_OLD,     /* older than the maximum age: the link keeps the file's value */
  GB_READING_USELESS, /* no positive number: the link keeps the file's value */
  GB_READING_ABSURD   /* too far from the file's value, which the link keeps */
};

typedef struct gb_reading {
  double value; /* s or bytes/s */
  double error; /* in the same unit; negative: not known */
  double age;   /* s */
  double file;  /* what the link had before, set by gb_overlay */
  uint32_t state;
  uint32_t pairs; /* series between the two sites that said something usable */
} gb_reading;

enum gb_table_change { /* what became of the link's plogp table */
                       GB_TABLE_KEPT,
                       GB_TABLE_MOVED,  /* only the latency is live: all latencies of the table changed by the
                                           same amount */
                       GB_TABLE_DROPPED /* the bandwidth is live, and the table would hide it */
};

typedef struct gb_finding { /* about one directed link */
  uint32_t from, to;        /* clusters */
  gb_reading latency, bandwidth;
  uint32_t plogp; /* enum gb_table_change, set by gb_overlay */
} gb_finding;

enum gb_ignored { /* why values are of no use */
                  GB_IGNORED_UNKNOWN,
                  GB_IGNORED_INSIDE,
                  GB_IGNORED_LINKLESS,
                  GB_IGNORED_UNREADABLE, /* lines of a live file */
                  GB_IGNORED_KINDS
};

typedef struct gb_weather { /* plain data but for the first two pointers, so that it can be sent as it is */
  char *source;
  gb_finding *finding; /* by from, then to */
  uint32_t count;
  uint32_t assumed; /* set by gb_overlay: what was there before is assumed, and not of the file */
  double max_age;   /* s */
  uint32_t ignored[GB_IGNORED_KINDS]; /* how many values */
  char first[GB_IGNORED_KINDS]
            [256]; /* "from to" of the first of each, perhaps cut; what is wrong with a line */
} gb_weather;

void gb_weather_release(gb_weather *weather);

/* What was found about a link, or NULL. */
const gb_finding *gb_weather_of(const gb_weather *weather, uint32_t from, uint32_t to);

/* For a link without live values: no readings, and what the file says. */
gb_finding gb_no_finding(const gb_link *link);

/* Expected error over value from which a value counts as uncertain. A plan whose link is off by that much may
 * take a quarter longer than predicted: more than the difference between most candidates. */
#define GB_UNCERTAIN 0.25

/* Whether the value is used and uncertain. */
bool gb_reading_uncertain(const gb_reading *reading);

/* Whether the live value is another than that of the file. */
static inline bool gb_reading_changes(const gb_reading *reading) {
  return reading->state == GB_READING_USED && reading->value != reading->file;
}

/* ---- Hosts by the names that they have elsewhere, such as those of processors or of a batch system ----
 *
 * A host is, in this order,
 *
 *   the one of that very name,
 *   the only one whose name differs in letter case alone,
 *   the only one with the same short form (what comes before the first dot), where one of the two names has a
 *   dot and the other has none; of several, the only one that is alike in letter case, too. */

typedef struct gb_matcher {
  const gbcast_platform *p;
  struct gb_named_host *whole, *brief; /* sorted */
  const char **known_as;               /* host_count: another name that was found to be the host's, or NULL */
} gb_matcher;

/* To be closed, even after an error. GBCAST_EMEMORY. */
int gb_matcher_open(gb_matcher *m, const gbcast_platform *p, gbcast_error *err);
void gb_matcher_close(gb_matcher *m);

/* Finds the host. `who` stands before the name in errors, such as "rank 3 runs on". The name must outlive
 * `m`. *assumed: by another name than its own, for the first time. GBCAST_EINPUT: no host, or several. */
int gb_match(gb_matcher *m, const char *who, const char *name, uint32_t *host, bool *assumed,
             gbcast_error *err);

/* How many hosts of a cluster (GB_NONE: of all) the name could mean; *host is one of them. */
uint32_t gb_match_count(const gb_matcher *m, uint32_t cluster, const char *name, uint32_t *host);

/* The host of that very name, or else the only one whose name differs in letter case alone; GB_NONE: none.
 * Looks at each host. */
uint32_t gb_match_whole(const gbcast_platform *p, const char *name, size_t length);

/* ---- Hosts that a batch system has given to a job, from the words of its environment ----
 *
 * Each function makes the platform that a hosts file of these hosts and slots describes. Messages begin with
 * the name of the variable, as they begin with that of a file. GBCAST_EINPUT: it cannot be read. */

typedef struct gb_slurm_part { /* of a job: a component of a heterogeneous one, else all of it */
  const char *nodes;           /* n[01-03,7],gpu-a[1-2]b */
  const char *tasks; /* slots: "4(x2),3" are two hosts with 4 and one with 3, a number alone is for every
                        host; NULL: one each */
  const char *nodes_name, *tasks_name; /* of the variables */
} gb_slurm_part;

int gb_job_slurm(const gb_slurm_part *part, uint32_t parts, gbcast_platform **out, gbcast_error *err);

/* LSB_MCPU_HOSTS: n1 4 n2 4. */
int gb_job_lsf_counts(const char *hosts, gbcast_platform **out, gbcast_error *err);

/* LSB_HOSTS: n1 n1 n2, a word for each slot. */
int gb_job_lsf_words(const char *hosts, gbcast_platform **out, gbcast_error *err);

typedef struct gb_job_places { /* on the hosts of another platform; starts as {0} */
  uint32_t *ranks;             /* of the job on each host, 0 for those that are not in it */
  uint32_t *rank_host;         /* the host of each slot of the job, in their order */
} gb_job_places;

/* Maps the job to the hosts of `p`. Names that are not the same are reported to `report`, unless it is NULL.
 * GBCAST_EINPUT: a host of the job is none of `p`. */
int gb_job_place(const gbcast_platform *p, const gbcast_platform *job, FILE *report, gb_job_places *places,
                 gbcast_error *err);
void gb_job_places_release(gb_job_places *places);

/* ---- Printing what stands in a hosts file; the caller has set a locale whose decimal point is '.' ---- */

/* " key=value" */
void gb_print_time(FILE *out, const char *key, double seconds);
void gb_print_rate(FILE *out, const char *key, double bytes_a_second);
void gb_print_size(FILE *out, const char *key, uint64_t bytes);
void gb_print_fraction(FILE *out, const char *key, double fraction);
void gb_print_egress(FILE *out, double usd_a_byte);
void gb_print_hire(FILE *out, double usd_a_second);

/* A line without its newline, so that a comment can follow. `ends` are the names behind the first word:
 * "a -> b", "a b" or, for a cluster's plogp, "a". */
void gb_print_link(const gb_link *l, const char *ends, FILE *out);
void gb_print_point(const gb_plogp_point *point, const char *ends, FILE *out);

#endif
