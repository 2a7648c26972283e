#ifndef GB_PLAN_EXCHANGE_WAYS_H
#define GB_PLAN_EXCHANGE_WAYS_H

#include "plan/exchange.h"

/* Adds the tracks to other sites of a machine of a site to its part, where out->word has `words` so far. The
 * track of its own site is there, and room for all. False: out of memory. */
bool gb_exchange_add_ways(const gb_alltoall *a, uint32_t site, uint32_t machine, gb_exchange *out,
                          uint32_t words);

#endif
