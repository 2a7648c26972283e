/* Waits for the lane, measures, and asks for iperf's transfer before it gives the lane to the next. */
#include "nws/sense/peer_probe.h"

#include "nws/client/client.h"

#include <arpa/inet.h>
#include <string.h>

void gb_trial_stop(gb_trial *t) {
  if (t->limit == NULL)
    return;
  event_free(t->limit);
  t->limit = NULL;
  gb_channel_close(&t->channel);
  gb_child_stop(&t->child);
  gb_mail_release(&t->mail);
  gb_lane_leave(t->lane, &t->ticket);
}

static void finish(void *context) {
  gb_trial *t = context;
  gb_trial_stop(t);
  t->ended(t->context);
}

static void on_limit(evutil_socket_t file, short what, void *context) {
  (void)file;
  (void)what;
  finish(context);
}

/* From the event loop, as `ended` must be called from there. */
static void give_up(gb_trial *t) {
  event_active(t->limit, EV_TIMEOUT, 0);
}

static void on_long_result(void *context, bool good, double result) {
  gb_trial *t = context;
  if (good && result > 0) {
    t->long_bandwidth = result;
    t->long_measured = gb_clock_wall();
  }
  finish(t);
}

static void on_answer(void *context, const unsigned char *bytes, size_t size) {
  gb_trial *t = context;
  gb_nws_message m;
  if (t->child.process == 0 && gb_nws_decode(bytes, size, &m) && m.number == GB_NWS_TCP_HANDSHAKE) {
    t->server.port = m.handshake.port;
    (void)inet_ntop(AF_INET, &t->peer.sin_addr, t->server.address, sizeof t->server.address);
    if (gb_child_start(&t->child, t->base, GB_IPERF_SECONDS, gb_iperf_measure, &t->server, on_long_result, t))
      return;
  }
  t->mail.party.over = true;
}

/* The peer may be done with the test a moment before this end. */
static void on_asked(void *context) {
  gb_trial *t = context;
  if (t->child.process == 0)
    finish(t);
}

static void ask_for_iperf(gb_trial *t) {
  const uint32_t header[] = {GB_NWS_VERSION, GB_IPERF_ASK, 0};
  gb_mail_start(&t->mail, GB_IPERF_ANSWER, on_answer, t, gb_clock_now() + GB_TRIAL_IPERF);
  for (size_t i = 0; i < sizeof header / sizeof *header; i++)
    gb_put_u32(&t->mail.out, header[i]);
  if (!gb_channel_connect(&t->channel, t->base, &t->peer, 0, &t->mail.party, on_asked, t))
    give_up(t);
}

static void connect_initiator(gb_trial *t, uint16_t port);

static void on_measured(void *context) {
  gb_trial *t = context;
  const gb_initiator *i = &t->initiator;
  if (i->state == GB_INITIATOR_REDIAL) {
    gb_initiator_redialled(&t->initiator, gb_clock_now());
    connect_initiator(t, i->port);
    return;
  }
  if (i->state == GB_INITIATOR_DONE) {
    t->round_trip = i->round_trip;
    t->bandwidth = i->bandwidth;
    t->measured = gb_clock_wall();
  }
  if (i->state == GB_INITIATOR_DONE && t->iperf)
    ask_for_iperf(t);
  else
    finish(t);
}

static void connect_initiator(gb_trial *t, uint16_t port) {
  struct sockaddr_in to = t->peer;
  to.sin_port = htons(port);
  if (!gb_channel_connect(&t->channel, t->base, &to, gb_experiment_socket_buffer(&t->initiator.sizes),
                          &t->initiator.party, on_measured, t))
    give_up(t);
}

static void go(void *context) {
  gb_trial *t = context;
  gb_initiator_start(&t->initiator, &GB_EXPERIMENT_DEFAULT, gb_clock_now());
  connect_initiator(t, ntohs(t->peer.sin_port));
}

bool gb_trial_start(gb_trial *t) {
  t->ticket = (gb_ticket){.go = go, .context = t};
  t->round_trip = t->bandwidth = t->long_bandwidth = -1;
  t->limit = evtimer_new(t->base, on_limit, t);
  if (t->limit == NULL)
    return false;
  (void)gb_event_wait(t->limit, GB_TRIAL_MOST + (t->iperf ? GB_TRIAL_IPERF : 0));
  if (gb_lane_enter(t->lane, &t->ticket, true))
    return true;
  gb_trial_stop(t);
  return false;
}
