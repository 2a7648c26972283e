/* The steps in which the plan of an all-to-all is made. */
#ifndef GB_PLAN_ALLTOALL_MAKE_H
#define GB_PLAN_ALLTOALL_MAKE_H

#include "plan/alltoall/alltoall.h"

/* The most sites, and the most hosts in all of them: a plan takes time and memory in proportion to its
 * messages. */
#define GB_ALLTOALL_SITES 100u
#define GB_ALLTOALL_HOSTS 4096u

/* Paced messages take this part of what links are said to carry: the rest is for what networks add to data,
 * and for late messages to catch up. */
#define GB_PACED_FULL (19.0 / 20)

/* A paced host has no more than this many times the messages under way that fill the path, and has as many
 * only when some are late. */
#define GB_PACED_AHEAD 4u

/* What contention costs where messages of so many bytes are under way all at once, as a part of the time
 * without it. */
double gb_alltoall_contention_of_all(const gb_alltoall_site *site, uint64_t bytes);
gb_lan gb_alltoall_lan(const gb_alltoall_site *site);

/* Sets what the busiest links need, in each site and in all, and so the peak. */
void gb_alltoall_rate(gb_alltoall *a);

/* s of both steps with groups of so many hosts, a divisor of the site's; and the fastest such group. */
double gb_alltoall_groups_time(const gb_alltoall_site *site, uint32_t group, uint64_t bytes);
uint32_t gb_alltoall_group(const gb_alltoall_site *site, uint64_t bytes);

/* s; MPI's own */
double gb_alltoall_native_time(const gb_alltoall_site *site, uint64_t bytes);

/* The scheme with the least time. */
gb_sync_choice gb_alltoall_choose(const gb_alltoall *a, uint64_t bytes);

/* Plans what the sites send each other in blocks of plan->class_bytes: zeros for one site. GBCAST_EINPUT: a
 * site cannot be reached. GBCAST_EMEMORY. */
int gb_transfers_make(gbcast_plan *plan, gb_alltoall *a, gbcast_error *err);
void gb_transfers_free(gb_site_transfers *transfers);
/* GBCAST_EINPUT unless each host sends to each of another site once, lanes have hosts that do not get in each
 * other's way, and each transfer is on one track. */
int gb_transfers_check(const gb_alltoall *a, gbcast_error *err);

/* The steps of gb_transfers_make. The slots of each lane: transfer->lanes may become less; returns the part
 * of all messages that the longest lane has. The first sender is number `shift` of the site. */
double gb_transfer_fill_lanes(const gb_alltoall *a, gb_site_transfer *transfer, uint32_t shift);
/* When each transfer begins and ends. */
int gb_transfers_set_times(gb_site_transfers *transfers, uint32_t sites, gbcast_error *err);
/* The track of each transfer at its site. */
int gb_transfers_set_tracks(gb_site_transfers *transfers, uint32_t sites, gbcast_error *err);

/* The tracks of one host, a machine of a site, in gb_exchange_new. That of its own site, where all goes at
 * once, or in groups the two: out->track[2] is there. False: out of memory. */
bool gb_exchange_at_once(const gb_alltoall_site *site, uint32_t machine, gb_sync_choice choice,
                         gb_exchange *out);
/* Those to other sites: out->signal_host has `signals` so far. The track of the own site is there, and room
 * for all. False: out of memory. */
bool gb_exchange_add_transfers(const gb_alltoall *a, uint32_t site, uint32_t machine, gb_exchange *out,
                               uint32_t signals);

#endif
