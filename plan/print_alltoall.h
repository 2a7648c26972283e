/* What the printers of all-to-all plans share. */
#ifndef GB_PLAN_PRINT_ALLTOALL_H
#define GB_PLAN_PRINT_ALLTOALL_H

#include "plan/alltoall.h"
#include "plan/print.h"

gb_text gb_text_sync(gb_sync_choice choice); /* as the option takes it: sender-partial:8 */

static inline const char *gb_alltoall_host_name(const gb_alltoall *a, uint32_t machine) {
  return gbcast_platform_host_name(a->machines.p, a->host[machine]);
}

static inline bool gb_alltoall_is_local(const gb_alltoall *a, const gb_message *message) {
  return a->phases.subtree[message->from] == a->phases.subtree[message->to];
}

/* Each returns GBCAST_OK or GBCAST_EMEMORY, as those in plan/print.h. */
int gb_print_alltoall_text(const gbcast_plan *plan, FILE *out);
int gb_print_alltoall_json(const gbcast_plan *plan, FILE *out);
int gb_print_alltoall_compare(const gbcast_plan *plan, FILE *out);

#endif
