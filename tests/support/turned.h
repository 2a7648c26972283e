/* Three sites whose links are unlike in their two directions, and what goes up trees there. */
#ifndef GB_TESTS_SUPPORT_TURNED_H
#define GB_TESTS_SUPPORT_TURNED_H

#include "plan/core/core.h"
#include "tests/support/plans.h"
#include <stdio.h>

#define SITES "cluster a\na[0-3]\ncluster b\nb[0-3]\ncluster c\nc[0-3]\n"
#define THERE(from, to, rate, latency) "link " from " -> " to " latency=" latency " bandwidth=" rate "\n"

/* Every link as the other direction of the second text has it. */
static const char unlike[] = SITES THERE("a", "b", "100Mbit/s", "10ms") THERE("b", "a", "20Mbit/s", "30ms")
    THERE("a", "c", "50Mbit/s", "7ms") THERE("c", "a", "10Mbit/s", "5ms") THERE("b", "c", "200Mbit/s", "2ms")
        THERE("c", "b", "100Mbit/s", "9ms");
static const char turned[] = SITES THERE("b", "a", "100Mbit/s", "10ms") THERE("a", "b", "20Mbit/s", "30ms")
    THERE("c", "a", "50Mbit/s", "7ms") THERE("a", "c", "10Mbit/s", "5ms") THERE("c", "b", "200Mbit/s", "2ms")
        THERE("b", "c", "100Mbit/s", "9ms");

/* Run backwards, an operation that goes up is one that goes down over the links turned round: the same trees,
 * as fast, and the one begins where the other ends. lanes: 0: any. */
static inline void expect_turned(enum gbcast_operation up, enum gbcast_operation down, uint64_t bytes,
                                 uint32_t lanes) {
  gbcast_platform *there = parse(unlike), *back = parse(turned);
  for (unsigned root = 0; root < 12; root += 4) {
    char name[16];
    snprintf(name, sizeof name, "%u", root);
    gbcast_plan *a =
        make(there, (gbcast_request){.operation = up, .bytes = bytes, .root = name, .lanes = lanes});
    gbcast_plan *b =
        make(back, (gbcast_request){.operation = down, .bytes = bytes, .root = name, .lanes = lanes});
    cr_assert_float_eq(a->predicted, b->predicted, 1e-12);
    cr_assert_float_eq(a->bound, b->bound, 1e-12);
    cr_assert_eq(a->schedule.tree_count, b->schedule.tree_count);
    for (uint32_t t = 0; t < a->schedule.tree_count; t++)
      for (uint32_t e = 0; e < 12; e++) {
        const gb_tree *there_tree = &a->schedule.tree[t], *back_tree = &b->schedule.tree[t];
        cr_assert_eq(there_tree->parent[e], back_tree->parent[e]);
        if (there_tree->parent[e] != GB_NONE && !a->native)
          cr_assert_float_eq(there_tree->start[e] + back_tree->arrival[e], a->predicted, 1e-9);
      }
    cr_assert(bytes == 0 || a->hash != b->hash, "another operation is another plan");
    gbcast_plan_free(a);
    gbcast_plan_free(b);
  }
  gbcast_platform_free(there);
  gbcast_platform_free(back);
}

#endif
