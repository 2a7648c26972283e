/* Finds hosts by the names that they have elsewhere, such as those of processors or of a batch system: a
 * host's whole name, or a short form (what comes before the first dot) when only one of the two has a dot and
 * only one host fits. */
#ifndef GB_PLATFORM_MATCH_H
#define GB_PLATFORM_MATCH_H

#include "platform/platform.h"

typedef struct gb_matcher {
  const gbcast_platform *p;
  struct gb_named_host *whole, *brief; /* sorted */
  const char **known_as;               /* host_count: the name that a short form matched, or NULL */
} gb_matcher;

/* To be closed, even after an error. */
int gb_matcher_open(gb_matcher *m, const gbcast_platform *p, gbcast_error *err);
void gb_matcher_close(gb_matcher *m);

/* `who` is told before the name in errors, such as "rank 3 runs on". The name has to stay. *assumed: by a
 * short form, for the first time. */
int gb_match(gb_matcher *m, const char *who, const char *name, uint32_t *host, bool *assumed,
             gbcast_error *err);

#endif
