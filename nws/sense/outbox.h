/* Samples that wait to be stored in a memory. When there are too many the oldest are dropped. */
#ifndef GB_NWS_SENSE_OUTBOX_H
#define GB_NWS_SENSE_OUTBOX_H

#include "nws/wire/wire.h"

enum { GB_OUTBOX_MOST = 4096 };

typedef struct gb_sample {
  char series[GB_NWS_NAME_MOST + 1];
  gb_measurement measurement;
  double sequence; /* s since 1970: when it was measured, strictly increasing */
} gb_sample;

typedef struct gb_outbox { /* starts as zeros */
  gb_sample sample[GB_OUTBOX_MOST];
  uint32_t first, count;
  uint64_t lost; /* dropped */
  double last_sequence;
} gb_outbox;

/* `time`: s since 1970. False: no record can hold the value; it is left out. */
bool gb_outbox_put(gb_outbox *box, const char *series, double time, double value);

/* The oldest sample, which stays in the outbox; NULL: none. */
const gb_sample *gb_outbox_first(const gb_outbox *box);
void gb_outbox_drop_first(gb_outbox *box);

/* Appends the STORE_STATE of a sample. */
void gb_sample_encode(gb_bytes *out, const gb_sample *sample);

#endif
