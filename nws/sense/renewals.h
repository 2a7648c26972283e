/* The objects that a sensor registers with a name server, and when each is due again. */
#ifndef GB_NWS_SENSE_RENEWALS_H
#define GB_NWS_SENSE_RENEWALS_H

#include "nws/wire/wire.h"

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

/* Appends the NS_REGISTER or NS_UNREGISTER of an object that is due to `out`, withdrawals first, and returns
 * its index; count: none is due before *next (INFINITY: none at all). */
uint32_t gb_renewals_due(const gb_renewals *r, double now, gb_bytes *out, double *next);

/* The name server has done it: registered the object, or `withdrawn`. */
void gb_renewals_done(gb_renewals *r, uint32_t index, bool withdrawn, double now);

/* The name server may have lost all registrations. */
void gb_renewals_forgotten(gb_renewals *r);

/* Whether all that was added is registered. */
bool gb_renewals_complete(const gb_renewals *r);

#endif
