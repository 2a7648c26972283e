/* What the files share that write the hosts file. */
#ifndef GB_PROBE_WRITE_H
#define GB_PROBE_WRITE_H

#include "probe/analysis.h"

/* Write " key=value", rounded as by gb_probe_round(). */
void gb_write_key_time(FILE *out, const char *key, double seconds);
void gb_write_key_rate(FILE *out, const char *key, double rate);

/* Writes a plogp line for each point. */
void gb_write_points(const gb_probe_report *r, const gb_probe_task *t, int direction, const char *cluster,
                     FILE *out);

/* Writes a plogp table of the platform that was given, unchanged. `ends`: what stands behind the word plogp;
 * `file`: where the table was given. */
void gb_write_kept(const gb_plogp *table, const char *ends, const char *file, FILE *out);

/* Writes "# measured WHEN, HOST - HOST, rtt 31 samples spread 1%, gap 9 samples spread 3%", without newline;
 * `what` is the name of the value, such as gap. */
void gb_write_origin(const gb_probe_report *r, const gb_probe_task *t, const gb_median *rtt, const char *what,
                     const gb_median *value, int direction, FILE *out);

/* If the latency is the least that can be written, says that it was not measured. */
void gb_write_least(double latency, FILE *out);

/* The task between two sites, or inside one. NULL: there is none with a measurement. *direction: the one that
 * leads from `from`. */
const gb_probe_task *gb_task_of(const gb_probe_report *r, uint32_t from, uint32_t to, int *direction);

/* Rates are the same if they differ by no more than this factor: they are measured to within a tenth. */
#define GB_PROBE_CLOSE 1.1

typedef struct gb_probe_total { /* of streams that ran at the same time, bytes/s */
  uint32_t streams;             /* how many; 0: not measured */
  double sum, alone;            /* what they carried in all, and what each would alone, added up */
  double fastest;               /* what the fastest would alone */
} gb_probe_total;

/* From hosts of one site to those of another. If one of the two is GB_NONE: from or to all other sites. */
gb_probe_total gb_probe_total_of(const gb_probe_report *r, uint32_t from, uint32_t to);

/* What the link of a site to all others carries (bytes/s). 0: it was not measured, or it is not the limit of
 * streams to or from the other sites. */
double gb_probe_site_limit(const gb_probe_report *r, uint32_t site);

/* Writes the comments at the head of the file. */
void gb_write_header(const gb_probe_report *r, FILE *out);

#endif
