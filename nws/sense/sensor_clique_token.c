/* Tokens that come. Of two definitions of a clique the newer one counts, as in NWS. */
#include "nws/sense/sensor_clique.h"

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
  gb_sensor_clique *c = gb_sensor_clique_find(s, token->name);
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
  gb_sensor_clique *c = gb_sensor_clique_find(s, token->name);
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
  gb_sensor_clique *c = gb_sensor_clique_find(s, token->name);
  if (c != NULL && !c->over && gb_token_compare(&token->id, &c->clique.seen) >= 0)
    gb_sensor_clique_over(c, &token->id);
}
