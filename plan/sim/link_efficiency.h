/* What part of a link streams get that meet there.
 *
 * Bytes/s in a hosts file hold for one stream alone. A host inside a tree receives and sends at once: what
 * goes one way takes from what comes the other way, for acknowledgements and headers. Streams of several
 * trees meet on links besides: without room queues grow there, and the stream with the longest way waits
 * most. The walk counts it, and several trees are paced by it. One tree over measured gaps is taken to need
 * just those.
 *
 *   inside a cluster                      0.92   simulated, 4 MiB over four switches take 1.14 of the bound
 *                                                in two trees paced with 1 and with 0.9, and 1.11 with 0.92;
 *                                                8 MiB over real TCP in one tree go at 0.91, and
 *                                                scatters of 1 MiB in a binomial tree at 0.89
 *   streams that meet between sites, and  0.9    4 MiB over a mesh of sites: 1.61 with 1, 1.55 with 0.95,
 *   what shares their leaders' links             1.47 with 0.9 and with 0.85
 *   other streams between sites           1      1 MiB to a second site: 1.10 with 0.9, 1.03 with 1 */
#ifndef GB_PLAN_SIM_LINK_EFFICIENCY_H
#define GB_PLAN_SIM_LINK_EFFICIENCY_H

#include "inter/inter.h"
#include <gbcast/plan.h>
#include <stdbool.h>

/* Of a broadcast, and of a scatter to one who passes on, in segments. meet: gb_plan_streams_meet's; wan:
 * between sites. */
static inline double gb_room(bool meet, bool wan) {
  return meet ? 0.9 : wan ? 1 : 0.92;
}

/* Whether streams of a plan's several trees meet between sites: those of several leaders do, and those that
 * get to some site from different ones. But not if all that goes over each link is on its way before the
 * first byte of it is answered: no queue grows in that time. Simulated, 1 MiB over mesh4 of bench/peers takes
 * 1.27 of the bound with 0.9, 1.19 with 1. */
bool gb_plan_streams_meet(const gbcast_plan *plan);

/* The same of other trees over the plan's sites, in so many lanes. */
bool gb_site_streams_meet(const gbcast_plan *plan, const gb_site_trees *sites, uint32_t lanes);

#endif
