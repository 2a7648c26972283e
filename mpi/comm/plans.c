/* GBCAST_PLAN: plans that were made before. In the inputs they are names and texts in turn, each with a zero
 * behind it: no text of JSON has one. */
#include "mpi/comm/plans.h"
#include "plan/api/api.h"
#include "platform/text/text.h"
#include <stdlib.h>
#include <string.h>

typedef struct plan_reading {
  const gbcast_platform *p;
  uint32_t *ranks; /* by host */
  bool choosy;     /* a plan for other ranks is an error */
  int verbose;
  FILE *out; /* the plans that are used */
  gbcast_error *err;
} plan_reading;

/* Whether the plan is for these ranks, and can be run. */
static int try(const plan_reading *r, const char *path, const char *text, size_t length) {
  gb_saved saved;
  gbcast_plan *plan = NULL;
  gbcast_error why = {""};
  int status = gb_saved_parse(text, length, path, &saved, r->err);
  if (status != GBCAST_OK)
    return status;
  status = gb_saved_run(&saved, r->p, r->ranks, saved.bytes, &plan, &why);
  gbcast_plan_free(plan);
  gb_saved_release(&saved);
  if (status == GBCAST_OK) {
    (void)fwrite(path, 1, strlen(path) + 1, r->out);
    (void)fwrite(text, 1, length, r->out);
    (void)fputc('\0', r->out);
  } else if (status == GBCAST_EINPUT && !r->choosy) {
    if (r->verbose > 0)
      fprintf(stderr, "gbcast: %s; this plan is left out here\n", why.message);
    status = GBCAST_OK;
  } else if (r->err != NULL) {
    *r->err = why;
  }
  return status;
}

/* A list with a colon between two paths. */
static int read_list(const plan_reading *r, const char *list) {
  char *copy = strdup(list), *rest = NULL;
  int status = copy != NULL ? GBCAST_OK : gb_no_memory(r->err);
  for (char *path = copy; status == GBCAST_OK && (path = strtok_r(path, ":", &rest)) != NULL; path = NULL) {
    const gb_place start = {path, 1, 1};
    char *text = NULL;
    size_t length = 0;
    status = gb_read_file(path, &start, NULL, &text, &length, r->err);
    if (status == GBCAST_OK)
      status = try(r, path, text, length);
    free(text);
  }
  free(copy);
  return status;
}

static int read_over(const gbcast_platform *p, bool choosy, gb_inputs *in, gbcast_error *err) {
  plan_reading r = {.p = p, .choosy = choosy, .verbose = in->settings.verbose, .err = err};
  r.ranks = calloc(p->host_count, sizeof *r.ranks);
  r.out = open_memstream(&in->plans, &in->plans_length);
  int status = r.ranks != NULL && r.out != NULL ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t i = 0; status == GBCAST_OK && i < in->rank_count; i++)
    r.ranks[in->rank_host[i]]++;
  if (status == GBCAST_OK)
    status = read_list(&r, in->settings.plan);
  if (r.out != NULL && fclose(r.out) != 0 && status == GBCAST_OK)
    status = gb_no_memory(err);
  free(r.ranks);
  return status;
}

int gb_plans_read(const gb_overrides *overrides, int size, gb_inputs *inputs, gbcast_error *err) {
  gbcast_platform *p = NULL;
  int world = size;
  if (inputs->settings.plan == NULL)
    return GBCAST_OK;
  (void)MPI_Comm_size(MPI_COMM_WORLD, &world);
  const bool named = overrides->value != NULL && overrides->value[gb_setting_number("GBCAST_PLAN")] != NULL;
  int status = gbcast_platform_parse(inputs->platform, inputs->platform_length, "hosts", &p, err);
  if (status == GBCAST_OK)
    status = read_over(p, named || size == world, inputs, err);
  gbcast_platform_free(p);
  return status;
}

int gb_plans_take(const gb_inputs *inputs, gb_plans *out, gbcast_error *err) {
  *out = (gb_plans){0};
  int status = GBCAST_OK;
  for (size_t at = 0; status == GBCAST_OK && at < inputs->plans_length;) {
    const char *name = inputs->plans + at, *text = name + strlen(name) + 1;
    gb_saved *grown = realloc(out->saved, (out->count + (size_t)1) * sizeof *grown);
    if (grown == NULL)
      status = gb_no_memory(err);
    else
      out->saved = grown;
    if (status == GBCAST_OK)
      status = gb_saved_parse(text, strlen(text), name, &out->saved[out->count], err);
    out->count += status == GBCAST_OK;
    at = (size_t)(text - inputs->plans) + strlen(text) + 1;
  }
  if (status != GBCAST_OK)
    gb_plans_release(out);
  return status;
}

void gb_plans_release(gb_plans *plans) {
  for (uint32_t i = 0; i < plans->count; i++)
    gb_saved_release(&plans->saved[i]);
  free(plans->saved);
  *plans = (gb_plans){0};
}

const gb_saved *gb_plans_find(const gb_plans *plans, enum gbcast_operation operation, uint64_t bytes,
                              const char *host, uint32_t k) {
  for (uint32_t i = 0; i < plans->count; i++) {
    const gb_saved *s = &plans->saved[i];
    if (s->operation == operation && gb_size_class(s->bytes) == gb_size_class(bytes) &&
        (host == NULL || (s->root.k == k && strcmp(s->root.host, host) == 0)))
      return s;
  }
  return NULL;
}
