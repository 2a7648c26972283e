/* name 32, generated f64, instance f64, skill 32, options 64, period f64, time-out f64, 100 * (u32, u32),
 * count u32, leader u32. */
#include "nws/sense/token.h"

#include "nws/wire/wire.h"

#include <math.h>

static int order(double a, double b) {
  return (a > b) - (a < b);
}

int gb_token_compare(const gb_token_id *a, const gb_token_id *b) {
  int generated = order(a->generated, b->generated), instance = order(a->instance, b->instance);
  return generated != 0 ? generated : instance != 0 ? instance : order(a->leader, b->leader);
}

uint32_t gb_token_find(const gb_token *token, uint32_t address, uint32_t port) {
  uint32_t i = 0;
  while (i < token->count && (token->member[i].address != address || token->member[i].port != port))
    i++;
  return i;
}

bool gb_token_same_clique(const gb_token *a, const gb_token *b) {
  bool same = a->count == b->count && order(a->period, b->period) == 0 && strcmp(a->skill, b->skill) == 0 &&
              strcmp(a->options, b->options) == 0;
  for (uint32_t i = 0; i < a->count && same; i++)
    same = gb_token_find(b, a->member[i].address, a->member[i].port) < b->count &&
           gb_token_find(a, b->member[i].address, b->member[i].port) < a->count;
  return same;
}

void gb_token_encode(gb_bytes *out, uint32_t number, const gb_token *token) {
  gb_nws_put_header(out, number, GB_TOKEN_BYTES);
  gb_put_field(out, token->name, sizeof token->name);
  gb_put_f64(out, token->id.generated);
  gb_put_f64(out, token->id.instance);
  gb_put_field(out, token->skill, sizeof token->skill);
  gb_put_field(out, token->options, sizeof token->options);
  gb_put_f64(out, token->period);
  gb_put_f64(out, token->time_out);
  for (size_t i = 0; i < GB_CLIQUE_MOST; i++) {
    gb_put_u32(out, i < token->count ? token->member[i].address : 0);
    gb_put_u32(out, i < token->count ? token->member[i].port : 0);
  }
  gb_put_u32(out, token->count);
  gb_put_u32(out, token->id.leader);
}

bool gb_token_decode(const unsigned char *bytes, size_t size, gb_token *out) {
  gb_reader in = {bytes, size, false};
  gb_get_field(&in, sizeof out->name, out->name);
  out->id.generated = gb_get_f64(&in);
  out->id.instance = gb_get_f64(&in);
  gb_get_field(&in, sizeof out->skill, out->skill);
  gb_get_field(&in, sizeof out->options, out->options);
  out->period = gb_get_f64(&in);
  out->time_out = gb_get_f64(&in);
  for (size_t i = 0; i < GB_CLIQUE_MOST; i++) {
    out->member[i].address = gb_get_u32(&in);
    out->member[i].port = gb_get_u32(&in);
  }
  out->count = gb_get_u32(&in);
  out->id.leader = gb_get_u32(&in);
  return !in.bad && in.left == 0 && out->count <= GB_CLIQUE_MOST && isfinite(out->id.generated) &&
         isfinite(out->id.instance) && isfinite(out->period) && isfinite(out->time_out);
}
