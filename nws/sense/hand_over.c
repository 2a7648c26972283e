/* The token goes to another member: CLIQUE_TOKEN_FWD, its CLIQUE_TOKEN_ACK, and a CLIQUE_TOKEN_ACK back as
 * the go-ahead. */
#include "nws/sense/sensor_clique.h"

enum { ANSWER_MOST = 2048 }; /* bytes */

static void put(gb_circle *c, uint32_t number, const gb_token_id *id) {
  gb_token token = c->about;
  token.id = *id;
  gb_token_encode(&c->mail.out, number, &token);
}

static void on_answer(void *context, const unsigned char *bytes, size_t size) {
  gb_circle *c = context;
  gb_token answer;
  bool good = gb_mail_number(bytes) == GB_NWS_CLIQUE_TOKEN_ACK &&
              gb_token_decode(bytes + GB_NWS_HEADER_BYTES, size - GB_NWS_HEADER_BYTES, &answer) &&
              answer.count == c->about.count;
  if (!good) {
    if (!c->strange[c->clique.to])
      gb_complain("clique %s: %s is not in it, or was told other members", c->about.name,
                  c->members.name[c->clique.to]);
    c->strange[c->clique.to] = true;
    c->mail.party.over = true;
    return;
  }
  c->strange[c->clique.to] = false;
  c->answered = true;
  if (gb_clique_answered(&c->clique, &answer.id, gb_clock_now())) {
    put(c, GB_NWS_CLIQUE_TOKEN_ACK, &answer.id);
    c->mail.last = true;
  } else {
    c->mail.party.over = true;
  }
}

static void on_ended(void *context) {
  gb_circle *c = context;
  gb_mail_release(&c->mail);
  if (!c->answered)
    gb_clique_refused(&c->clique, gb_clock_now());
  gb_circle_act(c);
}

bool gb_hand_over_start(gb_circle *c, const gb_clique_action *action) {
  c->answered = false;
  gb_mail_start(&c->mail, ANSWER_MOST, on_answer, c, gb_clock_now() + GB_HAND_OVER_MOST);
  put(c, GB_NWS_CLIQUE_TOKEN_FWD, &action->token);
  bool good = gb_channel_connect(&c->channel, c->sensor->base, &c->address[action->member], 0, &c->mail.party,
                                 on_ended, c);
  if (!good)
    gb_mail_release(&c->mail);
  return good;
}
