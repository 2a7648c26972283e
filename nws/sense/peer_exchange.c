#include "nws/sense/peer_exchange.h"

#include "nws/client/client.h"

static void on_answer(void *context, const unsigned char *bytes, size_t size) {
  gb_peer_exchange *e = context;
  e->codec.handler.over = true;
  if (size > sizeof e->answer)
    return;
  memcpy(e->answer, bytes, size);
  e->answer_size = size;
  e->result = GB_PEER_EXCHANGE_ANSWERED;
}

static void on_ended(void *context) {
  gb_peer_exchange *e = context;
  if (e->result == GB_PEER_EXCHANGE_NOT_SENT && e->codec.out.size == 0)
    e->result = GB_PEER_EXCHANGE_UNANSWERED;
  gb_message_codec_release(&e->codec);
  e->ended(e->context);
}

gb_bytes *gb_peer_exchange_message(gb_peer_exchange *e) {
  gb_message_codec_start(&e->codec, GB_PEER_EXCHANGE_ANSWER_MOST, on_answer, e, 0);
  return &e->codec.out;
}

bool gb_peer_exchange_start(gb_peer_exchange *e, struct event_base *base, const struct sockaddr_in *to,
                            double most, bool wants_answer, void (*ended)(void *context), void *context) {
  e->result = GB_PEER_EXCHANGE_NOT_SENT;
  e->ended = ended;
  e->context = context;
  e->codec.last = !wants_answer;
  e->codec.handler.deadline = gb_clock_now() + most;
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
