/* A plan from its file put over a platform. */
#ifndef GB_PLAN_API_BIND_H
#define GB_PLAN_API_BIND_H

#include "plan/show/show.h"

typedef struct gb_placing {
  const gb_saved *saved;
  gbcast_plan *plan;
  uint32_t *first; /* by host of the platform: its first endpoint, or GB_NONE */
  gbcast_error *err;
} gb_placing;

/* Of the file as a whole. */
static const gb_json_spot gb_placing_start = {1, 1};

/* What a value of the file names. GBCAST_EINPUT tells that it is not there. */
int gb_placing_host(const gb_placing *at, gb_json_spot where, const char *name, uint32_t *host);
int gb_placing_endpoint(const gb_placing *at, gb_json_spot where, const gb_saved_end *end,
                        uint32_t *endpoint);

/* Writes the plan's trees. */
int gb_placing_trees(const gb_placing *at);

#endif
