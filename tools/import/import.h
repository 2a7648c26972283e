/* gbcast-import: descriptions of networks that other programs have, as a hosts file, and their measurements,
 * as live lines. A reader for each format fills a gb_import, which one writer prints. Readers get their input
 * in memory and open no files. What an input does not say is left out, never assumed; what cannot be
 * translated becomes a remark. */
#ifndef GB_TOOLS_IMPORT_IMPORT_H
#define GB_TOOLS_IMPORT_IMPORT_H

#include "platform/platform.h"

/* Times are in seconds, rates in bytes a second; -1: the input does not say. `where` is where the input says
 * it. */

typedef struct gb_import_site {
  const char *name;
  double latency;       /* between two hosts on one switch */
  double bandwidth;     /* of each host's own link */
  double wan_bandwidth; /* of all traffic to other sites */
  uint32_t hosts;       /* sites without hosts are not printed */
  gb_place where;
} gb_import_site;

typedef struct gb_import_switch {
  const char *name;
  uint32_t site, uplink;     /* GB_NONE: the core of its site */
  double latency, bandwidth; /* of the cable to its uplink */
  gb_place where;
} gb_import_switch;

typedef struct gb_import_host {
  const char *name;
  uint32_t site, sw; /* GB_NONE: on no switch */
  uint32_t slots;
} gb_import_host;

typedef struct gb_import_link {
  uint32_t from, to; /* sites */
  bool both;         /* directions */
  double latency, bandwidth;
  gb_place where;
} gb_import_link;

typedef struct gb_import_sample { /* a measurement from one host to another */
  const char *from, *to;
  double latency, latency_error;
  bool round_trip; /* both are those of the round trip */
  double bandwidth;
  double time; /* s since 1970 */
  gb_place where;
} gb_import_sample;

typedef struct gb_import { /* starts as {0}, perhaps with the first two */
  const char *from, *to;   /* replace the hosts that samples name; NULL: they do not */
  gb_arena arena;
  gb_names host_names, site_names, switch_names;
  gb_import_site *site;
  uint32_t site_count, site_capacity;
  gb_import_switch *sw;
  uint32_t switch_count, switch_capacity;
  gb_import_host *host;
  uint32_t host_count, host_capacity;
  gb_import_link *link;
  uint32_t link_count, link_capacity;
  gb_import_sample *sample;
  uint32_t sample_count, sample_capacity;
  uint32_t named; /* hosts in the input, some perhaps repeated */
  gb_remarks remarks;
  uint32_t silent; /* remarks beyond the most that are kept */
} gb_import;

void gb_import_release(gb_import *m);

/* ---- Reading ---- */

/* Reads a file of a format from memory; `file` is its name in messages, and outlives `m`. GBCAST_EINPUT: the
 * message begins FILE:LINE:COLUMN; GBCAST_EMEMORY. */
typedef int gb_import_reader(gb_import *m, const char *file, const char *text, size_t length,
                             gbcast_error *err);

/* Finds the reader of a format by its name. GBCAST_EUSAGE: there is no such format. */
int gb_import_find_format(const char *name, gb_import_reader **reader, gbcast_error *err);

/* Behind the last file: GBCAST_EINPUT if nothing was found, or if links join some sites and not all. */
int gb_import_finish(gb_import *m, gbcast_error *err);

/* ---- For readers: adding to it ---- */

/* "FILE:LINE:COLUMN: ...", for the user; what is not kept for want of memory is only counted. */
__attribute__((format(printf, 3, 4))) void gb_import_remark(gb_import *m, const gb_place *where,
                                                            const char *format, ...);

/* Bytes that the name of a site or switch may not have become _, and a name that there is already gets a
 * number. GBCAST_EINPUT: too many; GBCAST_EMEMORY. */
int gb_import_add_site(gb_import *m, const char *name, size_t length, const gb_place *where, uint32_t *site,
                       gbcast_error *err);
int gb_import_add_switch(gb_import *m, const char *name, size_t length, uint32_t site, const gb_place *where,
                         uint32_t *sw, gbcast_error *err);

/* A host whose name a hosts file cannot have, or that there is already, is left out with a remark. */
int gb_import_add_host(gb_import *m, const char *name, size_t length, uint32_t site, uint32_t sw,
                       uint32_t slots, const gb_place *where, gbcast_error *err);
int gb_import_add_link(gb_import *m, const gb_import_link *link, gbcast_error *err);

/* Copies the names. A sample with a name that a live file cannot have, or without any value, is left out with
 * a remark. GBCAST_EINPUT: the input does not name a host, and the user has not done so either. */
int gb_import_add_sample(gb_import *m, const gb_import_sample *sample, gbcast_error *err);

/* The other direction of a sample: the names that the user gives replace the other end each. */
int gb_import_add_back(gb_import *m, const gb_import_sample *sample, gbcast_error *err);

/* ---- Writing; the caller has set a locale whose decimal point is '.' ---- */

/* `format` and `files`, with a NULL behind the last, are named in a comment. GBCAST_EMEMORY; whether `out`
 * has failed is for the caller to see. */
int gb_import_write(const gb_import *m, const char *format, char *const *files, FILE *out, gbcast_error *err);

#endif
