/* What the printers share. */
#ifndef GB_PLAN_SHOW_PRINT_H
#define GB_PLAN_SHOW_PRINT_H

#include "plan/show/json.h"
#include "plan/show/show.h"

/* What leaves the root for all ranks: the message, or a block for each other rank. A plan whose segment is
 * not less sends whole messages. */
uint64_t gb_plan_total(const gbcast_plan *plan);
uint64_t gb_plan_share(const gbcast_plan *plan, uint32_t tree); /* bytes of it that go down one tree */

/* "whole" or its bytes. */
gb_text gb_text_segment(const gbcast_plan *plan, uint64_t segment);

static inline const char *gb_plan_site_name(const gbcast_plan *plan, uint32_t site) {
  return plan->platform->cluster[plan->site[site].cluster].name;
}

static inline const char *gb_plan_host_name(const gbcast_plan *plan, uint32_t endpoint) {
  return gbcast_platform_host_name(plan->platform, plan->schedule.endpoint[endpoint].host);
}

/* The algorithm between sites, or "none". */
static inline const char *gb_plan_inter(const gbcast_plan *plan) {
  return plan->site_count > 1 || plan->schedule.exchange != GB_UP_AND_DOWN ? plan->inter : "none";
}

/* Whether the rank is the only one of its host. */
bool gb_plan_is_alone(const gbcast_plan *plan, uint32_t endpoint);

/* "#k" behind the name of a rank's host, or "". */
gb_text gb_text_rank(const gbcast_plan *plan, uint32_t endpoint, bool numbered);

/* A host's name with that behind it. */
void gb_json_rank(gb_json_object *object, const char *key, const gbcast_plan *plan, uint32_t endpoint,
                  bool numbered);
/* The members "operation", "root" and "message_bytes". */
void gb_json_call(gb_json_object *object, const gbcast_plan *plan);
/* The member "sources". */
void gb_json_sources(gb_json_object *document, const gbcast_platform *p);

/* Of no all-to-all: what is sent, and to how many, on a line. */
void gb_print_header(const gbcast_plan *plan, FILE *out);
void gb_print_head(const gbcast_plan *plan, FILE *out);  /* this, and how; of any operation */
void gb_print_times(const gbcast_plan *plan, FILE *out); /* the last line, behind an empty one */
void gb_print_cost(const gbcast_plan *plan, FILE *out);  /* a line; without prices nothing */
/* What a printer of text prints, to be freed; NULL when out of memory. */
char *gb_printed(const gbcast_plan *plan, void (*print)(const gbcast_plan *plan, FILE *out));

/* The links with live values laid over them; unless `all`, those that these change, or that had some of no
 * use. Without such values nothing. GBCAST_EMEMORY. */
int gb_print_live(const gbcast_platform *p, bool all, FILE *out);

/* Of all-to-alls. */

static inline const char *gb_alltoall_host_name(const gb_alltoall_site *site, uint32_t machine) {
  return gbcast_platform_host_name(site->machines.p, site->host[machine]);
}

static inline const char *gb_alltoall_root(const gb_alltoall_site *site) {
  const uint32_t root = site->phases.root;
  return root == GB_NONE ? "core" : site->machines.p->sw[root].name;
}

static inline bool gb_alltoall_is_local(const gb_alltoall_site *site, const gb_message *message) {
  return site->phases.subtree[message->from] == site->phases.subtree[message->to];
}

size_t gb_alltoall_all_signals(const gb_alltoall *a, gb_sync_choice choice); /* in all sites */

/* A transfer between sites, and when it has arrived, in s. */
typedef struct gb_timed_transfer {
  const gb_site_transfer *transfer;
  double arrival;
} gb_timed_transfer;
/* All of them with blocks of that size, or NULL: as planned; the last to arrive first. NULL: out of memory.
 */
gb_timed_transfer *gb_transfers_last_first(const gb_site_transfers *transfers, const uint64_t *bytes);

/* For several sites: what replaces the table of phases. GBCAST_EMEMORY. */
int gb_print_transfers_text(const gbcast_plan *plan, FILE *out);
void gb_print_alltoall_head(const gbcast_plan *plan, FILE *out); /* all but the table and the times */

#endif
