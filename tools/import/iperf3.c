/* Reads what iperf3 -J prints, on a client or a server. Bandwidth is the rate at the receiver. The round trip
 * is the shortest that TCP has seen: all others include time in the queues that the test itself has
 * filled. */
#include "tools/import/json.h"
#include <math.h>

enum { BITS = 8, MOST_NAME = 256 };

/* The host on which the document was written: its name, or else its address. NULL: neither is known, or
 * *status is GBCAST_EMEMORY. */
static const char *find_self(gb_import *m, const json_t *document, const char *address, gbcast_error *err,
                             int *status) {
  const char *system =
      gb_import_text(document, GB_IMPORT_PATH("start", "system_info")); /* as uname -a prints it */
  const char *name = system != NULL ? strchr(system, ' ') : NULL;
  const size_t length = name != NULL ? strcspn(name + 1, " ") : 0;
  if (length == 0 || length > MOST_NAME)
    return address;
  const char *copy = gb_import_copy(m, name + 1, length);
  if (copy == NULL)
    *status = gb_no_memory(err);
  return copy;
}

/* The shortest round trip of all streams (s); -1: the document does not say. */
static double least_round_trip(const json_t *end) {
  const json_t *streams = json_object_get(end, "streams");
  double least = INFINITY;
  for (size_t i = 0; i < json_array_size(streams); i++) {
    const double us = gb_import_number(json_array_get(streams, i), GB_IMPORT_PATH("sender", "min_rtt"), 0);
    if (us > 0)
      least = fmin(least, us * 1e-6);
  }
  return isfinite(least) ? least : -1;
}

/* The rate at the receiver (bytes/s), below 0 if unknown; for UDP without the packets that were lost. */
static double received(const json_t *end, const char *sum) {
  const double bits = gb_import_number(end, GB_IMPORT_PATH(sum, "bits_per_second"), -1);
  if (bits > 0 || strcmp(sum, "sum_received") != 0)
    return bits / BITS;
  return gb_import_number(end, GB_IMPORT_PATH("sum", "bits_per_second"), -1) *
         (1 - gb_import_number(end, GB_IMPORT_PATH("sum", "lost_percent"), 0) / 100) / BITS;
}

static int read_test(gb_import *m, const json_t *document, const gb_place *where, gbcast_error *err) {
  const json_t *end = json_object_get(document, "end");
  const json_t *connection = json_array_get(gb_import_at(document, GB_IMPORT_PATH("start", "connected")), 0);
  const char *error = gb_import_text(document, GB_IMPORT_PATH("error"));
  const bool server = gb_import_at(document, GB_IMPORT_PATH("start", "accepted_connection")) != NULL;
  const bool reverse = gb_import_number(document, GB_IMPORT_PATH("start", "test_start", "reverse"), 0) > 0;
  int status = GBCAST_OK;
  if (!json_is_object(end) || json_object_size(end) == 0) {
    if (error == NULL)
      return gb_fail_at(err, where, "found JSON without \"end\", expected what iperf3 -J prints");
    gb_import_remark(m, where, "a measurement is left out: %.200s", error);
    return GBCAST_OK;
  }
  const char *self =
      find_self(m, document, json_string_value(json_object_get(connection, "local_host")), err, &status);
  const char *other = gb_import_text(document, GB_IMPORT_PATH("start", "connecting_to", "host"));
  if (other == NULL)
    other = json_string_value(json_object_get(connection, "remote_host"));
  const bool sends = server == reverse; /* the client sends, unless the test is reversed */
  gb_import_sample sample = {
      .from = sends ? self : other,
      .to = sends ? other : self,
      .latency = least_round_trip(end),
      .latency_error = -1,
      .round_trip = true,
      .bandwidth = received(end, "sum_received"),
      .time = gb_import_number(document, GB_IMPORT_PATH("start", "timestamp", "timesecs"), -1),
      .where = *where};
  if (status == GBCAST_OK)
    status = gb_import_add_sample(m, &sample, err);
  sample.bandwidth = received(end, "sum_received_bidir_reverse");
  if (status != GBCAST_OK || (sample.latency <= 0 && sample.bandwidth <= 0))
    return status;
  sample.from = sends ? other : self; /* the way back; a round trip belongs to both directions */
  sample.to = sends ? self : other;
  return gb_import_add_back(m, &sample, err);
}

int gb_import_iperf3(gb_import *m, const char *file, const char *text, size_t length, gbcast_error *err) {
  return gb_import_json(m, file, text, length, read_test, err);
}
