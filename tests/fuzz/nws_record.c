/* A byte for the width, then records: what is read is in order, and what can be written reads back. */
#include "fuzz.h"

#include "nws/wire/message.h"

#include <math.h>

static void write_and_read(gb_measurement m) {
  char text[GB_NWS_RECORD_BYTES];
  uint32_t count;
  if (!gb_record_write(m, text))
    return;
  gb_nws_state state = {.record_size = sizeof text, .record_count = 1, .records = {text, sizeof text}};
  gb_measurement *back = gb_records_read(&state, &count);
  must(back != NULL && count == 1);
  must(fabs(back->time - m.time) <= 0.5);
  must(fabs(back->value - m.value) <= 0.50001e-5 + 2e-16 * fabs(m.value));
  free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2 || data[0] == 0)
    return 0;
  uint32_t width = data[0], count = (uint32_t)((size - 1) / width);
  gb_nws_state state = {.record_size = width,
                        .record_count = count,
                        .records = {(const char *)data + 1, (size_t)count * width}};
  uint32_t readable;
  gb_measurement *found = gb_records_read(&state, &readable);
  must(found != NULL && readable <= count);
  for (uint32_t i = 0; i < readable; i++) {
    must(isfinite(found[i].time) && isfinite(found[i].value));
    must(i == 0 || found[i - 1].time >= found[i].time);
    write_and_read(found[i]);
  }
  free(found);
  return 0;
}
