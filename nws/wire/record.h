/* Records, the measurements of a memory: fixed-width text, "%11.0f %20.5f", 32 bytes each. Independent of the
 * locale. */
#ifndef GB_NWS_WIRE_RECORD_H
#define GB_NWS_WIRE_RECORD_H

#include "nws/wire/message.h"

#define GB_NWS_RECORD_BYTES 32u

typedef struct gb_measurement {
  double time; /* s since 1970, UTC; rounded to whole seconds when written */
  double value;
} gb_measurement;

/* Writes 32 bytes, no NUL, rounded as printf does. False, and nothing written: a time or value that is not
 * finite or does not fit its columns (11 and 20, of which 6 are for the decimals). */
bool gb_record_write(gb_measurement measurement, char out[GB_NWS_RECORD_BYTES]);

/* The records of a state, which gb_nws_decode gave, sorted newest first (a memory may give them in another
 * order), those of one time in the order in which they came; for the caller to free, NULL: out of memory. Of
 * a record, whatever its width, the first two words are read; blanks, other white space and NUL end a word.
 * It is left out when they are not both finite decimal numbers of at most 112 bytes. */
gb_measurement *gb_records_read(const gb_nws_state *state, uint32_t *count);

#endif
