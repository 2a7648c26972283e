/* What rank 0 of gbcast-probe knows and decides.
 *
 * Functions that take `err` and no `status` return a gbcast_status. Functions with `status` set *status to a
 * gbcast_status, and return an MPI error code. */
#ifndef GB_PROBE_LEAD_H
#define GB_PROBE_LEAD_H

#include "probe/probe.h"
#include "probe/wire.h"
#include <stdio.h>

typedef struct gb_found_switch {
  uint32_t site, number; /* its site, and its number there from 1 */
  uint32_t uplink;       /* index into gb_lead.sw; GB_NONE: it is at the top, or joined to the site's core */
  double bandwidth;      /* of the cable above it, bytes/s; 0: there is none */
} gb_found_switch;

typedef struct gb_lead {
  gb_prober *x;
  const gb_probe_options *options;
  double start;   /* by MPI_Wtime() */
  FILE *terminal; /* for progress; NULL: there is none, or --quiet */
  FILE *notes;    /* comments for the head of the file; they go into notes_text */
  char *notes_text;
  size_t notes_length;
  /* Machines are processor names, numbered in the order of their first ranks. */
  uint32_t machines, *machine; /* how many; that of each rank */
  int *machine_rank;           /* the first rank of each */
  const char **machine_name;
  char *text; /* of the file that --merge updates, as it was before the measurement */
  size_t text_length;
  gbcast_platform *platform;
  int *host_rank;    /* the first rank of each host, or -1 */
  double *host_near; /* for each host: latency to its site's leader (s); 0: not measured */
  gb_groups groups;  /* count 0: the platform was given */
  gb_near *near; /* latencies from a pivot `a` to machines (to hosts once there is a platform); see sites.c */
  uint32_t near_count, near_capacity;
  gb_found_switch *sw;
  uint32_t sw_count,
      *machine_switch; /* for each machine; GB_NONE: its site has one switch, or they were not looked for */
  gb_probe_task *task;
  uint32_t task_count;
  gb_probe_flow *flow; /* streams that run at the same time */
  uint32_t flow_count, flow_rounds;
  double *exchange; /* for each site: the time of an exchange among its hosts (s), 0: not measured; see
                       contention.c */
} gb_lead;

/* Seconds since the start. */
double gb_lead_elapsed(const gb_lead *l);

/* Finds the user's terminal for progress, unless --quiet is set. */
void gb_lead_open_terminal(gb_lead *l);
void gb_lead_close_terminal(gb_lead *l);

/* Shows a line on the terminal, which the next one replaces. "%s" with an empty text clears it. */
__attribute__((format(printf, 2, 3))) void gb_lead_say(const gb_lead *l, const char *format, ...);

#define GB_LEAD_NEAR_MOST 10.0 /* s that one NEAR order may take; further peers go into another order */

/* Has a rank carry out a NEAR order, and waits for its report. An MPI error code. */
int gb_lead_near(gb_lead *l, int rank, gb_order *order, gb_report *report);

/* Waits for the report of an order that rank 0 has given. MPI_ERR_OTHER if an order arrives instead.
 * *source: whose report it is. An MPI error code. */
int gb_lead_await_report(const gb_lead *l, gb_report *report, int *source);

/* Finds the sites: sets l->near and l->groups. */
int gb_lead_find_sites(gb_lead *l, int *status, gbcast_error *err);

/* Makes the platform from the groups and the switches. l->near and l->groups have host numbers afterwards. */
int gb_lead_make_platform(gb_lead *l, gbcast_error *err);

/* Reads the platform that was given, and maps the ranks to its hosts. */
int gb_lead_read_platform(gb_lead *l, gbcast_error *err);

/* merge_file.c. The first reads the file for --merge, and prints all mistakes in it. The second makes the
 * text with the numbers of `now`, which is to be given to free(), and names on stderr those that have no
 * place in the file. */
int gb_lead_read_merged(gb_lead *l, gbcast_error *err);
int gb_lead_merge(const gb_lead *l, const gbcast_platform *now, char **text, size_t *length,
                  gbcast_error *err);

/* Measures latencies inside the sites of a platform that was given. An MPI error code. */
int gb_lead_check_hosts(gb_lead *l);

/* Names the hosts that are far from the others of their site. */
int gb_lead_note_outliers(gb_lead *l, gbcast_error *err);

/* The host of a site that is measured against other sites: its leader, or the first host with a rank if the
 * leader has none. GB_NONE: no host has one. */
uint32_t gb_lead_site_leader(const gb_lead *l, uint32_t site);

/* Whether the two hosts of the pair are in different sites. */
bool gb_lead_is_far(const gb_lead *l, const gb_probe_task *t);

/* The chosen pair of the leaders of two sites, or of two hosts inside one (a == b). NULL: there is none. */
gb_probe_task *gb_lead_pair_of(const gb_lead *l, uint32_t a, uint32_t b);

/* Chooses the pairs to measure: sets l->task. GBCAST_EUSAGE: there are none. */
int gb_lead_choose_pairs(gb_lead *l, gbcast_error *err);

/* Measures the pairs, round by round, then the flows and the exchanges. Says on stderr if the budget was not
 * enough. */
int gb_lead_measure(gb_lead *l, int *status, gbcast_error *err);

/* flows.c. The first chooses the streams that run at the same time, once the pairs are chosen. The second
 * returns about how long the flows from this round on take (s). The third runs them, once the pairs are
 * measured, as far as the budget allows. */
int gb_lead_choose_flows(gb_lead *l, gbcast_error *err);
double gb_lead_flow_seconds(const gb_lead *l, uint32_t round);
int gb_lead_measure_flows(gb_lead *l, int *status, gbcast_error *err);

/* Runs these flows at the same time, for `seconds`, and sets their rates. The data in flight of each is
 * `part` of what gb_stream_fill() takes for its rate alone. An MPI error code. */
int gb_lead_run_flows(gb_lead *l, gb_probe_flow *flow, uint32_t count, double part, double seconds);

/* contention.c. The first returns about how long the exchanges of all sites take (s). The second makes them,
 * once the pairs are measured, as far as the budget allows. The third names a site whose
 * exchanges were not made; NULL: there is none. The last sets gb_cluster.contention of each site. */
double gb_lead_contention_seconds(const gb_lead *l);
int gb_lead_measure_contention(gb_lead *l, int *status, gbcast_error *err);
const char *gb_lead_contention_left_out(const gb_lead *l);
int gb_lead_set_contention(gb_lead *l, gbcast_error *err);

/* find_switches.c. Finds the switches of the sites, before the platform is made: sets l->sw. */
int gb_lead_find_switches(gb_lead *l, int *status, gbcast_error *err);
void gb_lead_release_switches(gb_lead *l);

/* Sets gb_cluster.reduce of each site: how long its hosts take to combine operands. */
int gb_lead_set_operators(gb_lead *l, gbcast_error *err);

/* check.c, for --check. The first keeps some of the chosen pairs. The second prints the lines of the file
 * that are wrong, on standard output, and returns whether there are any. */
void gb_lead_sample_pairs(gb_lead *l);
bool gb_lead_tell_wrong(const gb_lead *l);

/* The first checks before the measurement that the file can be written. The second reads what would be
 * written now; *out is to be given to gbcast_platform_free(). The third writes it. */
int gb_lead_try_output(const char *path, gbcast_error *err);
int gb_lead_parse_measured(gb_lead *l, gbcast_platform **out, gbcast_error *err);
int gb_lead_write(gb_lead *l, gbcast_error *err);

#endif
