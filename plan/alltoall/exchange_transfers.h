#ifndef GB_PLAN_ALLTOALL_EXCHANGE_TRANSFERS_H
#define GB_PLAN_ALLTOALL_EXCHANGE_TRANSFERS_H

#include "plan/alltoall/exchange.h"

/* Adds the tracks to other sites of a machine of a site to its part, where out->word has `words` so far. The
 * track of its own site is there, and room for all. False: out of memory. */
bool gb_exchange_add_ways(const gb_alltoall *a, uint32_t site, uint32_t machine, gb_exchange *out,
                          uint32_t words);

#endif
