/* gbcast/platform.h: a description of the network. A platform is read from a hosts file (gbcast-hosts(5)).
 * Live values may be laid over it once; after that it never changes, so threads may share it. */
#ifndef GBCAST_PLATFORM_H
#define GBCAST_PLATFORM_H

#include <gbcast/error.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gbcast_platform gbcast_platform;

/* Reads the hosts file at `path`, and the files that it names (relative to its own folder), into a platform
 * to be given to gbcast_platform_free. GBCAST_EINPUT: a file cannot be read or used; GBCAST_EMEMORY. */
GBCAST_API int gbcast_platform_read(const char *path, gbcast_platform **out, gbcast_error *err);

/* The same from `length` bytes of memory. `name` stands for the file in messages, and files that the text
 * names are looked up relative to the folder of `name`. */
GBCAST_API int gbcast_platform_parse(const char *text, size_t length, const char *name, gbcast_platform **out,
                                     gbcast_error *err);

/* Makes a grid from a description, for tests and documents: the words `cluster:N` (first, may be left out),
 * `switch:N` (any number up to 16) and `host:N` (last). Each N is the count within one of the word before, so
 * "switch:4 host:8" is four switches on one core with eight hosts each. Everything else is as in a hosts file
 * of `switch` and host lines alone: all values are defaults, and clusters are joined by assumed links.
 * Clusters are called c0, c1 ...; hosts h0.c0, h1.c0 ..., or h0, h1 ... without `cluster`. GBCAST_EUSAGE: the
 * message names the character that is wrong; GBCAST_EMEMORY. */
GBCAST_API int gbcast_platform_synthetic(const char *description, gbcast_platform **out, gbcast_error *err);

/* Gives links the latency and bandwidth that were measured recently. `source` is "file:PATH", or "-" for
 * standard input: a live file (gbcast-hosts(5)). Values with time= are as old as `now` (s since 1970) minus
 * that time. A link keeps the value of the hosts file where the live value is missing, older than max_age
 * (s), absurd or unusable. Lines that cannot be understood are left out. gbcast_platform_print_live and
 * printed plans tell which values were ignored, and why.
 *
 * Call it at most once, before the platform is planned on or shared. GBCAST_EINPUT: the source cannot be
 * read; the message begins FILE:LINE:COLUMN, and the platform is unchanged. GBCAST_EUSAGE: another kind of
 * source, or a second call. GBCAST_EMEMORY. */
GBCAST_API int gbcast_platform_live(gbcast_platform *platform, const char *source, double now, double max_age,
                                    gbcast_error *err);

/* Prints a table of the links with their live values; nothing if the platform has none. GBCAST_EINPUT:
 * writing fails. */
GBCAST_API int gbcast_platform_print_live(const gbcast_platform *platform, FILE *out);

GBCAST_API void gbcast_platform_free(gbcast_platform *platform); /* NULL is allowed */

/* Prints a hosts file that reads back as the same platform: the same hosts, switches, clusters and links, and
 * the same bits in every number. Included files are written out in place. GBCAST_EINPUT: writing fails. */
GBCAST_API int gbcast_platform_print(const gbcast_platform *platform, FILE *out);

/* How many hosts, clusters, and slots over all hosts. */
GBCAST_API uint32_t gbcast_platform_hosts(const gbcast_platform *platform);
GBCAST_API uint32_t gbcast_platform_clusters(const gbcast_platform *platform);
GBCAST_API uint32_t gbcast_platform_slots(const gbcast_platform *platform);

/* Name of host 0, 1, ... in file order, owned by the platform; NULL past the last. */
GBCAST_API const char *gbcast_platform_host_name(const gbcast_platform *platform, uint32_t host);

/* Note 0, 1, ... of the defaults used and assumptions made, one line of text each, in a fixed order, owned by
 * the platform; NULL past the last. */
GBCAST_API const char *gbcast_platform_note(const gbcast_platform *platform, size_t index);

/* Warning 0, 1, ... of words that are read but are likely to be mistakes, alike. */
GBCAST_API const char *gbcast_platform_warning(const gbcast_platform *platform, size_t index);

#ifdef __cplusplus
}
#endif

#endif
