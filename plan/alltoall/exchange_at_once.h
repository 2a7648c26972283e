#ifndef GB_PLAN_ALLTOALL_EXCHANGE_AT_ONCE_H
#define GB_PLAN_ALLTOALL_EXCHANGE_AT_ONCE_H

#include "plan/alltoall/exchange.h"

/* The part of a machine whose messages go all at once: one track to all others or, in groups, one inside its
 * own and one across. out->track[2] is there. False: out of memory. */
bool gb_exchange_at_once(const gb_alltoall_site *site, uint32_t machine, gb_sync_choice choice,
                         gb_exchange *out);

#endif
