/* What can be read of a message without decoding all of it: header, length, items. */
#include "nws/wire/message.h"

void gb_nws_put_header(gb_bytes *out, uint32_t number, uint32_t size) {
  gb_put_u32(out, GB_NWS_VERSION);
  gb_put_u32(out, number);
  gb_put_u32(out, size);
}

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

uint32_t gb_nws_message_number(const unsigned char *bytes) {
  gb_reader in = {.at = bytes, .left = GB_NWS_HEADER_BYTES};
  (void)gb_get_u32(&in); /* version */
  return gb_get_u32(&in);
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
