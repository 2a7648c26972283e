/* Memory that runs out: whichever allocation fails, the planner says so, frees all that it had, and does not
 * plan something else instead. The linker's --wrap sends the planner's allocations through here
 * (CMakeLists.txt). */
#include "plan/api/api.h"
#include "plan/search/search.h"
#include "plan/show/show.h"
#include "tests/support/rounds.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
locale_t __real_newlocale(int mask, const char *name, locale_t base);
FILE *__real_open_memstream(char **text, size_t *length);
void __real_free(void *p);
void __real_freelocale(locale_t locale);

static struct {
  bool on;          /* count and fail */
  bool for_good;    /* all that follow fail too */
  long count;       /* allocations so far */
  long failing;     /* the number of the first that fails, from 1 */
  long outstanding; /* allocated and not freed */
} state;

/* Whether this allocation is to fail. */
static bool fails(void) {
  if (!state.on)
    return false;
  state.count++;
  return state.count == state.failing || (state.for_good && state.count > state.failing);
}

static void *counted(void *p) {
  if (state.on && p != NULL)
    state.outstanding++;
  return p;
}

void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size) {
  return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size) {
  if (fails())
    return NULL;
  return old != NULL ? __real_realloc(old, size) : counted(__real_realloc(old, size));
}

char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text) {
  return fails() ? NULL : counted(__real_strdup(text));
}

locale_t __wrap_newlocale(int mask, const char *name, locale_t base);
locale_t __wrap_newlocale(int mask, const char *name, locale_t base) {
  return fails() ? (locale_t)0 : counted(__real_newlocale(mask, name, base));
}

/* The text in memory is freed by who asked for it. */
FILE *__wrap_open_memstream(char **text, size_t *length);
FILE *__wrap_open_memstream(char **text, size_t *length) {
  return fails() ? NULL : counted(__real_open_memstream(text, length));
}

void __wrap_free(void *p);
void __wrap_free(void *p) {
  if (state.on && p != NULL)
    state.outstanding--;
  __real_free(p);
}

void __wrap_freelocale(locale_t locale);
void __wrap_freelocale(locale_t locale) {
  if (state.on)
    state.outstanding--;
  __real_freelocale(locale);
}

typedef struct job {
  const char *file; /* in tests/data/platforms */
  const char *live; /* source of live values, or NULL */
  gbcast_request request;
} job;

/* The plan printed, read back and priced again. */
static int read_back(const gbcast_platform *platform, const gbcast_plan *plan, gbcast_error *err) {
  gb_saved saved;
  gbcast_plan *again = NULL;
  uint32_t ranks[64];
  cr_assert_leq(platform->host_count, 64);
  for (uint32_t h = 0; h < platform->host_count; h++)
    ranks[h] = platform->host[h].slots;
  static char text[1 << 18];
  FILE *out = fmemopen(text, sizeof text, "w");
  int status = gbcast_plan_print(plan, GBCAST_JSON, out);
  cr_assert_eq(fclose(out), 0);
  cr_assert_lt(strlen(text) + 1, sizeof text);
  if (status != GBCAST_OK)
    return gb_no_memory(err);
  status = gb_saved_parse(text, strlen(text), "plan", &saved, err);
  if (status != GBCAST_OK)
    return status;
  status = gb_saved_bind(&saved, platform, ranks, &again, err);
  if (status == GBCAST_OK)
    status = gb_plan_retime(again, err);
  gbcast_plan_free(again);
  gb_saved_release(&saved);
  return status;
}

/* Reads, prints, plans, checks and prints the plan in every format. The message and the hash only when it got
 * that far. */
static int everything(const job *j, FILE *out, gbcast_error *err, uint64_t *hash) {
  char path[1024];
  gbcast_platform *platform = NULL;
  gbcast_plan *plan = NULL;
  (void)snprintf(path, sizeof path, "%s/platforms/%s", GB_TEST_DATA, j->file);
  int status = gbcast_platform_read(path, &platform, err);
  if (status == GBCAST_OK && j->live != NULL)
    status = gbcast_platform_live(platform, j->live, 0, 600, err);
  bool message = status == GBCAST_OK; /* printing has nowhere to leave one */
  if (status == GBCAST_OK)
    status = gbcast_platform_print(platform, out);
  if (status == GBCAST_OK) {
    status = gbcast_plan_make(platform, &j->request, &plan, err);
    message = status == GBCAST_OK;
  }
  if (status == GBCAST_OK) {
    status = gbcast_plan_check(plan, err);
    message = status == GBCAST_OK;
  }
  const bool as_c =
      j->request.operation == GBCAST_BCAST ||
      (j->request.operation == GBCAST_ALLTOALL && platform != NULL && platform->cluster_count == 1);
  for (enum gbcast_format f = GBCAST_TEXT; status == GBCAST_OK && f <= GBCAST_HTML; f++)
    if (f != GBCAST_C || as_c)
      status = gbcast_plan_print(plan, f, out);
  const bool printed = status == GBCAST_OK;
  if (printed && j->request.operation != GBCAST_ALLTOALL)
    status = read_back(platform, plan, err);
  if (status == GBCAST_OK)
    *hash = gbcast_plan_hash(plan);
  else if (message && !printed)
    (void)strcpy(err->message, "printing");
  gbcast_plan_free(plan);
  gbcast_platform_free(platform);
  return status;
}

/* Every allocation up to the first so many, then as many again, spread over the rest: planning does the same
 * over and over. */
#define FIRST ROUNDS(400)

static void run(const job *j, bool for_good) {
  FILE *out = fopen("/dev/null", "w");
  cr_assert_not_null(out);
  (void)fputc('\n', out); /* its buffer is there before counting starts */
  uint64_t wanted;
  gbcast_error none = {""};
  memset(&state, 0, sizeof state);
  state.on = true;
  int works = everything(j, out, &none, &wanted);
  state.on = false;
  cr_assert_eq(works, GBCAST_OK, "%s: %s", j->file, none.message);
  const long step = state.count / FIRST + 1;
  for (long n = 1;; n += n < FIRST ? 1 : step) {
    gbcast_error err = {""};
    uint64_t hash = 0;
    memset(&state, 0, sizeof state);
    state.for_good = for_good;
    state.failing = n;
    state.on = true;
    int status = everything(j, out, &err, &hash);
    state.on = false;
    cr_assert_eq(state.outstanding, 0, "%s, allocation %ld: %ld are not freed", j->file, n,
                 state.outstanding);
    if (state.count < n) {
      cr_assert_eq(status, GBCAST_OK, "%s: %s", j->file, err.message);
      cr_assert_gt(n, 50, "the allocations do not go through the wrapper");
      break;
    }
    if (status == GBCAST_OK && !for_good && hash == wanted) /* what is not needed may do without */
      continue;
    cr_assert_eq(status, GBCAST_EMEMORY, "%s, allocation %ld%s: status %d, hash %llx: %s", j->file, n,
                 for_good ? " and all that follow" : "", status, (unsigned long long)hash, err.message);
    cr_assert_neq(err.message[0], '\0', "%s, allocation %ld: no message", j->file, n);
  }
  (void)fclose(out);
}

static const job jobs[] = {
    {"platform-sites.txt", NULL, {.operation = GBCAST_BCAST, .bytes = 100000}},
    {"grid.txt", NULL, {.operation = GBCAST_SCATTER, .bytes = 3000, .inter = "exact"}},
    {"grid-mixed.txt", NULL, {.operation = GBCAST_BCAST, .bytes = 5000, .root = "3", .segment = 1024}},
    {"grid-flat.txt", NULL, {.operation = GBCAST_BCAST, .bytes = 0}},
    {"grid.txt",
     "file:" GB_TEST_DATA "/platforms/grid-live.txt",
     {.operation = GBCAST_BCAST, .bytes = 20000}},
    {"domains.txt",
     "file:" GB_TEST_DATA "/platforms/domains-live.txt",
     {.operation = GBCAST_BCAST, .bytes = 20000}},
    {"grid.txt",
     NULL,
     {.operation = GBCAST_BCAST, .bytes = 1 << 20, .intra = "chain-segmented,ottawa;flat,lyon"}},
    {"mesh.txt", NULL, {.operation = GBCAST_BCAST, .bytes = 1 << 20, .inter = "packing", .segment = 1 << 15}},
    {"mesh.txt",
     NULL,
     {.operation = GBCAST_BCAST, .bytes = 1 << 20, .inter = "disjoint", .segment = 1 << 15}},
    {"mesh.txt",
     NULL,
     {.operation = GBCAST_BCAST, .bytes = 1 << 20, .intra = "chain-segmented", .segment = 1 << 15}},
    {"figure-1.txt", NULL, {.operation = GBCAST_ALLTOALL, .bytes = 5000}},
    {"figure-1.txt", NULL, {.operation = GBCAST_ALLTOALL, .bytes = 5000, .sync = "dummy"}},
    {"three-sites.txt", NULL, {.operation = GBCAST_ALLTOALL, .bytes = 5000}},
};

Test(memory, one_allocation_fails) {
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
    run(&jobs[i], false);
}

Test(memory, all_fail_from_one_on) {
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
    run(&jobs[i], true);
}

/* What a file may hold that the ones above do not: kept words, addresses, users, ranges. */
Test(memory, reading) {
  static const char text[] =
      "cluster a\nuser@[fe80::1]:4 x=y\nn[0-300].a max_slots=8 x=y\nswitch s\nm[0,2,4-6]\n"
      "cluster b\nk[01-20]\nlink a b latency=1ms bandwidth=1Gbit/s\nplogp b size=1 gap=1us "
      "latency=2us\n";
  long n = 0;
  int status;
  do {
    gbcast_error err = {""};
    gbcast_platform *p = NULL;
    memset(&state, 0, sizeof state);
    state.failing = ++n;
    state.on = true;
    status = gbcast_platform_parse(text, sizeof text - 1, "hosts.txt", &p, &err);
    gbcast_platform_free(p);
    state.on = false;
    cr_assert_eq(state.outstanding, 0, "allocation %ld: %ld are not freed", n, state.outstanding);
    cr_assert_eq(status, state.count < n ? GBCAST_OK : GBCAST_EMEMORY, "allocation %ld: status %d: %s", n,
                 status, err.message);
    cr_assert_eq(err.message[0] == '\0', status == GBCAST_OK, "allocation %ld: '%s'", n, err.message);
  } while (status != GBCAST_OK);
  cr_assert_gt(n, 20, "the allocations do not go through the wrapper");
}
