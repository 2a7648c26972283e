/* MPI's own all-to-all, as a candidate for short blocks: Bruck, Ho, Kipnis, Upfal and Weathersby's algorithm
 * ("Efficient Algorithms for All-to-All Communications in Multiport Message-Passing Systems", 1997), which
 * MPI libraries run for these. In each of r = ceil(log2 p) rounds each of p ranks sends half of its blocks
 * to another rank, which loads the links about as much as half of all blocks sent straight to their ranks.
 * So, with the time T that the busiest link needs when all go straight, and the other symbols of
 * plan/alltoall/time.c,
 *
 *     r (2 o + L) + r / 2 * p / (p - 1) * T (1 + contention)
 *
 * Ranks of one host share memory: there each writes a block for each other one. */
#include "intra/intra.h"
#include "plan/alltoall/make.h"
#include "plan/sim/sim.h"

enum { LONG = 1 << 20 }; /* bytes: longer blocks cost no more contention */

double gb_alltoall_native_time(const gb_alltoall_site *site, uint64_t bytes) {
  const double ranks = (double)site->all_ranks;
  if (site->machines.count == 1) {
    return (ranks - 1) * (GB_NODE_OVERHEAD + (double)bytes / GB_NODE_BANDWIDTH);
  }
  const gb_lan lan = gb_alltoall_lan(site);
  const uint64_t message = bytes < LONG ? bytes * site->all_ranks / 2 : LONG;
  const double rounds = gb_ceil_log2((uint32_t)site->all_ranks), links = (double)bytes * site->seconds_a_byte;
  return rounds * (2 * lan.overhead + gb_lan_latency(&lan, bytes) + site->farthest) +
         rounds / 2 * ranks / (ranks - 1) * links * (1 + gb_alltoall_contention_of_all(site, message));
}
