#include "nws/sense/peer.h"

#include "nws/client/client.h"

#include <arpa/inet.h>
#include <string.h>

enum { EXCHANGE_MOST = 1024, IPERF_ANSWER_MOST = 64 }; /* bytes of an answer */

/* ---- One message, and its answer ---- */

static void on_answer(void *context, const gb_nws_message *message) {
  gb_peer_exchange *e = context;
  e->codec.handler.over = true;
  e->answer = *message;
  e->result = GB_PEER_EXCHANGE_ANSWERED;
}

static void on_ended(void *context) {
  gb_peer_exchange *e = context;
  if (e->result == GB_PEER_EXCHANGE_NOT_SENT && e->codec.out.size == 0)
    e->result = GB_PEER_EXCHANGE_UNANSWERED;
  gb_message_codec_release(&e->codec);
  e->ended(e->context);
}

bool gb_peer_exchange_start(gb_peer_exchange *e, struct event_base *base, const struct sockaddr_in *to,
                            double most, const gb_nws_message *message, bool wants_answer,
                            void (*ended)(void *context), void *context) {
  e->result = GB_PEER_EXCHANGE_NOT_SENT;
  e->ended = ended;
  e->context = context;
  gb_message_codec_start(&e->codec, EXCHANGE_MOST, on_answer, e, gb_clock_now() + most);
  e->codec.last = !wants_answer;
  gb_nws_encode(&e->codec.out, message);
  if (!e->codec.out.failed &&
      gb_tcp_connection_connect(&e->connection, base, to, 0, &e->codec.handler, on_ended, e))
    return true;
  gb_message_codec_release(&e->codec);
  return false;
}

void gb_peer_exchange_stop(gb_peer_exchange *e) {
  gb_tcp_connection_close(&e->connection);
  gb_message_codec_release(&e->codec);
}

/* ---- A probe waits in the experiment queue, measures, runs iperf's transfer, and leaves the queue ---- */

void gb_peer_probe_stop(gb_peer_probe *t) {
  if (t->limit == NULL)
    return;
  event_free(t->limit);
  t->limit = NULL;
  gb_tcp_connection_close(&t->connection);
  gb_iperf_stop(&t->process);
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

static void on_long_result(void *context, double result) {
  gb_peer_probe *t = context;
  if (result > 0) {
    t->long_bandwidth = result;
    t->long_measured = gb_clock_wall();
  }
  finish(t);
}

static void on_iperf_answer(void *context, const gb_nws_message *m) {
  gb_peer_probe *t = context;
  if (t->process.id == 0 && m->number == GB_NWS_TCP_HANDSHAKE) {
    t->server.port = m->handshake.port;
    (void)inet_ntop(AF_INET, &t->peer.sin_addr, t->server.address, sizeof t->server.address);
    if (gb_iperf_start(&t->process, t->base, GB_IPERF_MEASURE, &t->server, on_long_result, t))
      return;
  }
  t->codec.handler.over = true;
}

/* The peer may end the test a moment before this end does. */
static void on_asked(void *context) {
  gb_peer_probe *t = context;
  if (t->process.id == 0)
    finish(t);
}

static void ask_for_iperf(gb_peer_probe *t) {
  gb_message_codec_start(&t->codec, IPERF_ANSWER_MOST, on_iperf_answer, t,
                         gb_clock_now() + GB_PEER_PROBE_IPERF);
  gb_message_codec_send(&t->codec, GB_NWS_IPERF_ASK);
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
