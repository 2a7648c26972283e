#include "nws/wire/body.h"

#include <math.h>

static void check(gb_nws_body *b, bool good) {
  bool *bad = b->out != NULL ? &b->out->failed : &b->in.bad;
  *bad = *bad || !good;
}

static void word(gb_nws_body *b, uint32_t *value) {
  if (b->out != NULL)
    gb_put_u32(b->out, *value);
  else
    *value = gb_get_u32(&b->in);
}

static void flag(gb_nws_body *b, bool *value) {
  uint32_t said = *value;
  word(b, &said);
  *value = said != 0;
}

static void number(gb_nws_body *b, double *value) {
  if (b->out != NULL)
    gb_put_f64(b->out, *value);
  else
    *value = gb_get_f64(&b->in);
}

static void field(gb_nws_body *b, char *text, size_t width) {
  if (b->out != NULL)
    gb_put_field(b->out, text, width);
  else
    gb_get_field(&b->in, width, text);
}

/* Items of `size` bytes up to the end. They must fill the body exactly, so that nobody need trust the count.
 */
static void items(gb_nws_body *b, gb_view *bytes, uint32_t size, uint32_t count) {
  if (b->out != NULL)
    gb_put(b->out, bytes->at, bytes->length);
  else
    *bytes = gb_get_rest(&b->in);
  check(b, (uint64_t)size * count == bytes->length && (count == 0 || size > 0));
}

static gb_view before_nul(gb_view text) {
  const char *nul = text.length > 0 ? memchr(text.at, '\0', text.length) : NULL;
  return nul != NULL ? (gb_view){text.at, (size_t)(nul - text.at)} : text;
}

/* NWS ends strings with a NUL and reads them up to the first; behind the last one of a body it may be
 * missing. */
static void string(gb_nws_body *b, gb_view *text, bool is_last) {
  gb_view all = b->out != NULL ? *text : (gb_view){(const char *)b->in.at, b->in.left};
  *text = before_nul(all);
  if (b->out != NULL) {
    gb_put(b->out, text->at, text->length);
    gb_put(b->out, "", 1);
  } else {
    (void)gb_get(&b->in, is_last ? all.length : text->length + 1);
  }
}

static void query(gb_nws_body *b, gb_nws_message *m) {
  gb_nws_state *s = &m->state;
  field(b, s->id, sizeof s->id);
  word(b, &s->record_size);
  word(b, &s->record_count);
  number(b, &s->sequence);
  number(b, &s->time_out);
}

static void state(gb_nws_body *b, gb_nws_message *m) {
  query(b, m);
  items(b, &m->state.records, m->state.record_size, m->state.record_count);
}

static void host(gb_nws_body *b, gb_nws_message *m) {
  field(b, m->host.name, sizeof m->host.name);
  word(b, &m->host.type);
  field(b, m->host.name_server, sizeof m->host.name_server);
  flag(b, &m->host.healthy);
}

static void handshake(gb_nws_body *b, gb_nws_message *m) {
  word(b, &m->handshake.address);
  if (b->out != NULL)
    gb_put_u16(b->out, m->handshake.port);
  else
    m->handshake.port = gb_get_u16(&b->in);
}

static void experiment(gb_nws_body *b, gb_nws_message *m) {
  word(b, &m->experiment.experiment);
  word(b, &m->experiment.buffer);
  word(b, &m->experiment.message);
}

static void fore_data(gb_nws_body *b, gb_nws_message *m) {
  gb_nws_fore_data *d = &m->data;
  flag(b, &d->more_to_come);
  word(b, &d->at_most);
  field(b, d->forecast_name, sizeof d->forecast_name);
  word(b, &d->count);
  items(b, &d->measurements, GB_NWS_MEASUREMENT_BYTES, d->count);
}

static void forecast(gb_nws_body *b, gb_nws_message *m) {
  gb_nws_forecast *f = &m->forecast;
  field(b, f->name, sizeof f->name);
  word(b, &f->count);
  items(b, &f->pairs, GB_NWS_FORECAST_PAIR_BYTES, f->count);
}

static void fore_series(gb_nws_body *b, gb_nws_message *m) {
  gb_nws_fore_series *s = &m->series;
  uint32_t count = 1;
  word(b, &count);
  check(b, count == 1);
  flag(b, &s->more_to_come);
  word(b, &s->at_most);
  field(b, s->forecast_name, sizeof s->forecast_name);
  field(b, s->memory, sizeof s->memory);
  field(b, s->series, sizeof s->series);
}

static void activity(gb_nws_body *b, gb_nws_message *m) {
  string(b, &m->activity.name, false);
  string(b, &m->activity.control, false);
  string(b, &m->activity.skill, false);
  string(b, &m->activity.options, true);
}

/* The object alone has no NUL on the wire. */
static void registration(gb_nws_body *b, gb_nws_message *m) {
  gb_view *object = &m->registration.object;
  if (b->out != NULL) {
    *object = before_nul(*object);
    gb_put(b->out, object->at, object->length);
  } else {
    size_t length = b->in.left < 4 ? 0 : b->in.left - 4;
    *object = before_nul((gb_view){(const char *)gb_get(&b->in, length), length});
  }
  word(b, &m->registration.seconds);
}

static void token(gb_nws_body *b, gb_nws_message *m) {
  gb_token *t = &m->token;
  field(b, t->name, sizeof t->name);
  number(b, &t->id.generated);
  number(b, &t->id.instance);
  field(b, t->skill, sizeof t->skill);
  field(b, t->options, sizeof t->options);
  number(b, &t->period);
  number(b, &t->time_out);
  if (b->out != NULL && t->count < GB_CLIQUE_MOST)
    memset(&t->member[t->count], 0, (GB_CLIQUE_MOST - t->count) * sizeof *t->member);
  for (size_t i = 0; i < GB_CLIQUE_MOST; i++) {
    word(b, &t->member[i].address);
    word(b, &t->member[i].port);
  }
  word(b, &t->count);
  word(b, &t->id.leader);
  check(b, t->count <= GB_CLIQUE_MOST && isfinite(t->id.generated) && isfinite(t->id.instance) &&
               isfinite(t->period) && isfinite(t->time_out));
}

static void one_word(gb_nws_body *b, gb_nws_message *m) {
  word(b, &m->word);
}

static void text(gb_nws_body *b, gb_nws_message *m) {
  string(b, &m->text, true);
}

/* A body of any kind, which says nothing. */
static void ignored(gb_nws_body *b, gb_nws_message *m) {
  (void)m;
  if (b->out == NULL)
    (void)gb_get_rest(&b->in);
}

static void password(gb_nws_body *b, gb_nws_message *m) {
  if (b->out == NULL || before_nul(m->text).length > 0)
    text(b, m);
}

static const struct body_kind {
  uint32_t number;
  void (*body)(gb_nws_body *b, gb_nws_message *m); /* NULL: none */
} kinds[] = {
    {GB_NWS_STORE_STATE, state},
    {GB_NWS_STATE_STORED, NULL},
    {GB_NWS_FETCH_STATE, query},
    {GB_NWS_STATE_FETCHED, state},
    {GB_NWS_AUTOFETCH_BEGIN, text},
    {GB_NWS_AUTOFETCH_ACK, NULL},
    {GB_NWS_MEMORY_CLEAN, one_word},
    {GB_NWS_MEMORY_CLEANED, NULL},
    {GB_NWS_MEMORY_FAILED, NULL},
    {GB_NWS_HOST_TEST, NULL},
    {GB_NWS_HOST_TEST_RESULT, host},
    {GB_NWS_HOST_DIAGNOSTICS, one_word},
    {GB_NWS_HOST_DIAGNOSTICS_ACK, NULL},
    {GB_NWS_HOST_DIE, password},
    {GB_NWS_HOST_DYING, NULL},
    {GB_NWS_HOST_REGISTER, text},
    {GB_NWS_HOST_REGISTERED, NULL},
    {GB_NWS_HOST_REFUSED, NULL},
    {GB_NWS_HOST_FAILED, NULL},
    {GB_NWS_CLIQUE_DIE, token},
    {GB_NWS_CLIQUE_TOKEN_ACK, token},
    {GB_NWS_CLIQUE_TOKEN_FWD, token},
    {GB_NWS_TCP_HANDSHAKE, handshake},
    {GB_NWS_FORE_DATA, fore_data},
    {GB_NWS_FORE_FORECAST, forecast},
    {GB_NWS_FORE_SERIES, fore_series},
    {GB_NWS_METHODS_ASK, NULL},
    {GB_NWS_METHODS_TELL, text},
    {GB_NWS_FORE_FAIL, NULL},
    {GB_NWS_ACTIVITY_START, activity},
    {GB_NWS_ACTIVITY_STARTED, NULL},
    {GB_NWS_ACTIVITY_STOP, text},
    {GB_NWS_ACTIVITY_STOPPED, NULL},
    {GB_NWS_SENSOR_FAILED, NULL},
    {GB_NWS_NS_REGISTER, registration},
    {GB_NWS_NS_REGISTERED, NULL},
    {GB_NWS_NS_SEARCH, text},
    {GB_NWS_NS_SEARCHED, text},
    {GB_NWS_NS_UNREGISTER, text},
    {GB_NWS_NS_UNREGISTERED, NULL},
    {GB_NWS_NS_FAILED, NULL},
    {GB_NWS_TCP_BW_REQ, experiment},
    {GB_NWS_IPERF_ASK, ignored},
};

bool gb_nws_body_pass(gb_nws_body *b, gb_nws_message *m) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].number == m->number) {
      if (kinds[i].body != NULL)
        kinds[i].body(b, m);
      return true;
    }
  return false;
}
