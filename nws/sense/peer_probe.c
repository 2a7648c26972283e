/* Waits in the experiment queue, measures, and runs iperf's transfer before it leaves the queue. */
#include "nws/sense/peer_probe.h"

#include "nws/client/client.h"

#include <arpa/inet.h>
#include <string.h>

void gb_peer_probe_stop(gb_peer_probe *t) {
  if (t->limit == NULL)
    return;
  event_free(t->limit);
  t->limit = NULL;
  gb_tcp_connection_close(&t->connection);
  gb_subprocess_stop(&t->subprocess);
  gb_message_codec_release(&t->codec);
  gb_experiment_queue_leave(t->queue, &t->ticket);
}

static void finish(void *context) {
  gb_peer_probe *t = context;
  gb_peer_probe_stop(t);
  t->ended(t->context);
}

static void on_limit(evutil_socket_t file, short what, void *context) {
  (void)file;
  (void)what;
  finish(context);
}

/* Ends the probe from the event loop, where `ended` must be called. */
static void give_up(gb_peer_probe *t) {
  event_active(t->limit, EV_TIMEOUT, 0);
}

static void on_long_result(void *context, bool good, double result) {
  gb_peer_probe *t = context;
  if (good && result > 0) {
    t->long_bandwidth = result;
    t->long_measured = gb_clock_wall();
  }
  finish(t);
}

static void on_answer(void *context, const unsigned char *bytes, size_t size) {
  gb_peer_probe *t = context;
  gb_nws_message m;
  if (t->subprocess.process == 0 && gb_nws_decode(bytes, size, &m) && m.number == GB_NWS_TCP_HANDSHAKE) {
    t->server.port = m.handshake.port;
    (void)inet_ntop(AF_INET, &t->peer.sin_addr, t->server.address, sizeof t->server.address);
    if (gb_subprocess_start(&t->subprocess, t->base, GB_IPERF_SECONDS, gb_iperf_measure, &t->server,
                            on_long_result, t))
      return;
  }
  t->codec.handler.over = true;
}

/* The peer may end the test a moment before this end does. */
static void on_asked(void *context) {
  gb_peer_probe *t = context;
  if (t->subprocess.process == 0)
    finish(t);
}

static void ask_for_iperf(gb_peer_probe *t) {
  gb_message_codec_start(&t->codec, GB_IPERF_ANSWER, on_answer, t, gb_clock_now() + GB_PEER_PROBE_IPERF);
  gb_nws_put_header(&t->codec.out, GB_IPERF_ASK, 0);
  if (!gb_tcp_connection_connect(&t->connection, t->base, &t->peer, 0, &t->codec.handler, on_asked, t))
    give_up(t);
}

static void connect_initiator(gb_peer_probe *t, uint16_t port);

static void on_measured(void *context) {
  gb_peer_probe *t = context;
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

static void connect_initiator(gb_peer_probe *t, uint16_t port) {
  struct sockaddr_in to = t->peer;
  to.sin_port = htons(port);
  if (!gb_tcp_connection_connect(&t->connection, t->base, &to,
                                 gb_experiment_socket_buffer(&t->initiator.sizes), &t->initiator.handler,
                                 on_measured, t))
    give_up(t);
}

static void go(void *context) {
  gb_peer_probe *t = context;
  gb_initiator_start(&t->initiator, &t->sizes, gb_clock_now());
  connect_initiator(t, ntohs(t->peer.sin_port));
}

bool gb_peer_probe_start(gb_peer_probe *t) {
  t->ticket = (gb_ticket){.go = go, .context = t};
  t->round_trip = t->bandwidth = t->long_bandwidth = -1;
  t->limit = evtimer_new(t->base, on_limit, t);
  if (t->limit == NULL)
    return false;
  (void)gb_event_wait(t->limit, GB_PEER_PROBE_MOST + (t->iperf ? GB_PEER_PROBE_IPERF : 0));
  if (gb_experiment_queue_enter(t->queue, &t->ticket, true))
    return true;
  gb_peer_probe_stop(t);
  return false;
}
