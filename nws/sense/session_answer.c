/* Answers to messages. An unknown message ends the session, as in NWS. */
#include "nws/sense/session.h"

#include "nws/sense/sense.h"
#include "nws/sense/sensor_clique.h"
#include "nws/wire/wire.h"

#include <stdio.h>

static void tell_about_host(gb_sensor_session *v) {
  const gb_sensor *s = v->sensor;
  gb_nws_message m = {.number = GB_NWS_HOST_TEST_RESULT,
                      .host = {.type = GB_NWS_SENSOR, .healthy = gb_renewals_complete(&s->renewals)}};
  (void)snprintf(m.host.name, sizeof m.host.name, "%.*s", (int)GB_NWS_HOST_MOST, s->name);
  (void)snprintf(m.host.name_server, sizeof m.host.name_server, "%.*s", (int)GB_NWS_HOST_MOST,
                 s->name_server_name);
  gb_nws_encode(&v->codec.out, &m);
}

/* member:HOST or member:HOST,HOST,... */
static bool add_members(gb_members *members, gb_view list) {
  const char *why = NULL;
  bool good = true;
  while (list.length > 0 && good) {
    const char *comma = memchr(list.at, ',', list.length);
    gb_view host = {list.at, comma != NULL ? (size_t)(comma - list.at) : list.length};
    size_t used = host.length + (comma != NULL);
    good = gb_members_add(members, host, &why);
    list = (gb_view){list.at + used, list.length - used};
  }
  return good;
}

/* Options as in start_activity of NWS, each NAME:VALUE TAB: members, the period, and sizes of experiments;
 * others say nothing here. */
static bool read_clique(gb_view options, gb_members *members, gb_token *about) {
  gb_view name, value;
  const char *why = NULL;
  size_t length = 0;
  while (gb_object_attribute(&options, &name, &value)) {
    if ((gb_view_is(name, "member") && !add_members(members, value)) ||
        (gb_view_is(name, "period") && !gb_sense_period_read(value, &about->period, &why)))
      return false;
    if (!gb_view_is(name, "buffer") && !gb_view_is(name, "message") && !gb_view_is(name, "size"))
      continue;
    int size = snprintf(about->options + length, sizeof about->options - length, "%s%.*s:%.*s",
                        length > 0 ? "\t" : "", (int)name.length, name.at, (int)value.length, value.at);
    length += (size_t)size;
    if (length >= sizeof about->options)
      return false;
  }
  gb_experiment sizes;
  return members->count > 0 && gb_clique_sizes(about, &sizes);
}

static bool start_activity(gb_sensor *s, const gb_nws_message *m) {
  gb_members members = {0};
  gb_token about = {.skill = GB_CLIQUE_SKILL, .period = s->period};
  gbcast_error err;
  if (!gb_view_is(m->activity.control, "clique") || !gb_view_is(m->activity.skill, GB_CLIQUE_SKILL) ||
      m->activity.name.length == 0 || m->activity.name.length > GB_CLIQUE_NAME_MOST ||
      !read_clique(m->activity.options, &members, &about))
    return false;
  (void)snprintf(about.name, sizeof about.name, "%.*s", (int)m->activity.name.length, m->activity.name.at);
  return gb_sensor_clique_join(s, &about, &members, true, &err) != NULL;
}

static void answer_token(gb_sensor_session *v, const unsigned char *bytes, size_t size) {
  gb_token token, answer;
  if (!gb_token_decode(bytes + GB_NWS_HEADER_BYTES, size - GB_NWS_HEADER_BYTES, &token)) {
    v->codec.handler.over = true;
  } else if (gb_nws_message_number(bytes) == GB_NWS_CLIQUE_TOKEN_FWD) {
    gb_sensor_clique_offered(v->sensor, &token, &answer);
    gb_token_encode(&v->codec.out, GB_NWS_CLIQUE_TOKEN_ACK, &answer);
  } else {
    gb_sensor_clique_told_to_end(v->sensor, &token);
    v->codec.handler.over = true;
  }
}

static void answer_message(gb_sensor_session *v, const gb_nws_message *m) {
  gb_message_codec *codec = &v->codec;
  switch (m->number) {
  case GB_NWS_HOST_TEST:
    tell_about_host(v);
    return;
  case GB_NWS_HOST_DIAGNOSTICS:
    gb_message_codec_send(codec, GB_NWS_HOST_DIAGNOSTICS_ACK);
    return;
  case GB_NWS_HOST_DIE: /* only a signal ends the sensor */
    gb_message_codec_send(codec, GB_NWS_HOST_REFUSED);
    return;
  case GB_NWS_HOST_REGISTER: /* only an option sets the name server */
    gb_message_codec_send(codec, GB_NWS_HOST_FAILED);
    return;
  case GB_NWS_ACTIVITY_START:
    gb_message_codec_send(codec,
                          start_activity(v->sensor, m) ? GB_NWS_ACTIVITY_STARTED : GB_NWS_SENSOR_FAILED);
    return;
  case GB_NWS_ACTIVITY_STOP:
    gb_message_codec_send(codec, gb_sensor_clique_end(v->sensor, m->text) ? GB_NWS_ACTIVITY_STOPPED
                                                                          : GB_NWS_SENSOR_FAILED);
    return;
  case GB_NWS_TCP_BW_REQ: {
    const gb_experiment sizes = {m->experiment.experiment, m->experiment.buffer, m->experiment.message};
    gb_sensor_session_measure(v, &sizes);
    return;
  }
  default:
    codec->handler.over = true;
  }
}

void gb_sensor_session_answer(void *context, const unsigned char *bytes, size_t size) {
  gb_sensor_session *v = context;
  uint32_t number = gb_nws_message_number(bytes);
  gb_nws_message m;
  v->codec.handler.deadline = gb_clock_now() + GB_SENSOR_SESSION_IDLE;
  if (number == GB_NWS_CLIQUE_TOKEN_FWD || number == GB_NWS_CLIQUE_DIE)
    answer_token(v, bytes, size);
  else if (number == GB_IPERF_ASK && v->sensor->iperf)
    gb_sensor_session_iperf(v);
  else if (number == GB_IPERF_ASK)
    gb_message_codec_send(&v->codec, GB_NWS_SENSOR_FAILED);
  else if (gb_nws_decode(bytes, size, &m))
    answer_message(v, &m);
  else
    v->codec.handler.over = true;
}
