/* A plan read back: it is taken apart or refused with its place, and what is put over a platform is a plan
 * that delivers, can be priced, printed, and read back again as the same. */
#include "fuzz.h"

#include "plan/api/api.h"
#include "plan/search/search.h"
#include "plan/show/show.h"

#include <string.h>

static const char hosts[] =
    "cluster a\na0:2\na1\ncluster b\nb0:2\nb1\ncluster c\nc0\n"
    "link a b latency=10ms bandwidth=100Mbit/s\nlink b c latency=1ms bandwidth=1Gbit/s\n";
static const uint32_t ranks[] = {2, 1, 2, 1, 1};

static char *json_of(const gbcast_plan *plan, size_t *length) {
  char *text = NULL;
  FILE *out = open_memstream(&text, length);
  must(out != NULL && gbcast_plan_print(plan, GBCAST_JSON, out) == GBCAST_OK);
  must(gbcast_plan_print(plan, GBCAST_TEXT, out) == GBCAST_OK);
  must(gbcast_plan_print(plan, GBCAST_COMPARE, out) == GBCAST_OK);
  must(fclose(out) == 0);
  *length = (size_t)(strstr(text, "]\n}\n") + 4 - text);
  return text;
}

static void try(const gbcast_platform *p, const gb_saved *saved) {
  gbcast_plan *plan = NULL, *again = NULL;
  gbcast_error err = {""};
  int status = gb_saved_bind(saved, p, ranks, &plan, &err);
  must(status == GBCAST_OK || (status == GBCAST_EINPUT && strncmp(err.message, "plan:", 5) == 0));
  if (status != GBCAST_OK)
    return;
  must(gbcast_plan_check(plan, NULL) == GBCAST_OK);
  status = gb_plan_retime(plan, &err);
  must(status == GBCAST_OK || (status == GBCAST_EUSAGE && saved->operation == GBCAST_SCATTER));
  size_t length = 0;
  char *text = json_of(plan, &length);
  gb_saved second;
  must(gb_saved_parse(text, length, "plan", &second, NULL) == GBCAST_OK);
  must(gb_saved_bind(&second, p, ranks, &again, NULL) == GBCAST_OK);
  must(gbcast_plan_hash(again) == gbcast_plan_hash(plan));
  gbcast_plan_free(again);
  gb_saved_release(&second);
  free(text);
  gbcast_plan_free(plan);
}

/* Held against a plan of today, whatever it says. */
static void compare(const gbcast_platform *p, const gb_saved *saved) {
  gbcast_plan *plan = NULL;
  const gbcast_request request = {.bytes = 5000, .inter = "chain", .intra = "chain", .segment = 5000};
  must(gbcast_plan_make(p, &request, &plan, NULL) == GBCAST_OK);
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  must(out != NULL && gb_plan_diff(saved, plan, out, NULL) == GBCAST_OK);
  must(fclose(out) == 0 && length > 0 && text[length - 1] == '\n');
  free(text);
  gbcast_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gb_saved saved;
  gbcast_error err = {""};
  int status = gb_saved_parse((const char *)data, size, "plan", &saved, &err);
  must(status == GBCAST_OK || (status == GBCAST_EINPUT && strncmp(err.message, "plan:", 5) == 0));
  if (status != GBCAST_OK)
    return 0;
  gbcast_platform *p = NULL;
  must(gbcast_platform_parse(hosts, sizeof hosts - 1, "hosts", &p, NULL) == GBCAST_OK);
  try(p, &saved);
  compare(p, &saved);
  gbcast_platform_free(p);
  gb_saved_release(&saved);
  return 0;
}
