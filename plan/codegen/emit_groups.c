/* The routine of an all-to-all in two steps: which rank is at which place. */
#include "plan/alltoall/alltoall.h"
#include "plan/codegen/emit.h"

#include <inttypes.h>

static const char routine[] = {
#include "plan/codegen/emit_groups.inc"
};

int gb_emit_groups(const gbcast_plan *plan, const gb_ranks *ranks, FILE *out) {
  gb_exchange part; /* of any host: the places are the same for all */
  const int rc = gb_exchange_new(plan->alltoall, plan->schedule.endpoint[0].host, &part, NULL);
  if (rc != GBCAST_OK) {
    return rc;
  }
  fprintf(out, "enum { RANKS = %" PRIu32 ", GROUP = %" PRIu32 " }; /* ranks in a group */\n", part.places,
          part.group);
  fputs("enum { TAG_BLOCK, TAG_COPY };\n\n/* The rank at each place; each GROUP in a row are a group. */\n",
        out);
  gb_list list = gb_list_begin(out, "static const int place[RANKS] = {");
  for (uint32_t p = 0; p < part.places; p++) {
    gb_list_add(&list, "%" PRIu32, ranks->number[ranks->first[part.place[p]]]);
  }
  gb_list_end(&list, "};");
  gb_emit_common(out);
  gb_emit_blocks(out);
  fputs(routine, out);
  gb_exchange_free(&part);
  return GBCAST_OK;
}
