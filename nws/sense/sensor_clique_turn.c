/* Performs the actions of a clique, one at a time. */
#include "nws/sense/sensor_clique.h"

#include <math.h>
#include <stdio.h>

static void on_probe_ended(void *context) {
  gb_sensor_clique *c = context;
  gb_sensor_clique_store(c);
  if (c->probe.round_trip < 0 && c->naming[c->member] == GB_NAME_SAID)
    c->naming[c->member] = GB_NAME_WANTED; /* it may come back under another */
  gb_clique_measured(&c->clique, c->probe.round_trip >= 0, gb_clock_now());
  gb_sensor_clique_act(c);
}

static bool probe(gb_sensor_clique *c) {
  gb_sensor *s = c->sensor;
  c->probe = (gb_peer_probe){.base = s->base,
                             .queue = &s->queue,
                             .peer = gb_sensor_clique_address(c, c->member),
                             .sizes = c->sizes,
                             .iperf = s->iperf,
                             .ended = on_probe_ended,
                             .context = c};
  return gb_peer_probe_start(&c->probe);
}

/* Series bear the name under which a member registers, which it knows best. As long as it does not say: the
 * one that it said before, or that this sensor was told, or its address. */
static void take_name(gb_sensor_clique *c) {
  const gb_peer_exchange *e = &c->exchange;
  char *name = c->is.name[c->member], said[GB_NWS_HOST_MOST + 1];
  const char *told = gb_sensor_clique_told_name(c, c->member);
  gb_nws_message m;
  if (e->result == GB_PEER_EXCHANGE_ANSWERED && gb_nws_decode(e->answer, e->answer_size, &m) &&
      m.number == GB_NWS_HOST_TEST_RESULT &&
      gb_nws_address_complete(gb_view_of(m.host.name), GB_NWS_SENSOR_PORT, said)) {
    (void)snprintf(name, GB_MEMBER_NAME, "%s", said);
    c->naming[c->member] = GB_NAME_SAID;
  } else if (*name == '\0') {
    if (*told != '\0')
      (void)snprintf(name, GB_MEMBER_NAME, "%s", told);
    else
      gb_sensor_clique_label(c, c->member, name);
  }
}

static void on_asked(void *context) {
  gb_sensor_clique *c = context;
  bool reached = c->exchange.result != GB_PEER_EXCHANGE_NOT_SENT;
  if (reached)
    take_name(c);
  if (reached && probe(c))
    return;
  gb_clique_measured(&c->clique, false, gb_clock_now());
  gb_sensor_clique_act(c);
}

static bool ask_for_name(gb_sensor_clique *c) {
  const struct sockaddr_in to = gb_sensor_clique_address(c, c->member);
  gb_nws_encode(gb_peer_exchange_message(&c->exchange), &(gb_nws_message){.number = GB_NWS_HOST_TEST});
  return gb_peer_exchange_start(&c->exchange, c->sensor->base, &to, GB_NAMING_MOST, true, on_asked, c);
}

static void measure(gb_sensor_clique *c, uint32_t member, double now) {
  c->member = member;
  bool begun = c->measures && (c->naming[member] == GB_NAME_WANTED ? ask_for_name(c) : probe(c));
  if (!begun)
    gb_clique_measured(&c->clique, !c->measures, now);
}

void gb_sensor_clique_act(gb_sensor_clique *c) {
  while (!c->over) {
    double now = gb_clock_now();
    gb_clique_action action = gb_clique_next(&c->clique, now);
    gb_sensor_clique_register(c);
    if (action.what == GB_CLIQUE_WAIT) {
      if (!isinf(action.deadline))
        (void)gb_event_wait(c->timer, action.deadline - now);
      return;
    }
    if (action.what == GB_CLIQUE_MEASURE)
      measure(c, action.member, now);
    else if (!gb_hand_over_start(c, &action))
      gb_clique_handed_over(&c->clique, GB_HAND_OVER_REFUSED, now);
  }
}
