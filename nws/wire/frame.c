/* Finds messages in a stream of bytes. */
#include "nws/wire/message.h"

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
