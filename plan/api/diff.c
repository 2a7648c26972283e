/* Two plans side by side: the earlier one from its file, and what its trees would take now. */
#include "plan/api/api.h"
#include "plan/search/search.h"
#include "plan/show/show.h"
#include "platform/text/text.h"
#include <stdlib.h>

int gb_saved_of(const gbcast_plan *plan, gb_saved *out, gbcast_error *err) {
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&text, &length);
  int status = memory != NULL ? gbcast_plan_print(plan, GBCAST_JSON, memory) : GBCAST_EMEMORY;
  if (memory != NULL && fclose(memory) != 0)
    status = GBCAST_EMEMORY;
  status = status == GBCAST_OK ? gb_saved_parse(text, length, "plan", out, err) : gb_no_memory(err);
  free(text);
  return status;
}

/* What the trees of `then` take over the network of `now`; why: gets the reason where they cannot be used. */
static int price_old(const gb_saved *then, const gbcast_plan *now, gb_diff_old *old, gbcast_error *why,
                     gbcast_error *err) {
  const gbcast_platform *p = now->given;
  gbcast_plan *plan = NULL;
  uint32_t *ranks = calloc(p->host_count, sizeof *ranks);
  if (ranks == NULL)
    return gb_no_memory(err);
  for (uint32_t e = 0; e < now->schedule.endpoint_count; e++)
    ranks[now->schedule.endpoint[e].host]++;
  int status = gb_saved_bind(then, p, ranks, &plan, why);
  old->same = status == GBCAST_OK && plan->decision == now->decision;
  if (status == GBCAST_OK && !old->same)
    status = gb_plan_price(plan, p, &old->seconds, why);
  gbcast_plan_free(plan);
  free(ranks);
  if (status == GBCAST_EMEMORY)
    return gb_no_memory(err);
  old->unusable = status == GBCAST_OK ? NULL : why->message;
  return GBCAST_OK;
}

int gb_plan_diff(const gb_saved *then, const gbcast_plan *now, FILE *out, gbcast_error *err) {
  gb_saved saved = {0};
  gb_diff_old old = {0};
  gbcast_error why = {""};
  int status = gb_saved_of(now, &saved, err);
  if (status == GBCAST_OK && then->operation == saved.operation && then->bytes == saved.bytes &&
      then->operation != GBCAST_ALLTOALL)
    status = price_old(then, now, &old, &why, err);
  gb_plain_locale plain;
  if (status == GBCAST_OK && !gb_plain_locale_set(&plain))
    status = gb_no_memory(err);
  else if (status == GBCAST_OK) {
    status = gb_diff_print(then, &saved, now, &old, out, err);
    gb_plain_locale_end(&plain);
  }
  gb_saved_release(&saved);
  return status;
}
