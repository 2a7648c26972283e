/* What streams that ran at the same time carried in all, and whether the link of a site was the limit. */
#include "platform/text/text.h"
#include "probe/write.h"

#include <math.h>

/* Whether a stream belongs to the total of `from` and `to`; see gb_probe_total_of(). */
static bool counts(const gb_probe_report *r, const gb_probe_flow *f, uint32_t from, uint32_t to) {
  const gb_host *host = r->platform->host;
  const uint32_t sender = host[f->host[0]].cluster, receiver = host[f->host[1]].cluster;
  if (to == GB_NONE)
    return f->site == from && sender == from;
  if (from == GB_NONE)
    return f->site == to && receiver == to;
  return f->site == GB_NONE && sender == from && receiver == to;
}

gb_probe_total gb_probe_total_of(const gb_probe_report *r, uint32_t from, uint32_t to) {
  gb_probe_total total = {0};
  for (uint32_t i = 0; i < r->flow_count; i++) {
    const gb_probe_flow *f = &r->flow[i];
    if (!counts(r, f, from, to))
      continue;
    if (!f->measured)
      return (gb_probe_total){0};
    total.streams++;
    total.sum += f->rate.value;
    total.alone += f->alone;
    total.fastest = fmax(total.fastest, f->alone);
  }
  return total;
}

/* What the links of those hosts of a site carry in all that are the sender (end 0) or receiver (1) of a
 * stream to or from other sites (bytes/s). INFINITY: not measured. */
static double hosts_carry(const gb_probe_report *r, uint32_t site, int end) {
  int direction;
  const gb_probe_task *inside = gb_task_of(r, site, site, &direction);
  uint32_t hosts = 0;
  for (uint32_t i = 0; i < r->flow_count; i++) {
    const gb_probe_flow *f = &r->flow[i];
    bool counted = f->site != site || r->platform->host[f->host[end]].cluster != site;
    for (uint32_t k = 0; k < i && !counted; k++)
      counted = r->flow[k].site == site && r->flow[k].host[end] == f->host[end];
    hosts += !counted;
  }
  return inside != NULL ? hosts * gb_probe_derive(&inside->table, direction).bandwidth : INFINITY;
}

double gb_probe_site_limit(const gb_probe_report *r, uint32_t site) {
  double limit = INFINITY;
  for (int end = 0; end < 2; end++) {
    const gb_probe_total total =
        end == 0 ? gb_probe_total_of(r, site, GB_NONE) : gb_probe_total_of(r, GB_NONE, site);
    const double needed = gb_smaller(total.alone, hosts_carry(r, site, end));
    const double carried = fmax(total.sum, total.fastest); /* a site carries what one stream does alone */
    if (total.streams > 0 && GB_PROBE_CLOSE * carried < needed)
      limit = gb_smaller(limit, carried);
  }
  return isfinite(limit) ? limit : 0;
}
