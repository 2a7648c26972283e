/* Measurements as a memory keeps them: fixed-width text, "%11.0f %20.5f", 32 bytes each. Independent of the
 * locale. */
#ifndef GB_NWS_RECORD_H
#define GB_NWS_RECORD_H

#include "nws/message.h"

#define GB_NWS_RECORD_BYTES 32u

typedef struct gb_measurement {
  double time; /* s since 1970, UTC, whole seconds */
  double value;
} gb_measurement;

/* Writes 32 bytes, no NUL. A value that does not fit its columns is refused: false. */
bool gb_record_write(gb_measurement measurement, char out[GB_NWS_RECORD_BYTES]);

/* The records of a state in `out`, which has room for state->record_count, sorted newest first (a memory may
 * give them in another order); records that cannot be read are left out. Returns how many there are. Those of
 * one second keep the order in which they came. */
uint32_t gb_records_read(const gb_nws_state *state, gb_measurement *out);

#endif
