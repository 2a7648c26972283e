/* Platforms from text, and plans for them: a test fails where either cannot be made. */
#ifndef GB_TESTS_SUPPORT_PLANS_H
#define GB_TESTS_SUPPORT_PLANS_H

#include <criterion/criterion.h>
#include <gbcast/plan.h>
#include <string.h>

/* The operations whose plans have trees. */
enum { WITH_TREES = 7 };
static const enum gbcast_operation with_trees[WITH_TREES]
    __attribute__((unused)) = {GBCAST_BCAST,  GBCAST_SCATTER,   GBCAST_REDUCE,        GBCAST_ALLREDUCE,
                               GBCAST_GATHER, GBCAST_ALLGATHER, GBCAST_REDUCE_SCATTER};

static inline gbcast_platform *parse(const char *text) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_parse(text, strlen(text), "text", &p, &err), GBCAST_OK, "%s\n%s", err.message,
               text);
  return p;
}

static inline gbcast_plan *make(const gbcast_platform *p, gbcast_request request) {
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_plan_make(p, &request, &plan, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gbcast_plan_check(plan, &err), GBCAST_OK, "%s", err.message);
  return plan;
}

#endif
