/* The links that a plan was made from, in JSON. */
#include "plan/show/print.h"

#include <math.h>
#include <stdlib.h>

static void print_link(gb_json_object *list, const gbcast_platform *p, const gb_link *l) {
  gb_json_object o = gb_json_begin_object(list, NULL);
  gb_json_string(&o, "from", p->cluster[l->from].name);
  gb_json_string(&o, "to", p->cluster[l->to].name);
  gb_json_number(&o, "latency_seconds", l->latency);
  gb_json_number(&o, "bandwidth_bytes_per_second", l->bandwidth);
  if (isfinite(l->stream_bandwidth))
    gb_json_number(&o, "stream_bandwidth_bytes_per_second", l->stream_bandwidth);
  if (isfinite(l->initial_window))
    gb_json_number(&o, "initial_window_bytes", l->initial_window);
  gb_json_end(&o);
}

int gb_json_links(gb_json_object *document, const gbcast_plan *plan) {
  const gbcast_platform *p = plan->given;
  bool *takes_part = calloc(p->cluster_count, sizeof *takes_part);
  if (takes_part == NULL)
    return GBCAST_EMEMORY;
  for (uint32_t s = 0; s < plan->site_count; s++)
    takes_part[plan->site[s].cluster] = true;
  gb_json_object list = gb_json_begin_list(document, "links", GB_JSON_ANY_LINES);
  for (uint32_t i = 0; i < p->link_count; i++)
    if (takes_part[p->link[i].from] && takes_part[p->link[i].to])
      print_link(&list, p, &p->link[i]);
  gb_json_end(&list);
  free(takes_part);
  return GBCAST_OK;
}
