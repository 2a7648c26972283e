/* What the two files that write the hosts file share. */
#ifndef GB_PROBE_WRITE_H
#define GB_PROBE_WRITE_H

#include "probe/analysis.h"

void gb_write_key_time(FILE *out, const char *key, double seconds);
void gb_write_key_rate(FILE *out, const char *key, double rate);

/* One plogp line a point. */
void gb_write_points(const gb_probe_report *r, const gb_probe_task *t, int direction, const char *cluster,
                     FILE *out);

/* The table of the platform that was given, as it was. */
void gb_write_kept(const gb_plogp *table, const char *ends, const char *file, FILE *out);

/* "# measured WHEN, HOST - HOST, rtt 31 samples spread 1%, gap 9 samples spread 3%", without newline; `what`
 * is the name of the value, such as gap. */
void gb_write_origin(const gb_probe_report *r, const gb_probe_task *t, const gb_median *rtt, const char *what,
                     const gb_median *value, int direction, FILE *out);

/* Says that a latency is no measurement, but the least that is written. */
void gb_write_least(double latency, FILE *out);

/* The task between two sites, or inside one; NULL: there is none with a measurement. *direction is the one
 * that leads from `from`. */
const gb_probe_task *gb_task_of(const gb_probe_report *r, uint32_t from, uint32_t to, int *direction);

typedef struct gb_probe_total { /* of streams that ran at the same time */
  uint32_t streams;             /* 0: not measured */
  double sum, alone;            /* what they carried in all, and would carry without each other (bytes/s) */
} gb_probe_total;

/* From hosts of one site to those of another; where one of them is GB_NONE, to or from all other sites. */
gb_probe_total gb_probe_total_of(const gb_probe_report *r, uint32_t from, uint32_t to);

/* What a site's own link carries (bytes/s); 0: it was not measured, or carries all that streams to the other
 * sites need. */
double gb_probe_site_limit(const gb_probe_report *r, uint32_t site);

/* The header: who, when, how the sites were found, what is odd. */
void gb_write_header(const gb_probe_report *r, FILE *out);

#endif
