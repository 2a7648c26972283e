/* gbcast-import turns files of other programs into a hosts file (descriptions of networks) or into lines of a
 * live file (measurements). There is one reader for each format; it fills a gb_import. One writer prints
 * that. Readers get their input in memory and open no files. What the input does not say is left out, never
 * assumed. What cannot be translated becomes a remark. */
#ifndef GB_TOOLS_IMPORT_IMPORT_H
#define GB_TOOLS_IMPORT_IMPORT_H

#include "platform/platform.h"

/* Times are in seconds, rates in bytes a second; -1: the input does not say. `where`: place in the input. */

typedef struct gb_import_site {
  const char *name;
  double latency;       /* between two hosts on one switch */
  double bandwidth;     /* of the link of each host */
  double wan_bandwidth; /* of all traffic with other sites */
  uint32_t hosts;       /* how many; sites without hosts are not printed */
  gb_place where;
} gb_import_site;

typedef struct gb_import_switch {
  const char *name;
  uint32_t site, uplink;     /* uplink: the switch above it, or GB_NONE for the core of its site */
  double latency, bandwidth; /* of the cable to its uplink, or to the core */
  gb_place where;
} gb_import_switch;

typedef struct gb_import_host {
  const char *name;
  uint32_t site, sw; /* sw: its switch, or GB_NONE */
  uint32_t slots;
} gb_import_host;

typedef struct gb_import_link {
  uint32_t from, to; /* sites */
  bool both;         /* it stands for both directions */
  double latency, bandwidth;
  gb_place where;
} gb_import_link;

typedef struct gb_import_sample { /* a measurement from one host to another */
  const char *from, *to;
  double latency, latency_error;
  bool round_trip; /* the two above are of the round trip, not of one way */
  double bandwidth;
  double time; /* s since 1970 */
  gb_place where;
} gb_import_sample;

typedef struct gb_import { /* starts as {0}, except for the first two */
  const char *from, *to;   /* --from and --to, which replace the hosts of samples; NULL: not given */
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
  uint32_t named; /* how many hosts the input names; a repeated host counts again */
  gb_remarks remarks;
  uint32_t silent; /* how many further remarks were not kept */
} gb_import;

void gb_import_release(gb_import *m);

/* ---- Reading ---- */

/* Reads a file of one format from memory, and adds what it says to `m`. `file` is its name in messages; it
 * must outlive `m`. GBCAST_EINPUT: the message begins with FILE:LINE:COLUMN; GBCAST_EMEMORY. */
typedef int gb_import_reader(gb_import *m, const char *file, const char *text, size_t length,
                             gbcast_error *err);

/* Finds the reader of a format by its name. GBCAST_EUSAGE: there is no such format. */
int gb_import_find_format(const char *name, gb_import_reader **reader, gbcast_error *err);

/* Checks the whole, after the last file. GBCAST_EINPUT: nothing was found, or the links do not join all sites
 * that have hosts; GBCAST_EMEMORY. */
int gb_import_finish(gb_import *m, gbcast_error *err);

/* ---- For readers: adding to the import ---- */

/* Adds a remark "FILE:LINE:COLUMN: ..." for the user. Beyond 64 remarks, and without memory, it is only
 * counted. */
__attribute__((format(printf, 3, 4))) void gb_import_remark(gb_import *m, const gb_place *where,
                                                            const char *format, ...);

/* Add a site or a switch; *site and *sw are their numbers. A byte that is not allowed in the name becomes _,
 * and if the name exists already, a number is appended. GBCAST_EINPUT: there are too many; GBCAST_EMEMORY. */
int gb_import_add_site(gb_import *m, const char *name, size_t length, const gb_place *where, uint32_t *site,
                       gbcast_error *err);
int gb_import_add_switch(gb_import *m, const char *name, size_t length, uint32_t site, const gb_place *where,
                         uint32_t *sw, gbcast_error *err);

/* Adds a host. If a hosts file cannot have its name, or the host exists already, it is left out with a
 * remark. GBCAST_EINPUT: there are too many; GBCAST_EMEMORY. */
int gb_import_add_host(gb_import *m, const char *name, size_t length, uint32_t site, uint32_t sw,
                       uint32_t slots, const gb_place *where, gbcast_error *err);

/* GBCAST_EMEMORY. */
int gb_import_add_link(gb_import *m, const gb_import_link *link, gbcast_error *err);

/* Adds a sample, and copies its names. If a live file cannot have one of the names, or the sample has no
 * value, it is left out with a remark. GBCAST_EINPUT: neither the input nor the user names one of the hosts;
 * GBCAST_EMEMORY. */
int gb_import_add_sample(gb_import *m, const gb_import_sample *sample, gbcast_error *err);

/* Adds a sample of the way back: here m->from replaces sample->to, and m->to replaces sample->from. */
int gb_import_add_back(gb_import *m, const gb_import_sample *sample, gbcast_error *err);

/* ---- Writing; the caller has set a locale whose decimal point is '.' ---- */

/* Writes the import. A comment names `format` and `files`, which end with NULL. GBCAST_EMEMORY; the caller
 * checks `out` for errors. */
int gb_import_write(const gb_import *m, const char *format, char *const *files, FILE *out, gbcast_error *err);

#endif
