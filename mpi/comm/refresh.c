/* Rank 0's looks at the inputs. */
#include "mpi/comm/live.h"
#include "mpi/comm/verbose.h"
#include "mpi/comm/version.h"
#include "plan/search/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LEAST_REST = 19,    /* times as long as a look */
  LARGEST = 16 << 20, /* hosts file, bytes: a larger one would keep the ranks waiting */
  MOST = 8,           /* plans that are looked at: each costs as much as a new one */
};

/* What an update gains. Less is not worth that ranks plan anew, and that plans go to and fro. */
#define LEAST_GAIN 0.1

typedef struct gb_gain { /* predicted s of the calls since the last look, over the new inputs */
  double before, after;  /* by the plans of now (INFINITY: not possible), and by those that would be made */
} gb_gain;

struct gb_refresh {
  double next;     /* MPI_Wtime() of the next look */
  double answered; /* and when live values could be read last */
  gb_file_stamp seen;
  char *text; /* the hosts file as it was read last */
  size_t length;
  gb_update update; /* what was found, while it waits to come into use, */
  char *change;     /* and what is new in it, for GBCAST_VERBOSE */
  bool printed;     /* that the inputs cannot be read */
};

void gb_refresh_make(gb_comm *c) {
  gb_refresh *w = c->settings.refresh > 0 ? calloc(1, sizeof *w) : NULL;
  if (w == NULL)
    return;
  w->answered = MPI_Wtime();
  w->next = w->answered + c->settings.refresh;
  c->refresh = w;
}

static void forget(gb_comm *c) {
  gb_refresh *w = c->refresh;
  free(w->update.bytes);
  free(w->change);
  w->update = (gb_update){0};
  w->change = NULL;
}

void gb_refresh_free(gb_comm *c) {
  if (c->refresh == NULL)
    return;
  forget(c);
  free(c->refresh->text);
  free(c->refresh);
}

void gb_refresh_moved(gb_comm *c) {
  if (c->refresh == NULL)
    return;
  if (c->settings.verbose > 0)
    fprintf(stderr, "gbcast: from call %llu on: %s\n", (unsigned long long)c->wire.number + 1,
            c->refresh->change != NULL ? c->refresh->change : "new plans");
  forget(c);
}

/* The hosts file, if it has changed, in the form that all ranks read. */
static int read_hosts(const gb_comm *c, gbcast_error *err) {
  gb_refresh *w = c->refresh;
  const char *path = c->settings.hosts;
  char *text = NULL;
  size_t length = 0;
  gbcast_platform *p = NULL;
  int status = gb_read_if_changed(path, LARGEST, &w->seen, &text, &length, err);
  if (text == NULL)
    return status;
  status = gbcast_platform_parse(text, length, path, &p, err);
  free(text);
  if (status == GBCAST_OK && (status = gb_inputs_write(p, &text, &length, err)) == GBCAST_OK) {
    free(w->text);
    w->text = text;
    w->length = length;
  }
  if (status != GBCAST_OK) /* perhaps half of it was there */
    w->seen = (gb_file_stamp){0};
  gbcast_platform_free(p);
  return status;
}

static bool has_live_values(const gbcast_platform *p) {
  for (uint32_t i = 0; p->weather != NULL && i < p->weather->count; i++) {
    const gb_finding *f = &p->weather->finding[i];
    if (f->latency.state == GB_READING_USED || f->bandwidth.state == GB_READING_USED)
      return true;
  }
  return false;
}

/* Where the source does not answer, what is in use of what it said holds until that is too old. */
static int find_weather(gb_comm *c, const gbcast_platform *p, gb_weather *out, gbcast_error *err) {
  gb_refresh *w = c->refresh;
  int status = gb_live_find(&c->settings, p, &c->overrides.service, out, err);
  double now = MPI_Wtime();
  if (status != GBCAST_OK)
    return status;
  if (err->message[0] == '\0')
    w->answered = now;
  bool holds = now - w->answered < c->settings.max_age && has_live_values(c->platform);
  return err->message[0] != '\0' && holds ? GBCAST_EINPUT : GBCAST_OK;
}

/* What there is to plan from now: as it would be sent, and as all ranks would read it. */
static int read_inputs(gb_comm *c, gb_update *update, gbcast_platform **p, gbcast_error *err) {
  gb_refresh *w = c->refresh;
  gb_inputs in = {0};
  int status = read_hosts(c, err);
  if (status == GBCAST_OK)
    status = gbcast_platform_parse(w->text, w->length, "hosts", p, err);
  if (status == GBCAST_OK && !gb_inputs_same_hosts(*p, c->platform))
    status = gb_fail(err, GBCAST_EINPUT,
                     "%s: its hosts are not those of the job, for which there is gbcast_refresh()",
                     c->settings.hosts);
  if (status == GBCAST_OK)
    status = find_weather(c, *p, &in.weather, err);
  in.platform = w->text;
  in.platform_length = w->length;
  if (status == GBCAST_OK)
    status = gb_inputs_encode(&in, &update->bytes, &update->length);
  if (status == GBCAST_OK && in.weather.source != NULL)
    status = gb_overlay(*p, &in.weather, err);
  else
    gb_weather_release(&in.weather);
  return status;
}

static bool is_same(const gbcast_platform *a, const gbcast_platform *b) {
  char *text[2] = {NULL, NULL};
  size_t length[2];
  bool same = gb_inputs_write(a, &text[0], &length[0], NULL) == GBCAST_OK &&
              gb_inputs_write(b, &text[1], &length[1], NULL) == GBCAST_OK && length[0] == length[1] &&
              memcmp(text[0], text[1], length[0]) == 0;
  free(text[0]);
  free(text[1]);
  return same;
}

static double time_of(const gb_rank_schedule *schedule) {
  return schedule->used * schedule->plan->predicted;
}

/* Of those that were used since the last look the one that took most time; NULL when there is none. */
static gb_rank_schedule *next_schedule(const gb_cache *cache) {
  gb_rank_schedule *best = NULL;
  for (gb_rank_schedule *schedule = cache->newest; schedule != NULL; schedule = schedule->older)
    if (schedule->used > 0 && schedule->plan != NULL && !schedule->native &&
        (best == NULL || time_of(schedule) > time_of(best)))
      best = schedule;
  return best;
}

static int add_gain(const gb_comm *c, const gbcast_platform *p, const gb_rank_schedule *schedule,
                    gb_gain *gain, gbcast_error *err) {
  const gbcast_plan *old = schedule->plan;
  gbcast_plan *new = NULL;
  double seconds = INFINITY;
  int without, status = gb_decide_over(c, p, old->operation, old->bytes, schedule->root, &without, &new, err);
  if (status != GBCAST_OK)
    return status;
  status = gb_plan_price(old, p, &seconds, err);
  if (status == GBCAST_EINPUT) /* it is not possible any more */
    status = GBCAST_OK;
  gain->before += schedule->used * seconds;
  gain->after += schedule->used * new->predicted;
  gbcast_plan_free(new);
  return status;
}

/* Looks at the plans that took most time since it was asked last, over `p`. A gbcast_status; other than
 * GBCAST_OK: over `p` no plan can be made. */
static int find_gain(gb_comm *c, const gbcast_platform *p, gb_gain *out, gbcast_error *err) {
  int status = GBCAST_OK;
  gb_rank_schedule *schedule;
  *out = (gb_gain){0};
  for (int i = 0; status == GBCAST_OK && i < MOST && (schedule = next_schedule(&c->cache)) != NULL; i++) {
    status = add_gain(c, p, schedule, out, err);
    schedule->used = 0;
  }
  for (schedule = c->cache.newest; schedule != NULL; schedule = schedule->older)
    schedule->used = 0;
  return status;
}

/* Whether what was found pays. `update` and `p` are taken over. */
static int consider(gb_comm *c, gb_update *update, gbcast_platform *p, gbcast_error *err) {
  gb_refresh *w = c->refresh;
  gb_gain gain = {0};
  int status = is_same(p, c->platform) ? GBCAST_OK : find_gain(c, p, &gain, err);
  if (status == GBCAST_OK && gain.after < (1 - LEAST_GAIN) * gain.before) {
    w->change = gb_verbose_change(c->platform, p, gain.before, gain.after);
    w->update = *update;
  } else {
    free(update->bytes);
  }
  gbcast_platform_free(p);
  return status;
}

static void look(gb_comm *c) {
  gb_refresh *w = c->refresh;
  gb_update update = {0};
  gbcast_platform *p = NULL;
  gbcast_error err = {{0}};
  int status = read_inputs(c, &update, &p, &err);
  if (status == GBCAST_OK)
    status = consider(c, &update, p, &err);
  else {
    free(update.bytes);
    gbcast_platform_free(p);
  }
  bool bad = err.message[0] != '\0';
  if (bad && !w->printed && c->settings.verbose > 0)
    fprintf(stderr, "gbcast: %s%s\n", err.message, status == GBCAST_OK ? "" : "; plans stay as they are");
  w->printed = bad;
}

bool gb_refresh_look(gb_comm *c) {
  gb_refresh *w = c->refresh;
  if (w == NULL)
    return false;
  double start = MPI_Wtime();
  if (start >= w->next) {
    look(c);
    double end = MPI_Wtime();
    w->next = end + fmax(c->settings.refresh, LEAST_REST * (end - start));
  }
  return w->update.bytes != NULL;
}

const gb_update *gb_refresh_found(const gb_comm *c) {
  return &c->refresh->update;
}
