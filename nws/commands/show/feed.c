#include "nws/commands/show/show.h"

#include <stdlib.h>
#include <time.h>

#define PATIENCE 5.0      /* s of silence until a daemon is given up */
#define SURVEY_MOST 60.0  /* s for all of it */
#define SURVEY_EVERY 60.0 /* s: series are registered for minutes at least */

bool gb_show_feed_init(gb_show_feed *f, const gb_nws_address *name_server, uint16_t memory_port) {
  *f = (gb_show_feed){.socket = malloc(sizeof *f->socket)};
  if (f->socket == NULL)
    return false;
  gb_survey_init(&f->survey, name_server, memory_port, PATIENCE);
  gb_socket_init(&f->socket[0], &f->survey.client);
  return true;
}

static void unsubscribe(gb_show_feed *f) {
  for (uint32_t i = 0; i < f->count; i++) {
    gb_socket_release(&f->socket[1 + i]);
    gb_follow_release(&f->follow[i]);
  }
  free(f->follow);
  f->follow = NULL;
  f->count = 0;
}

void gb_show_feed_release(gb_show_feed *f) {
  unsubscribe(f);
  gb_socket_release(&f->socket[0]);
  gb_survey_release(&f->survey);
  free(f->socket);
}

bool gb_show_feed_survey(gb_show_feed *f) {
  uint32_t before = f->survey.rounds;
  f->survey.clock = gb_clock_wall();
  f->surveyed = gb_clock_now();
  if (!gb_survey_begin(&f->survey))
    return false;
  if (!gb_sockets_serve(f->socket, 1, f->surveyed + SURVEY_MOST))
    gb_survey_stop(&f->survey, "not everything has come within a minute");
  return f->survey.rounds > before;
}

/* One subscription for each memory: the survey has its series by memory. */
static bool subscribe(gb_show_feed *f) {
  const gb_survey *s = &f->survey;
  uint32_t memories = 0;
  unsubscribe(f);
  for (uint32_t i = 0; i < s->count; i++)
    memories += i == 0 || !gb_nws_address_same(&s->series[i].memory, &s->series[i - 1].memory);
  gb_socket *sockets = realloc(f->socket, (1 + memories) * sizeof *sockets);
  if (sockets == NULL)
    return false;
  f->socket = sockets;
  f->follow = malloc((1 + memories) * sizeof *f->follow);
  for (uint32_t i = 0; f->follow != NULL && i < s->count; i++) {
    if (i > 0 && gb_nws_address_same(&s->series[i].memory, &s->series[i - 1].memory))
      continue;
    gb_follow *follow = &f->follow[f->count++];
    gb_follow_init(follow, &f->survey, &s->series[i].memory);
    gb_socket_init(&f->socket[f->count], &follow->client);
    if (!gb_follow_begin(follow))
      return false;
  }
  return f->follow != NULL;
}

bool gb_show_feed_wait(gb_show_feed *f, double seconds) {
  double until = gb_clock_now() + seconds;
  f->survey.clock = gb_clock_wall();
  if (gb_clock_now() > f->surveyed + SURVEY_EVERY) {
    f->surveyed = gb_clock_now();
    if (!gb_survey_begin(&f->survey))
      return false;
  }
  if (f->survey.changed && !gb_survey_busy(&f->survey)) {
    f->survey.changed = false;
    if (!subscribe(f))
      return false;
  }
  (void)gb_sockets_serve(f->socket, 1 + f->count, until);
  double left = until - gb_clock_now();
  if (left > 0) { /* nobody to listen to */
    struct timespec nap = {.tv_sec = (time_t)left, .tv_nsec = (long)(1e9 * (left - (double)(time_t)left))};
    (void)nanosleep(&nap, NULL);
  }
  return true;
}
