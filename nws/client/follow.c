#include "nws/client/survey.h"

#include <math.h>

#define PATIENCE 15.0 /* s, as NWS's own for a packet */
#define PAUSE_LEAST 1.0
#define PAUSE_MOST 60.0

/* Pushes may be about other series: memories match substrings. */
static void take(gb_follow *f, const gb_nws_message *message, bool is_push) {
  if (message->number != GB_NWS_STATE_FETCHED)
    return;
  gb_nws_series *series = gb_survey_find(f->survey, &f->memory, message->state.id);
  if (series == NULL || (is_push && !series->fetched))
    return;
  series->fetched = true;
  (void)gb_nws_series_take(series, &message->state,
                           f->survey->clock); /* out of memory: fetched again later */
}

static void begin_later(gb_follow *f) {
  gb_client_pause(&f->client, f->pause);
  f->pause = fmin(2 * f->pause, PAUSE_MOST);
  (void)gb_follow_begin(f);
}

static void fetched(void *context, const gb_nws_message *reply, const char *why) {
  gb_follow *f = context;
  (void)why;
  f->missed = f->missed || reply == NULL;
  if (reply != NULL)
    take(f, reply, false);
}

static void subscribed(void *context, const gb_nws_message *reply, const char *why) {
  gb_follow *f = context;
  (void)why;
  if (reply != NULL && reply->number == GB_NWS_AUTOFETCH_ACK && !f->missed)
    f->pause = PAUSE_LEAST;
  else
    begin_later(f);
}

static void pushed(void *context, const gb_nws_message *message, const char *why) {
  (void)why;
  if (message != NULL)
    take(context, message, true);
  else
    begin_later(context);
}

void gb_follow_init(gb_follow *f, gb_survey *survey, const gb_nws_address *memory) {
  *f = (gb_follow){.survey = survey, .memory = *memory, .pause = PAUSE_LEAST};
  gb_client_init(&f->client, PATIENCE, pushed, f);
}

void gb_follow_release(gb_follow *f) {
  gb_client_forget(&f->client);
}

bool gb_follow_begin(gb_follow *f) {
  gb_bytes names = {0};
  bool asked = true;
  gb_client_forget(&f->client);
  f->missed = false;
  for (uint32_t i = 0; i < f->survey->count; i++) {
    const gb_nws_series *series = &f->survey->series[i];
    if (!gb_nws_address_same(&series->memory, &f->memory))
      continue;
    asked = gb_nws_series_ask(&f->client, series, fetched, f) && asked;
    if (names.size > 0)
      gb_put(&names, "\t", 1);
    gb_put(&names, series->name, strlen(series->name));
  }
  if (names.size > 0) {
    gb_nws_message begin = {.number = GB_NWS_AUTOFETCH_BEGIN, .text = gb_bytes_view(&names)};
    asked = asked && !names.failed && gb_client_ask(&f->client, &f->memory, &begin, subscribed, f);
  }
  gb_bytes_release(&names);
  return asked;
}
