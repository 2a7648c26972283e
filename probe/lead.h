/* What rank 0 of gbcast-probe knows and decides. */
#ifndef GB_PROBE_LEAD_H
#define GB_PROBE_LEAD_H

#include "probe/probe.h"
#include "probe/wire.h"
#include <stdio.h>

typedef struct gb_found_switch {
  uint32_t site, number; /* in its site, from 1 */
  uint32_t uplink;       /* of all that were found; GB_NONE: joined to the site's core, or at the top */
  double bandwidth;      /* of the cable to it; 0: there is none */
} gb_found_switch;

typedef struct gb_lead {
  gb_prober *x;
  const gb_probe_options *options;
  double start;
  FILE *terminal; /* for progress; NULL: there is none, or quiet */
  FILE *notes;    /* comments for the file, into notes_text */
  char *notes_text;
  size_t notes_length;
  uint32_t machines, *machine; /* by rank: processor names, numbered by their first ranks */
  int *machine_rank;           /* the first rank of each */
  const char **machine_name;
  char *text; /* of the file that --merge updates, as it was before the measurement */
  size_t text_length;
  gbcast_platform *platform;
  int *host_rank;    /* by host: its first rank, or -1 */
  double *host_near; /* by host: latency to its site's leader (s); 0: not measured */
  gb_groups groups;  /* count 0: the platform was given */
  gb_near *near;     /* pairs measured before the tables, pivot or leader first; by machine, then by host */
  uint32_t near_count, near_capacity;
  gb_found_switch *sw;
  uint32_t sw_count,
      *machine_switch; /* by machine; GB_NONE: its site has one switch, or they were not looked for */
  gb_probe_task *task;
  uint32_t task_count;
  gb_probe_flow *flow; /* streams that run at the same time */
  uint32_t flow_count, flow_rounds;
} gb_lead;

/* Seconds since the start. */
double gb_lead_elapsed(const gb_lead *l);

/* Finds the user's terminal. */
void gb_lead_open_terminal(gb_lead *l);
void gb_lead_close_terminal(gb_lead *l);

/* A line on the terminal, replaced by the next; "%s" with an empty text clears it. */
__attribute__((format(printf, 2, 3))) void gb_lead_say(const gb_lead *l, const char *format, ...);

#define GB_LEAD_NEAR_MOST 10.0 /* s that one order may take; what is left of it is ordered again */

/* Has a rank measure latencies, and waits for them. */
int gb_lead_near(gb_lead *l, int rank, gb_order *order, gb_report *report);

/* Finds the sites and makes the platform. *status is a gbcast_status; returns an MPI error code. */
int gb_lead_find_sites(gb_lead *l, int *status, gbcast_error *err);

/* The platform from the groups: l->near has host numbers afterwards. */
int gb_lead_make_platform(gb_lead *l, gbcast_error *err);

/* Reads the platform that was given and places the ranks. */
int gb_lead_read_platform(gb_lead *l, gbcast_error *err);

/* merge_file.c: reads it for --merge, and says all of its mistakes; and makes the text with the numbers of
 * `now`, to be given to free(), and names on stderr those that it has no place for. */
int gb_lead_read_merged(gb_lead *l, gbcast_error *err);
int gb_lead_merge(const gb_lead *l, const gbcast_platform *now, char **text, size_t *length,
                  gbcast_error *err);

/* With a platform that was given: latencies inside its sites. */
int gb_lead_check_hosts(gb_lead *l);

/* Names hosts that are far from the others of their site. */
int gb_lead_note_outliers(gb_lead *l, gbcast_error *err);

/* The host of a site that is measured against other sites: its leader where that has a rank; GB_NONE: no host
 * has one. */
uint32_t gb_lead_site_leader(const gb_lead *l, uint32_t site);

/* Whether the pair is one between sites. */
bool gb_lead_is_far(const gb_lead *l, const gb_probe_task *t);

/* Chooses the pairs to measure. GBCAST_EMEMORY. */
int gb_lead_choose_pairs(gb_lead *l, gbcast_error *err);

/* Measures them, round by round. *status as above. Says on stderr what the budget did not allow. */
int gb_lead_measure(gb_lead *l, int *status, gbcast_error *err);

/* flows.c: chooses the streams that run at the same time, once the pairs are chosen (GBCAST_EMEMORY); how
 * long those of a round and the rounds behind it take, about (s); runs them, once the pairs are measured, as
 * far as the budget goes. *status as above. */
int gb_lead_choose_flows(gb_lead *l, gbcast_error *err);
double gb_lead_flow_seconds(const gb_lead *l, uint32_t round);
int gb_lead_measure_flows(gb_lead *l, int *status, gbcast_error *err);

/* Runs these at the same time and sets their rates. An MPI error code. */
int gb_lead_run_flows(gb_lead *l, gb_probe_flow *flow, uint32_t count, double seconds);

/* find_switches.c: the switches of the sites that were found, before the platform is made. *status as above.
 */
int gb_lead_find_switches(gb_lead *l, int *status, gbcast_error *err);
void gb_lead_release_switches(gb_lead *l);

/* Sets what combining operands costs the hosts of each site. GBCAST_EMEMORY. */
int gb_lead_set_operators(gb_lead *l, gbcast_error *err);

/* check.c: of the pairs that were chosen, those that are measured for --check; and whether some lines of the
 * file are wrong, which it says on standard output. */
void gb_lead_sample_pairs(gb_lead *l);
bool gb_lead_tell_wrong(const gb_lead *l);

/* Checks before the measurement that the file can be written, and writes it. */
int gb_lead_try_output(const char *path, gbcast_error *err);
int gb_lead_write(gb_lead *l, gbcast_error *err);

#endif
