/* What a clique wants to be done is done, one thing at a time. */
#include "nws/sense/sensor_clique.h"

#include <math.h>

static void on_trial_ended(void *context) {
  gb_circle *c = context;
  gb_circle_store(c);
  gb_clique_measured(&c->clique, c->trial.round_trip >= 0, gb_clock_now());
  gb_circle_act(c);
}

static bool measure(gb_circle *c, uint32_t member) {
  gb_sensor *s = c->sensor;
  c->measured = member;
  c->trial = (gb_trial){.base = s->base,
                        .lane = &s->lane,
                        .peer = c->address[member],
                        .iperf = s->iperf,
                        .ended = on_trial_ended,
                        .context = c};
  return gb_trial_start(&c->trial);
}

void gb_circle_act(gb_circle *c) {
  for (;;) {
    if (c->channel.open) /* the last words of a hand-over are on their way; its end leads here */
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
