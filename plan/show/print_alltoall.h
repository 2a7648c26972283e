/* What the printers of all-to-all plans share. */
#ifndef GB_PLAN_SHOW_PRINT_ALLTOALL_H
#define GB_PLAN_SHOW_PRINT_ALLTOALL_H

#include "plan/show/json.h"
#include "plan/show/print.h"

static inline const char *gb_alltoall_host_name(const gb_alltoall_site *site, uint32_t machine) {
  return gbcast_platform_host_name(site->machines.p, site->host[machine]);
}

static inline const char *gb_alltoall_root(const gb_alltoall_site *site) {
  const uint32_t root = site->phases.root;
  return root == GB_NONE ? "core" : site->machines.p->sw[root].name;
}

/* The site with most phases. */
static inline const gb_alltoall_site *gb_alltoall_longest(const gb_alltoall *a) {
  const gb_alltoall_site *longest = a->site;
  for (uint32_t s = 1; s < a->site_count; s++) {
    longest = a->site[s].phases.count > longest->phases.count ? &a->site[s] : longest;
  }
  return longest;
}

static inline bool gb_alltoall_is_local(const gb_alltoall_site *site, const gb_message *message) {
  return site->phases.subtree[message->from] == site->phases.subtree[message->to];
}

size_t gb_alltoall_all_signals(const gb_alltoall *a, gb_sync_choice choice); /* in all sites */

/* The name of a link or of a site's WAN traffic, see platform/cost/cost.h. */
typedef struct gb_link_name {
  const char *what, *from, *arrow, *to;
} gb_link_name;
gb_link_name gb_name_resource(const gbcast_platform *p, uint64_t id);

/* For several sites: what replaces the table of phases. GBCAST_EMEMORY. */
int gb_print_transfers_text(const gbcast_plan *plan, FILE *out);

void gb_print_alltoall_head(const gbcast_plan *plan, FILE *out); /* all but the table and the times */

#endif
