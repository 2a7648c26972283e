#include "nws/sense/outbox.h"

#include <math.h>
#include <stdio.h>

#define KEEP_SECONDS 315360000.0 /* ten years, as NWS's sensors say */

bool gb_outbox_put(gb_outbox *box, const char *series, double time, double value) {
  gb_measurement measurement = {floor(time), value};
  char text[GB_NWS_RECORD_BYTES];
  if (!gb_record_write(measurement, text))
    return false;
  if (box->count == GB_OUTBOX_MOST) {
    gb_outbox_drop_first(box);
    box->lost++;
  }
  /* The wall clock may be set back; sequence numbers must increase. */
  box->last_sequence = fmax(time, box->last_sequence + 1e-6);
  gb_sample *sample = &box->sample[(box->first + box->count++) % GB_OUTBOX_MOST];
  *sample = (gb_sample){.measurement = measurement, .sequence = box->last_sequence};
  (void)snprintf(sample->series, sizeof sample->series, "%s", series);
  return true;
}

const gb_sample *gb_outbox_first(const gb_outbox *box) {
  return box->count > 0 ? &box->sample[box->first] : NULL;
}

void gb_outbox_drop_first(gb_outbox *box) {
  box->first = (box->first + 1) % GB_OUTBOX_MOST;
  box->count--;
}

void gb_sample_encode(gb_bytes *out, const gb_sample *sample) {
  char text[GB_NWS_RECORD_BYTES];
  (void)gb_record_write(sample->measurement, text); /* checked by gb_outbox_put */
  gb_nws_message m = {.number = GB_NWS_STORE_STATE,
                      .state = {.record_size = sizeof text,
                                .record_count = 1,
                                .sequence = sample->sequence,
                                .time_out = KEEP_SECONDS,
                                .records = {text, sizeof text}}};
  (void)snprintf(m.state.id, sizeof m.state.id, "%s", sample->series);
  gb_nws_encode(out, &m);
}
