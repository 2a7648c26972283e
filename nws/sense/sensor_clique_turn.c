/* Performs the actions of a clique, one at a time. */
#include "nws/sense/sensor_clique.h"

#include <math.h>

static void on_probe_ended(void *context) {
  gb_sensor_clique *c = context;
  gb_sensor_clique_store(c);
  gb_clique_measured(&c->clique, c->probe.round_trip >= 0, gb_clock_now());
  gb_sensor_clique_act(c);
}

static bool measure(gb_sensor_clique *c, uint32_t member) {
  gb_sensor *s = c->sensor;
  c->measured = member;
  c->probe = (gb_peer_probe){.base = s->base,
                             .queue = &s->queue,
                             .peer = c->address[member],
                             .iperf = s->iperf,
                             .ended = on_probe_ended,
                             .context = c};
  return gb_peer_probe_start(&c->probe);
}

void gb_sensor_clique_act(gb_sensor_clique *c) {
  for (;;) {
    if (c->connection.open) /* a hand-over is being completed; its end calls this again */
      return;
    double now = gb_clock_now();
    gb_clique_action action = gb_clique_next(&c->clique, now);
    if (action.what == GB_CLIQUE_WAIT) {
      if (!isinf(action.deadline))
        (void)gb_event_wait(c->timer, action.deadline - now);
      return;
    }
    if (action.what == GB_CLIQUE_MEASURE && !measure(c, action.member))
      gb_clique_measured(&c->clique, false, now);
    if (action.what == GB_CLIQUE_HAND_OVER && !gb_hand_over_start(c, &action))
      gb_clique_refused(&c->clique, now);
  }
}
