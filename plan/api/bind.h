/* Binds a plan that was read from a file to a platform: the names in the file become hosts and endpoints. */
#ifndef GB_PLAN_API_BIND_H
#define GB_PLAN_API_BIND_H

#include "plan/show/show.h"

typedef struct gb_binding {
  const gb_saved *saved;
  gbcast_plan *plan;
  uint32_t *first; /* by host of the platform: its first endpoint, or GB_NONE */
  gbcast_error *err;
} gb_binding;

/* Where messages about the file as a whole point. */
static const gb_json_spot gb_file_start = {1, 1};

/* The host or endpoint that a value of the file names. GBCAST_EINPUT, with a message that begins
 * FILE:LINE:COLUMN: there is none. */
int gb_bind_host(const gb_binding *at, gb_json_spot where, const char *name, uint32_t *host);
int gb_bind_endpoint(const gb_binding *at, gb_json_spot where, const gb_saved_end *end, uint32_t *endpoint);

/* Fills the plan's trees; at->first is there. GBCAST_EINPUT, GBCAST_EMEMORY. */
int gb_bind_trees(const gb_binding *at);

#endif
