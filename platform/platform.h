/* The platform as the planner sees it: plain data. Times in seconds, rates in bytes a second, sizes in bytes.
 */
#ifndef GB_PLATFORM_PLATFORM_H
#define GB_PLATFORM_PLATFORM_H

#include <gbcast/platform.h>
#include <stdbool.h>

#define GB_NONE UINT32_MAX
#ifndef GB_MAX_HOSTS /* fuzzers try less */
#define GB_MAX_HOSTS 1048576u
#endif

typedef struct gb_place { /* where something was said; messages about it begin with this */
  const char *file;       /* owned by the platform */
  uint32_t line, column;  /* from 1 */
} gb_place;

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

typedef struct gb_cluster {
  char *name;
  uint32_t leader;        /* host named by leader=, or GB_NONE */
  double latency;         /* between two hosts on one switch */
  double bandwidth;       /* of each host's own link, each direction */
  bool assumed_bandwidth; /* the file does not say it */
  double overhead;
  double wan_bandwidth; /* INFINITY when not given */
  double contention;    /* by how much of their time messages take longer, at most, where they contend */
  gb_plogp plogp;
  uint32_t host_start, host_count; /* into host_of_cluster */
  uint32_t switch_count;
  uint32_t top_count;   /* its switches without uplink */
  bool has_loose_hosts; /* some host is on no switch */
  gb_place where;
} gb_cluster;

#define GB_DEFAULT_OVERHEAD 2e-6 /* s */

typedef struct gb_link { /* one direction between two sites */
  uint32_t from, to;
  double latency, bandwidth, overhead;
  double stream_bandwidth; /* INFINITY when not given */
  double initial_window;   /* bytes that a stream sends before the first answer; INFINITY when not given */
  double injection;        /* -1 when not given */
  bool assumed_bandwidth;  /* neither the file nor a measurement says it */
  gb_plogp plogp;
  gb_place where;
} gb_link;

struct gbcast_platform {
  char *file; /* its name in messages */
  uint32_t host_count, switch_count, cluster_count, link_count;
  gb_host *host;             /* in file order; a repeated host adds slots to the first */
  gb_switch *sw;             /* in file order */
  gb_cluster *cluster;       /* in the order in which the sites are first mentioned */
  uint32_t *host_of_cluster; /* hosts grouped by cluster, in file order within each */
  gb_link *link;             /* by from, then to */
  uint32_t *link_start;      /* cluster_count + 1: links that leave a site */
  bool assumed_mesh;         /* no cluster and no link line: every pair joined by `assumed` */
  gb_link assumed;
  uint64_t slot_count;
  uint32_t run_count;
  gb_slot_run *run; /* all slots in file order: a host that other lines name, too, has several runs */
  char **note;      /* see gbcast_platform_note */
  size_t note_count;
  struct gb_weather *weather; /* live values laid over the links, or NULL; see platform/overlay.h */
  /* storage that the fields above point into is owned by the platform */
  void *storage;
};

/* The direct link, or NULL. */
const gb_link *gb_platform_link(const gbcast_platform *p, uint32_t from, uint32_t to);

/* Index of a name, or GB_NONE. */
uint32_t gb_platform_find_host(const gbcast_platform *p, const char *name);
uint32_t gb_platform_find_cluster(const gbcast_platform *p, const char *name);

/* The run that holds the slot at this position, which has to be below slot_count. */
const gb_slot_run *gb_platform_slot(const gbcast_platform *p, uint32_t position);

/* How many slots a run has. */
uint32_t gb_slot_run_length(const gbcast_platform *p, uint32_t run);

/* Whether a line that begins with this word is no host line. */
bool gb_is_keyword(const char *word);

/* The host that speaks for a cluster: leader= where given, else the first in the file. */
uint32_t gb_platform_leader(const gbcast_platform *p, uint32_t cluster);

/* Sets the message to FILE:LINE:COLUMN: ..., returns GBCAST_EINPUT. */
__attribute__((format(printf, 3, 4))) int gb_fail_at(gbcast_error *err, const gb_place *where,
                                                     const char *format, ...);
/* The same without a place; returns `status`. */
__attribute__((format(printf, 3, 4))) int gb_fail(gbcast_error *err, int status, const char *format, ...);

/* Returns GBCAST_EMEMORY. */
static inline int gb_no_memory(gbcast_error *err) {
  (void)gb_fail(err, GBCAST_EMEMORY, "out of memory");
  return GBCAST_EMEMORY; /* here, so that a compiler sees that it is not GBCAST_OK */
}

#endif
