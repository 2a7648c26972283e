/* Hands the token to another member: CLIQUE_TOKEN_FWD, the member's CLIQUE_TOKEN_ACK, and a CLIQUE_TOKEN_ACK
 * as the go-ahead. */
#include "nws/sense/sensor_clique.h"

enum { ANSWER_MOST = 2048 }; /* bytes */

static void put(gb_sensor_clique *c, uint32_t number, const gb_token_id *id) {
  gb_token token = c->about;
  token.id = *id;
  gb_token_encode(&c->codec.out, number, &token);
}

static void on_answer(void *context, const unsigned char *bytes, size_t size) {
  gb_sensor_clique *c = context;
  gb_token answer;
  bool good = gb_nws_message_number(bytes) == GB_NWS_CLIQUE_TOKEN_ACK &&
              gb_token_decode(bytes + GB_NWS_HEADER_BYTES, size - GB_NWS_HEADER_BYTES, &answer) &&
              answer.count == c->about.count;
  if (!good) {
    if (!c->strange[c->clique.to])
      gb_sense_warn("clique %s: %s is not in it, or was told other members", c->about.name,
                    c->members.name[c->clique.to]);
    c->strange[c->clique.to] = true;
    c->codec.handler.over = true;
    return;
  }
  c->strange[c->clique.to] = false;
  c->answered = true;
  if (gb_clique_answered(&c->clique, &answer.id, gb_clock_now())) {
    put(c, GB_NWS_CLIQUE_TOKEN_ACK, &answer.id);
    c->codec.last = true;
  } else {
    c->codec.handler.over = true;
  }
}

static void on_ended(void *context) {
  gb_sensor_clique *c = context;
  gb_message_codec_release(&c->codec);
  if (!c->answered)
    gb_clique_refused(&c->clique, gb_clock_now());
  gb_sensor_clique_act(c);
}

bool gb_hand_over_start(gb_sensor_clique *c, const gb_clique_action *action) {
  c->answered = false;
  gb_message_codec_start(&c->codec, ANSWER_MOST, on_answer, c, gb_clock_now() + GB_HAND_OVER_MOST);
  put(c, GB_NWS_CLIQUE_TOKEN_FWD, &action->token);
  bool good = gb_tcp_connection_connect(&c->connection, c->sensor->base, &c->address[action->member], 0,
                                        &c->codec.handler, on_ended, c);
  if (!good)
    gb_message_codec_release(&c->codec);
  return good;
}
