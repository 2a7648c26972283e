/* What a sensor has to tell: samples to a memory, objects to a name server. No I/O. */
#ifndef GB_NWS_SENSE_OUTBOX_H
#define GB_NWS_SENSE_OUTBOX_H

#include "nws/wire/wire.h"

/* ---- Samples that wait to be stored. When there are too many the oldest are dropped ---- */

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

/* The sample with this sequence number was acknowledged, and leaves the outbox. One that was dropped since it
 * was sent is not lost. */
void gb_outbox_acknowledged(gb_outbox *box, double sequence);

/* The STORE_STATE of a sample; its record goes to `text`, which may fail. */
void gb_sample_tell(const gb_sample *sample, gb_nws_message *out, gb_bytes *text);

/* ---- The objects that a sensor registers, and when each is due again ---- */

/* s: an object is registered for FIRST, renewed after FIRST, and from then on registered for AGAIN. */
enum { GB_RENEW_FIRST = 900, GB_RENEW_AGAIN = 1800 };

typedef struct gb_renewal {
  gb_bytes object;
  double due; /* -INFINITY: at once */
  uint32_t seconds;
  bool withdrawn; /* to be unregistered, and then dropped */
} gb_renewal;

typedef struct gb_renewals { /* starts as zeros */
  gb_renewal *renewal;
  uint32_t count, capacity;
} gb_renewals;

void gb_renewals_release(gb_renewals *r);

/* Takes over the object, which is left empty; releases it if it is a duplicate. False: out of memory. */
bool gb_renewals_add(gb_renewals *r, gb_bytes *object);

/* The object of this class and name is no longer true; none: nothing to do. */
void gb_renewals_withdraw(gb_renewals *r, const char *class, const char *name);

/* The NS_REGISTER or NS_UNREGISTER of an object that is due, withdrawals first, with what has to be written
 * for it in `text`, which may fail. Returns its index; count: none is due before *next (INFINITY: none at
 * all). */
uint32_t gb_renewals_due(const gb_renewals *r, double now, gb_nws_message *out, gb_bytes *text, double *next);

/* The name server has done it: registered the object, or `withdrawn`. */
void gb_renewals_done(gb_renewals *r, uint32_t index, bool withdrawn, double now);

/* The name server may have lost all registrations. */
void gb_renewals_forgotten(gb_renewals *r);

/* Whether all that was added is registered. */
bool gb_renewals_complete(const gb_renewals *r);

#endif
