/* gbcast/platform.h: what the network is. A platform is read from a hosts file (gbcast-hosts(5)), may have
 * live values laid over it once, and never changes afterwards, so threads may share it. */
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

/* Reads the hosts file at `path`, and the files that it names (relative to its own folder). */
GBCAST_API int gbcast_platform_read(const char *path, gbcast_platform **out, gbcast_error *err);

/* The same from `length` bytes of memory; `name` stands for the file in messages, and files that the text
 * names are looked up relative to the folder of `name`. */
GBCAST_API int gbcast_platform_parse(const char *text, size_t length, const char *name, gbcast_platform **out,
                                     gbcast_error *err);

/* A grid from a description, for tests and docs: words `cluster:N` (may be left out; first), `switch:N` (any
 * number up to 16) and `host:N` (last), each the count within one of the word before. "switch:4 host:8": four
 * switches on one core, eight hosts on each. The rest is as in a hosts file of only `switch` and host lines:
 * all values are defaults, clusters are joined by assumed links. Clusters are c0, c1 ...; hosts h0.c0, h1.c0
 * ..., or h0, h1 ... without `cluster`. GBCAST_EUSAGE names the character that is wrong. */
GBCAST_API int gbcast_platform_synthetic(const char *description, gbcast_platform **out, gbcast_error *err);

/* Gives links the latency and bandwidth that were measured lately. `source` is "file:PATH", or "-" for
 * standard input: a live file (gbcast-hosts(5)). `now` is the time (s since 1970) that its time= are older
 * than. Values older than max_age (s), missing ones, absurd ones and those of no use leave the file's, and
 * lines that cannot be understood are left out; gbcast_platform_print_live and printed plans tell which and
 * why. Before the platform is planned on or shared, and once. GBCAST_EINPUT: the source cannot be read, the
 * message begins FILE:LINE:COLUMN; the platform is then as it was. GBCAST_EUSAGE: another kind of source, or
 * a second time. */
GBCAST_API int gbcast_platform_live(gbcast_platform *platform, const char *source, double now, double max_age,
                                    gbcast_error *err);

/* Prints a table of the links with their live values; nothing where none were laid over them. */
GBCAST_API int gbcast_platform_print_live(const gbcast_platform *platform, FILE *out);

GBCAST_API void gbcast_platform_free(gbcast_platform *platform); /* NULL is allowed */

/* Prints a hosts file that reads back as the same platform: same hosts, switches, clusters, links and the
 * same bits in every number. Included files are written out in place. Returns GBCAST_EINPUT when writing
 * fails. */
GBCAST_API int gbcast_platform_print(const gbcast_platform *platform, FILE *out);

GBCAST_API uint32_t gbcast_platform_hosts(const gbcast_platform *platform);
GBCAST_API uint32_t gbcast_platform_clusters(const gbcast_platform *platform);
GBCAST_API uint32_t gbcast_platform_slots(const gbcast_platform *platform); /* over all hosts */
GBCAST_API const char *gbcast_platform_host_name(const gbcast_platform *platform, uint32_t host);

/* Defaults used and assumptions made, one line of text each, in a fixed order; NULL past the last. */
GBCAST_API const char *gbcast_platform_note(const gbcast_platform *platform, size_t index);

#ifdef __cplusplus
}
#endif

#endif
