/* Messages as bytes: headers, and whole messages in a stream. */
#include "nws/wire/body.h"

enum gb_nws_framing gb_nws_frame(const unsigned char *bytes, size_t have, size_t most, size_t *size) {
  gb_reader in = {.at = bytes, .left = have};
  (void)gb_get_u32(&in); /* version */
  uint32_t number = gb_get_u32(&in);
  uint64_t whole = GB_NWS_HEADER_BYTES + (uint64_t)gb_get_u32(&in);
  if (number == GB_NWS_FORE_FORECAST) { /* its count tells, not its size */
    (void)gb_get(&in, GB_NWS_NAME_MOST + 1);
    uint64_t count = gb_get_u32(&in);
    whole = GB_NWS_HEADER_BYTES + GB_NWS_NAME_MOST + 1 + 4 + GB_NWS_FORECAST_PAIR_BYTES * count;
  }
  if (whole > most)
    return GB_NWS_TOO_LONG;
  *size = (size_t)whole;
  return have < whole ? GB_NWS_PART : GB_NWS_WHOLE;
}

gb_nws_forecast_pair gb_nws_forecast_at(const gb_nws_forecast *f, uint32_t index) {
  gb_reader in = {.at = (const unsigned char *)f->pairs.at, .left = f->pairs.length};
  gb_nws_forecast_pair pair;
  (void)gb_get(&in, (size_t)index * GB_NWS_FORECAST_PAIR_BYTES);
  pair.time = gb_get_f64(&in);
  pair.measurement = gb_get_f64(&in);
  pair.mae.forecast = gb_get_f64(&in);
  pair.mae.error = gb_get_f64(&in);
  pair.mae.method = gb_get_u32(&in);
  pair.mse.forecast = gb_get_f64(&in);
  pair.mse.error = gb_get_f64(&in);
  pair.mse.method = gb_get_u32(&in);
  return pair;
}

void gb_nws_encode(gb_bytes *out, const gb_nws_message *message) {
  gb_nws_message copy = *message;
  size_t start = out->size;
  gb_put_u32(out, GB_NWS_VERSION);
  gb_put_u32(out, message->number);
  gb_put_u32(out, 0); /* the size, which is known later */
  bool known = gb_nws_body_pass(&(gb_nws_body){.out = out}, &copy);
  if (!known || out->failed || out->size - start - GB_NWS_HEADER_BYTES > UINT32_MAX) {
    out->failed = true;
    return;
  }
  uint32_t size = (uint32_t)(out->size - start - GB_NWS_HEADER_BYTES);
  gb_set_u32(out->data + start + 8, message->number == GB_NWS_FORE_FORECAST ? 0 : size);
}

bool gb_nws_decode(const unsigned char *bytes, size_t size, gb_nws_message *out) {
  gb_nws_body b = {.in = {.at = bytes, .left = size}};
  *out = (gb_nws_message){0};
  (void)gb_get_u32(&b.in); /* the version, which no receiver looks at */
  out->number = gb_get_u32(&b.in);
  uint32_t length = gb_get_u32(&b.in);
  if (b.in.bad || (length != b.in.left && out->number != GB_NWS_FORE_FORECAST))
    return false;
  return gb_nws_body_pass(&b, out) && !b.in.bad && b.in.left == 0;
}

enum gb_nws_framing gb_nws_next(const gb_bytes *in, size_t most, gb_nws_message *out, size_t *size) {
  enum gb_nws_framing framing = gb_nws_frame(in->data, in->size, most, size);
  return framing == GB_NWS_WHOLE && !gb_nws_decode(in->data, *size, out) ? GB_NWS_INVALID : framing;
}
