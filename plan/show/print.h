/* What the printers of broadcasts and scatters share. */
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
/* The members "links" (GBCAST_EMEMORY) and "sources". */
int gb_json_links(gb_json_object *document, const gbcast_plan *plan);
void gb_json_sources(gb_json_object *document, const gbcast_platform *p);

void gb_print_header(const gbcast_plan *plan,
                     FILE *out); /* what is sent, and to how many: a line; no all-to-all */
void gb_print_head(const gbcast_plan *plan, FILE *out);  /* this, and how; of any operation */
void gb_print_times(const gbcast_plan *plan, FILE *out); /* the last line, behind an empty one */
void gb_print_cost(const gbcast_plan *plan, FILE *out);  /* a line; without prices nothing */
/* What a printer of text prints, to be freed; NULL when out of memory. */
char *gb_printed(const gbcast_plan *plan, void (*print)(const gbcast_plan *plan, FILE *out));

/* The links with live values laid over them; unless `all`, those that these change, or that had some of no
 * use. Without such values nothing. GBCAST_EMEMORY. */
int gb_print_live(const gbcast_platform *p, bool all, FILE *out);

#endif
