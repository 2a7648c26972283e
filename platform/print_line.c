/* Lines of a hosts file. */
#include "platform/platform.h"
#include "platform/text/text.h"

#include <math.h>

void gb_print_time(FILE *out, const char *key, double seconds) {
  char text[GB_UNIT_TEXT];
  gb_write_time(text, seconds);
  (void)fprintf(out, " %s=%s", key, text);
}

void gb_print_rate(FILE *out, const char *key, double rate) {
  char text[GB_UNIT_TEXT];
  gb_write_rate(text, rate);
  (void)fprintf(out, " %s=%s", key, text);
}

void gb_print_size(FILE *out, const char *key, uint64_t bytes) {
  char text[GB_UNIT_TEXT];
  gb_write_size(text, bytes);
  (void)fprintf(out, " %s=%s", key, text);
}

void gb_print_fraction(FILE *out, const char *key, double part) {
  char text[GB_UNIT_TEXT];
  gb_write_fraction(text, part);
  (void)fprintf(out, " %s=%s", key, text);
}

void gb_print_egress(FILE *out, const char *key, double usd_a_byte) {
  char text[GB_UNIT_TEXT];
  gb_write_egress(text, usd_a_byte);
  (void)fprintf(out, " %s=%s", key, text);
}

void gb_print_hire(FILE *out, const char *key, double usd_a_second) {
  char text[GB_UNIT_TEXT];
  gb_write_hire(text, usd_a_second);
  (void)fprintf(out, " %s=%s", key, text);
}

void gb_print_point(const gb_plogp_point *point, const char *ends, FILE *out) {
  (void)fprintf(out, "plogp %s", ends);
  gb_print_size(out, "size", point->bytes);
  gb_print_time(out, "gap", point->gap);
  gb_print_time(out, "latency", point->latency);
  if (point->send_overhead >= 0)
    gb_print_time(out, "os", point->send_overhead);
  if (point->receive_overhead >= 0)
    gb_print_time(out, "or", point->receive_overhead);
}

void gb_print_link(const gb_link *l, const char *ends, FILE *out) {
  (void)fprintf(out, "link %s", ends);
  gb_print_time(out, "latency", l->latency);
  gb_print_rate(out, "bandwidth", l->bandwidth);
  gb_print_time(out, "overhead", l->overhead);
  if (isfinite(l->stream_bandwidth))
    gb_print_rate(out, "stream-bandwidth", l->stream_bandwidth);
  if (isfinite(l->initial_window))
    gb_print_size(out, "initial-window", (uint64_t)l->initial_window);
  if (l->injection >= 0)
    gb_print_time(out, "injection", l->injection);
}
