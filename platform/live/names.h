/* Names as measurements spell them, looked up among the hosts and clusters of a platform. */
#ifndef GB_PLATFORM_LIVE_NAMES_H
#define GB_PLATFORM_LIVE_NAMES_H

#include "platform/platform.h"

typedef struct gb_name_table { /* names in lower case */
  gb_names names;
  uint32_t *index; /* by number of the name: host or cluster; GB_NONE: hosts of several clusters */
} gb_name_table;

typedef struct gb_live_names {
  const gbcast_platform *p;
  gb_arena arena;
  gb_name_table clusters, hosts, brief; /* brief: what stands before the first dot of those that have one */
} gb_live_names;

/* Starts as {0}. GBCAST_EMEMORY. */
int gb_live_names_make(gb_live_names *n, const gbcast_platform *p, gbcast_error *err);
void gb_live_names_release(gb_live_names *n);

/* A host's index, host_count + that of a cluster, or GB_NONE. A cluster of that very name comes before a
 * host. */
uint32_t gb_live_names_find(const gb_live_names *n, const char *name);

#endif
