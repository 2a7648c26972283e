/* Which sends decide when all is done. From the send that ends last back to the root: a send waits for the
 * one that brings the data, or, where its sender has had all for a while, for the sender's one before.
 *
 *   r ==1==>             1, 2, 3 leave r one after the other: 3 waits for 2, that for 1,
 *        ==2==>          and 4, from the receiver of 3, for 3
 *             ==3==>
 *                   ==4==>
 *
 * Or for the sender's last one to the same site, where that holds it up on the link for longer than the
 * sender did. Sends of a broadcast in segments alternate; there none waits for another one as a whole. */
#include "plan/show/critical.h"
#include "plan/show/print.h"

#include <stdlib.h>

typedef struct send {
  uint32_t tree, to; /* to is GB_NONE: there is none */
} send;

/* What goes up to the root is looked at with time running backwards: as the broadcast that it would be. */
static double start_of(const gbcast_plan *plan, const gb_tree *tree, uint32_t to) {
  return gb_plan_goes_up(plan) ? plan->predicted - tree->arrival[to] : tree->start[to];
}

static double arrival_of(const gbcast_plan *plan, const gb_tree *tree, uint32_t to) {
  return gb_plan_goes_up(plan) ? plan->predicted - tree->start[to] : tree->arrival[to];
}

static send last_send(const gbcast_plan *plan) {
  send last = {0, GB_NONE};
  double latest = 0;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++) {
      if (e != plan->schedule.root && arrival_of(plan, &plan->schedule.tree[t], e) > latest) {
        latest = arrival_of(plan, &plan->schedule.tree[t], e);
        last = (send){t, e};
      }
    }
  }
  return last;
}

static bool one_after_the_other(const gbcast_plan *plan, uint32_t tree) {
  return gb_carries_blocks(plan->operation) || plan->schedule.tree[tree].segment >= gb_plan_share(plan, tree);
}

/* The sender's last send that began before that time. In each tree its sends are in the order of time. */
static send last_before(const gbcast_plan *plan, uint32_t from, double time) {
  send last = {0, GB_NONE};
  double latest = -1;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    const gb_tree *tree = &plan->schedule.tree[t];
    uint32_t low = tree->child_start[from], high = tree->child_start[from + 1];
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (start_of(plan, tree, tree->child[middle]) < time)
        low = middle + 1;
      else
        high = middle;
    }
    if (low > tree->child_start[from] && start_of(plan, tree, tree->child[low - 1]) > latest) {
      latest = start_of(plan, tree, tree->child[low - 1]);
      last = (send){t, tree->child[low - 1]};
    }
  }
  return last;
}

/* The sender's last send to the same other site, in the same tree. */
static send last_to_site(const gbcast_plan *plan, send s) {
  const gb_tree *tree = &plan->schedule.tree[s.tree];
  const uint32_t from = tree->parent[s.to];
  const gb_host *host = plan->platform->host;
  const uint32_t site = host[plan->schedule.endpoint[s.to].host].cluster;
  uint32_t before = GB_NONE;
  for (uint32_t i = tree->child_start[from];
       site != host[plan->schedule.endpoint[from].host].cluster && tree->child[i] != s.to; i++)
    before = host[plan->schedule.endpoint[tree->child[i]].host].cluster == site ? tree->child[i] : before;
  return (send){s.tree, before};
}

static send waits_for(const gbcast_plan *plan, send s) {
  const gb_tree *tree = &plan->schedule.tree[s.tree];
  const uint32_t from = tree->parent[s.to];
  const double there = from == plan->schedule.root ? 0 : arrival_of(plan, tree, from);
  if (one_after_the_other(plan, s.tree) && start_of(plan, tree, s.to) > there) {
    const send before = last_before(plan, from, start_of(plan, tree, s.to)), ahead = last_to_site(plan, s);
    const bool held_up = ahead.to != GB_NONE &&
                         arrival_of(plan, tree, ahead.to) > start_of(plan, tree, s.to) &&
                         arrival_of(plan, tree, s.to) - arrival_of(plan, tree, ahead.to) >
                             (start_of(plan, tree, s.to) - start_of(plan, tree, ahead.to)) * (1 + 1e-9);
    if (held_up || before.to != GB_NONE)
      return held_up ? ahead : before;
  }
  return from == plan->schedule.root ? (send){0, GB_NONE} : (send){s.tree, from};
}

uint32_t gb_critical_path(const gbcast_plan *plan, bool *critical) {
  uint32_t count = 0;
  for (send s = last_send(plan); s.to != GB_NONE; s = waits_for(plan, s)) {
    bool *it = &critical[(size_t)s.tree * plan->schedule.endpoint_count + s.to];
    if (*it)
      break;
    *it = true;
    count++;
  }
  return count;
}

bool *gb_critical_new(const gbcast_plan *plan) {
  bool *critical = calloc(plan->schedule.endpoint_count, plan->schedule.tree_count * sizeof *critical);
  if (critical != NULL)
    (void)gb_critical_path(plan, critical);
  return critical;
}
