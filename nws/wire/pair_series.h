/* Series between two hosts: their names, and the objects that sensors register. */
#ifndef GB_NWS_WIRE_PAIR_SERIES_H
#define GB_NWS_WIRE_PAIR_SERIES_H

#include "nws/wire/message.h"

#define GB_NWS_LATENCY "latencyTcp"     /* ms, the round trip of one byte */
#define GB_NWS_BANDWIDTH "bandwidthTcp" /* Mbit/s, of 1e6 bits */

typedef struct gb_pair_series {
  const char *host, *target;      /* machine:port of the measuring and the answering sensor */
  bool bandwidth;                 /* else latency */
  uint32_t buffer, message, size; /* of bandwidth, kB of 1024 */
  const char
      *method; /* told as an attribute when not NULL: what measured it, where that is not NWS's burst */
} gb_pair_series;

/*      host.latencyTcp.target
 *      host.bandwidthTcp.buffer.message.size.target
 * False when it is too long to be a series' name. */
bool gb_pair_series_name(const gb_pair_series *series, char out[GB_NWS_NAME_MOST + 1]);

/* Appends the object; `memory` (machine:port) holds the measurements. */
void gb_pair_series_object(gb_bytes *out, const gb_pair_series *series, const char *name, const char *memory);

#endif
