/* A stream of messages: whatever decodes encodes to bytes that decode and encode to themselves. */
#include "fuzz.h"

#include "nws/wire/message.h"

#define MOST 65536u

static void use(const gb_nws_message *m) {
  if (m->number == GB_NWS_FORE_FORECAST)
    for (uint32_t i = 0; i < m->forecast.count; i++)
      (void)gb_nws_forecast_at(&m->forecast, i);
  if (m->number != GB_NWS_STATE_FETCHED || m->state.record_count == 0)
    return;
  must(m->state.record_count <= m->state.records.length);
  uint32_t count;
  gb_measurement *found = gb_records_read(&m->state, &count);
  must(found != NULL && count <= m->state.record_count);
  free(found);
}

static void decode(const uint8_t *data, size_t size) {
  gb_nws_message m;
  gb_bytes first = {0}, second = {0};
  if (!gb_nws_decode(data, size, &m))
    return;
  use(&m);
  gb_nws_encode(&first, &m);
  size_t framed = 0;
  must(!first.failed && gb_nws_frame(first.data, first.size, SIZE_MAX, &framed) == GB_NWS_WHOLE);
  must(framed == first.size && gb_nws_decode(first.data, first.size, &m));
  gb_nws_encode(&second, &m);
  must(second.size == first.size && memcmp(second.data, first.data, first.size) == 0);
  gb_bytes_release(&first);
  gb_bytes_release(&second);
}

/* The input as one message of the size that it has, so that bodies are reached without a lucky header. */
static void decode_whole(const uint8_t *data, size_t size) {
  uint8_t *copy = malloc(size);
  must(copy != NULL);
  memcpy(copy, data, size);
  gb_set_u32(copy + 8, (uint32_t)(size - GB_NWS_HEADER_BYTES));
  decode(copy, size);
  free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size >= GB_NWS_HEADER_BYTES)
    decode_whole(data, size);
  for (size_t wanted = 0; size > 0; data += wanted, size -= wanted) {
    enum gb_nws_framing framing = gb_nws_frame(data, size, MOST, &wanted);
    if (framing == GB_NWS_PART)
      must(wanted > size && wanted <= MOST);
    if (framing != GB_NWS_WHOLE)
      break;
    must(wanted >= GB_NWS_HEADER_BYTES && wanted <= size);
    decode(data, wanted);
  }
  return 0;
}
