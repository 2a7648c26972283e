/* Answers to messages. An unknown message ends the session, as in NWS. */
#include "nws/sense/sensor.h"

#include "nws/sense/sense.h"
#include "nws/sense/sensor_clique.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <unistd.h>

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
    gb_view host = gb_view_before(list, ',', &list);
    good = gb_members_add(members, host, &why);
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

/* ---- Experiments, which wait in the queue ---- */

#define WAIT_MOST 40.0 /* s: longer than any experiment */

static void go_measure(void *context) {
  gb_sensor_session *v = context;
  gb_target_start(&v->target, &v->sizes, gb_clock_now());
  gb_tcp_connection_switch(&v->connection, &v->target.handler, gb_experiment_socket_buffer(&v->sizes));
}

static void wait_in_queue(gb_sensor_session *v, void (*what)(void *context)) {
  v->codec.paused = true;
  v->codec.handler.deadline = gb_clock_now() + WAIT_MOST;
  v->ticket = (gb_ticket){.go = what, .context = v};
  if (!gb_experiment_queue_enter(&v->sensor->queue, &v->ticket, false))
    v->codec.handler.over = true;
}

static void measure(gb_sensor_session *v, const gb_experiment *sizes) {
  v->sizes = *sizes;
  if (gb_experiment_sound(sizes))
    wait_in_queue(v, go_measure);
  else
    v->codec.handler.over = true;
}

/* The test has ended or failed: either way the session ends. */
static void on_served(void *context, double result) {
  gb_sensor_session *v = context;
  (void)result;
  v->codec.handler.over = true;
  gb_tcp_connection_wake(&v->connection);
}

/* iperf's server listens at the address that this client connected to, at a port that is unused now. */
static bool choose_end(gb_sensor_session *v) {
  struct sockaddr_in at = {0};
  socklen_t size = sizeof at;
  int file = socket(AF_INET, SOCK_STREAM, 0);
  bool good = file >= 0 && getsockname(v->connection.file, (struct sockaddr *)&at, &size) == 0;
  at.sin_port = 0;
  good = good && bind(file, (const struct sockaddr *)&at, sizeof at) == 0 &&
         getsockname(file, (struct sockaddr *)&at, &size) == 0 &&
         inet_ntop(AF_INET, &at.sin_addr, v->server.address, sizeof v->server.address) != NULL;
  if (file >= 0)
    (void)close(file);
  v->server.port = ntohs(at.sin_port);
  return good;
}

static void go_iperf(void *context) {
  gb_sensor_session *v = context;
  bool good =
      choose_end(v) && gb_iperf_start(&v->process, v->sensor->base, GB_IPERF_SERVE, &v->server, on_served, v);
  if (good)
    gb_nws_encode(&v->codec.out,
                  &(gb_nws_message){.number = GB_NWS_TCP_HANDSHAKE, .handshake = {0, v->server.port}});
  else
    gb_message_codec_send(&v->codec, GB_NWS_SENSOR_FAILED);
  v->codec.last = !good;
  v->codec.handler.deadline = gb_clock_now() + GB_IPERF_SECONDS + 1;
  gb_tcp_connection_wake(&v->connection);
}

/* ---- All messages ---- */

static void send_if(gb_sensor_session *v, bool good, uint32_t number) {
  gb_message_codec_send(&v->codec, good ? number : GB_NWS_SENSOR_FAILED);
}

void gb_sensor_session_answer(void *context, const gb_nws_message *m) {
  gb_sensor_session *v = context;
  gb_message_codec *codec = &v->codec;
  gb_nws_message ack = {.number = GB_NWS_CLIQUE_TOKEN_ACK};
  codec->handler.deadline = gb_clock_now() + GB_SENSOR_SESSION_IDLE;
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
    send_if(v, start_activity(v->sensor, m), GB_NWS_ACTIVITY_STARTED);
    return;
  case GB_NWS_ACTIVITY_STOP:
    send_if(v, gb_sensor_clique_end(v->sensor, m->text), GB_NWS_ACTIVITY_STOPPED);
    return;
  case GB_NWS_CLIQUE_TOKEN_FWD:
    gb_sensor_clique_offered(v->sensor, &m->token, &ack.token);
    gb_nws_encode(&codec->out, &ack);
    return;
  case GB_NWS_CLIQUE_DIE:
    gb_sensor_clique_told_to_end(v->sensor, &m->token);
    codec->handler.over = true;
    return;
  case GB_NWS_TCP_BW_REQ:
    measure(v, &(gb_experiment){m->experiment.experiment, m->experiment.buffer, m->experiment.message});
    return;
  case GB_NWS_IPERF_ASK:
    if (v->sensor->iperf)
      wait_in_queue(v, go_iperf);
    else
      gb_message_codec_send(codec, GB_NWS_SENSOR_FAILED);
    return;
  default:
    codec->handler.over = true;
  }
}
