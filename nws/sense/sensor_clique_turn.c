/* What a member does: takes tokens that come, and performs the actions of its clique, one at a time. */
#include "nws/sense/sensor_clique.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdio.h>

/* ---- Tokens that come. Of two definitions of a clique the newer one counts, as in NWS ---- */

/* A newer token than any before. False: this sensor does not take it, so that the sender must keep it. */
static bool take_newer(gb_sensor_clique *c, const gb_token *token) {
  bool sound = gb_clique_sound(token, c->sensor);
  bool same = sound && gb_token_same_clique(token, &c->is.token);
  bool told = c->told_at > 0 && (!sound || !gb_token_same_clique(token, &c->told.token));
  if (told && token->id.generated < c->told_at)
    gb_sensor_clique_define(c, &c->told.token, true, NULL); /* whatever the tokens say that go round */
  else if (!sound) {
    gb_sensor_clique_over(c, &token->id);
    return false;
  } else if (same && memcmp(token->member, c->is.token.member, token->count * sizeof *token->member) == 0)
    (void)gb_clique_take(&c->clique, &token->id, gb_clock_now());
  else
    gb_sensor_clique_define(c, token, true, &token->id);
  gb_sensor_clique_act(c);
  return true;
}

static bool join_by_token(gb_sensor *s, const gb_token *token) {
  if (!gb_clique_sound(token, s))
    return false;
  gb_sensor_clique *c = gb_sensor_clique_find(s, gb_view_of(token->name));
  if (c != NULL && token->id.generated <= c->ended.generated)
    return false;
  c = gb_sensor_clique_new(s, token->name);
  if (c == NULL)
    return false;
  gb_sensor_clique_define(c, token, true, &token->id);
  gb_sensor_clique_act(c);
  return true;
}

void gb_sensor_clique_offered(gb_sensor *s, const gb_token *token, gb_token *answer) {
  gb_sensor_clique *c = gb_sensor_clique_find(s, gb_view_of(token->name));
  *answer = *token;
  if (c == NULL || c->over) {
    answer->count = join_by_token(s, token) ? token->count : 0;
    return;
  }
  int newer = gb_token_compare(&token->id, &c->clique.seen);
  if (newer > 0) {
    answer->count = take_newer(c, token) ? token->count : 0;
  } else if (newer == 0) {
    (void)gb_clique_take(&c->clique, &token->id, gb_clock_now());
    gb_sensor_clique_act(c);
  }
}

void gb_sensor_clique_told_to_end(gb_sensor *s, const gb_token *token) {
  gb_sensor_clique *c = gb_sensor_clique_find(s, gb_view_of(token->name));
  if (c != NULL && !c->over && gb_token_compare(&token->id, &c->clique.seen) >= 0)
    gb_sensor_clique_over(c, &token->id);
}

/* ---- The token is handed to another member: CLIQUE_TOKEN_FWD, and the member's CLIQUE_TOKEN_ACK ---- */

static bool send_token(gb_sensor_clique *c, uint32_t number, const gb_token_id *id,
                       void (*ended)(void *context)) {
  const struct sockaddr_in to = gb_sensor_clique_address(c, c->member);
  gb_nws_message m = {.number = number, .token = c->is.token};
  m.token.id = *id;
  return gb_peer_exchange_start(&c->exchange, c->sensor->base, &to, GB_HAND_OVER_MOST, &m,
                                number == GB_NWS_CLIQUE_TOKEN_FWD, ended, c);
}

/* Sensors of NWS acknowledge every token, even one of a clique that they are not in, which is then lost.
 * Those of gbcast answer without members then, so that the token is not lost. Whatever else is in an
 * acknowledgement does not count. */
static enum gb_hand_over judge(gb_sensor_clique *c) {
  const gb_peer_exchange *e = &c->exchange;
  if (e->result == GB_PEER_EXCHANGE_NOT_SENT)
    return GB_HAND_OVER_REFUSED;
  if (e->codec.unreadable == GB_NWS_CLIQUE_TOKEN_ACK)
    return GB_HAND_OVER_TAKEN;
  if (e->result == GB_PEER_EXCHANGE_UNANSWERED || e->answer.number != GB_NWS_CLIQUE_TOKEN_ACK)
    return GB_HAND_OVER_UNKNOWN;
  bool absent = e->answer.token.count == 0;
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

static bool hand_over(gb_sensor_clique *c, const gb_clique_action *action) {
  c->member = action->member;
  return send_token(c, GB_NWS_CLIQUE_TOKEN_FWD, &action->token, on_handed_over);
}

/* Tells the members from c->member on, one after the other. */
static void tell_next(void *context) {
  gb_sensor_clique *c = context;
  while (++c->member < c->is.token.count) {
    if (c->member != c->clique.self && send_token(c, GB_NWS_CLIQUE_DIE, &c->ended, tell_next))
      return;
  }
}

void gb_sensor_clique_tell_end(gb_sensor_clique *c) {
  c->member = UINT32_MAX;
  tell_next(c);
}

/* ---- Peers are asked for their names, and measured ---- */

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
  if (e->result == GB_PEER_EXCHANGE_ANSWERED && e->answer.number == GB_NWS_HOST_TEST_RESULT &&
      gb_nws_address_complete(gb_view_of(e->answer.host.name), GB_NWS_SENSOR_PORT, said)) {
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
  return gb_peer_exchange_start(&c->exchange, c->sensor->base, &to, GB_NAMING_MOST,
                                &(gb_nws_message){.number = GB_NWS_HOST_TEST}, true, on_asked, c);
}

static void measure(gb_sensor_clique *c, uint32_t member, double now) {
  c->member = member;
  bool begun = c->measures && (c->naming[member] == GB_NAME_WANTED ? ask_for_name(c) : probe(c));
  if (!begun)
    gb_clique_measured(&c->clique, !c->measures, now);
}

/* ---- Both, in turn ---- */

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
    else if (!hand_over(c, &action))
      gb_clique_handed_over(&c->clique, GB_HAND_OVER_REFUSED, now);
  }
}
