/* Hands the token to another member: CLIQUE_TOKEN_FWD, and the member's CLIQUE_TOKEN_ACK. */
#include "nws/sense/sensor_clique.h"

#include "platform/text/text.h"

static void put(gb_sensor_clique *c, uint32_t number, const gb_token_id *id) {
  gb_token token = c->is.token;
  token.id = *id;
  gb_token_encode(gb_peer_exchange_message(&c->exchange), number, &token);
}

/* Sensors of NWS acknowledge every token, even one of a clique that they are not in, which is then lost.
 * Those of gbcast answer without members then, so that the token is not lost. */
static enum gb_hand_over judge(gb_sensor_clique *c) {
  const gb_peer_exchange *e = &c->exchange;
  gb_token answer;
  if (e->result == GB_PEER_EXCHANGE_NOT_SENT)
    return GB_HAND_OVER_REFUSED;
  if (e->result == GB_PEER_EXCHANGE_UNANSWERED || gb_nws_message_number(e->answer) != GB_NWS_CLIQUE_TOKEN_ACK)
    return GB_HAND_OVER_UNKNOWN;
  bool absent =
      gb_token_decode(e->answer + GB_NWS_HEADER_BYTES, e->answer_size - GB_NWS_HEADER_BYTES, &answer) &&
      answer.count == 0;
  if (absent && !c->absent[c->member]) {
    char name[GB_MEMBER_NAME];
    char clique[GB_QUOTED(sizeof c->is.token.name)], member[GB_QUOTED(sizeof name)];
    gb_sensor_clique_label(c, c->member, name);
    gb_sense_warn("clique %s: %s is not in it",
                  gb_quote(clique, sizeof clique, c->is.token.name, strlen(c->is.token.name)),
                  gb_quote(member, sizeof member, name, strlen(name)));
  }
  c->absent[c->member] = absent;
  return absent ? GB_HAND_OVER_REFUSED : GB_HAND_OVER_TAKEN;
}

static void on_handed_over(void *context) {
  gb_sensor_clique *c = context;
  gb_clique_handed_over(&c->clique, judge(c), gb_clock_now());
  gb_sensor_clique_act(c);
}

static bool send_to(gb_sensor_clique *c, bool wants_answer, void (*ended)(void *context)) {
  const struct sockaddr_in to = gb_sensor_clique_address(c, c->member);
  return gb_peer_exchange_start(&c->exchange, c->sensor->base, &to, GB_HAND_OVER_MOST, wants_answer, ended,
                                c);
}

bool gb_hand_over_start(gb_sensor_clique *c, const gb_clique_action *action) {
  c->member = action->member;
  put(c, GB_NWS_CLIQUE_TOKEN_FWD, &action->token);
  return send_to(c, true, on_handed_over);
}

/* Tells the members from c->member on, one after the other. */
static void tell_next(void *context) {
  gb_sensor_clique *c = context;
  while (++c->member < c->is.token.count) {
    if (c->member == c->clique.self)
      continue;
    put(c, GB_NWS_CLIQUE_DIE, &c->ended);
    if (send_to(c, false, tell_next))
      return;
  }
}

void gb_hand_over_end(gb_sensor_clique *c) {
  c->member = UINT32_MAX;
  tell_next(c);
}
