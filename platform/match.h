/* Finds hosts by the names that they have elsewhere, such as those of processors or of a batch system. A host
 * is, in this order,
 *
 *   the one of that very name,
 *   the only one whose name differs in letter case alone,
 *   the only one with the same short form (what comes before the first dot), where one of the two names has a
 *   dot and the other has none; of several, the only one that is alike in letter case, too.
 */
#ifndef GB_PLATFORM_MATCH_H
#define GB_PLATFORM_MATCH_H

#include "platform/platform.h"

typedef struct gb_matcher {
  const gbcast_platform *p;
  struct gb_named_host *whole, *brief; /* sorted */
  const char **known_as;               /* host_count: another name that was found to be the host's, or NULL */
} gb_matcher;

/* To be closed, even after an error. */
int gb_matcher_open(gb_matcher *m, const gbcast_platform *p, gbcast_error *err);
void gb_matcher_close(gb_matcher *m);

/* `who` is told before the name in errors, such as "rank 3 runs on". The name has to stay. *assumed: by
 * another name than its own, for the first time. */
int gb_match(gb_matcher *m, const char *who, const char *name, uint32_t *host, bool *assumed,
             gbcast_error *err);

/* How many hosts of a cluster (GB_NONE: of all) the name could mean; *host is one of them. */
uint32_t gb_match_count(const gb_matcher *m, uint32_t cluster, const char *name, uint32_t *host);

/* The host of that very name, or else the only one whose name differs in letter case alone; GB_NONE: none.
 * Looks at each host. */
uint32_t gb_match_whole(const gbcast_platform *p, const char *name, size_t length);

#endif
