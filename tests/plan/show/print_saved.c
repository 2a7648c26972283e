/* Prints a plan that was printed as JSON before: the format is that of today, the plan is the file's.
 *
 *   print_saved FORMAT PLAN HOSTS|synthetic=GRID [LIVE [MAX-AGE]]     FORMAT: also c, compare,
 * diff=EARLIER-PLAN */
#include "plan/api/api.h"

#include <gbcast/plan.h>
#include <stdlib.h>
#include <string.h>

static int print_diff(const char *earlier, const gbcast_plan *plan, gbcast_error *err) {
  gb_saved then;
  int status = gb_saved_read(earlier, &then, err);
  if (status == GBCAST_OK) {
    status = gb_plan_diff(&then, plan, stdout, err);
    gb_saved_release(&then);
  }
  return status;
}

static int print_as(const char *format, const gbcast_plan *plan, gbcast_error *err) {
  static const struct {
    const char *name;
    enum gbcast_format format;
  } known[] = {{"text", GBCAST_TEXT},       {"json", GBCAST_JSON}, {"dot", GBCAST_DOT},
               {"svg", GBCAST_SVG},         {"c", GBCAST_C},       {"trace", GBCAST_TRACE},
               {"compare", GBCAST_COMPARE}, {"html", GBCAST_HTML}};
  if (strncmp(format, "diff=", 5) == 0)
    return print_diff(format + 5, plan, err);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(format, known[i].name) == 0)
      return gbcast_plan_print(plan, known[i].format, stdout);
  (void)snprintf(err->message, sizeof err->message, "%s is no format", format);
  return GBCAST_EUSAGE;
}

/* With a rank for each slot of the platform, as gbcast-plan has it. */
static int bind_plan(const char *path, const gbcast_platform *p, gbcast_plan **plan, gbcast_error *err) {
  gb_saved saved;
  uint32_t *ranks = malloc(p->host_count * sizeof *ranks);
  int status = ranks != NULL ? gb_saved_read(path, &saved, err) : GBCAST_EMEMORY;
  for (uint32_t h = 0; ranks != NULL && h < p->host_count; h++)
    ranks[h] = p->host[h].slots;
  if (status == GBCAST_OK) {
    status = gb_saved_bind(&saved, p, ranks, plan, err);
    gb_saved_release(&saved);
  }
  free(ranks);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  gbcast_error err = {""};
  gbcast_platform *p = NULL;
  gbcast_plan *plan = NULL;
  const char *grid = strncmp(argv[3], "synthetic=", 10) == 0 ? argv[3] + 10 : NULL;
  int status =
      grid != NULL ? gbcast_platform_synthetic(grid, &p, &err) : gbcast_platform_read(argv[3], &p, &err);
  if (status == GBCAST_OK && argc > 4)
    status = gbcast_platform_live(p, argv[4], 0, argc > 5 ? (unsigned)atoi(argv[5]) : 600, &err);
  if (status == GBCAST_OK)
    status = bind_plan(argv[2], p, &plan, &err);
  if (status == GBCAST_OK)
    status = print_as(argv[1], plan, &err);
  if (status != GBCAST_OK)
    fprintf(stderr, "%s\n", err.message);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  return status == GBCAST_OK ? 0 : 1;
}
