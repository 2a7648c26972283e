/* Lines of a hosts file. */
#include "platform/platform.h"
#include "platform/text/text.h"

#include <math.h>

static void print(FILE *out, const char *key, void (*write)(char text[GB_UNIT_TEXT], double), double value) {
  char text[GB_UNIT_TEXT];
  write(text, value);
  (void)fprintf(out, " %s=%s", key, text);
}

void gb_print_time(FILE *out, const char *key, double seconds) {
  print(out, key, gb_write_time, seconds);
}

void gb_print_rate(FILE *out, const char *key, double rate) {
  print(out, key, gb_write_rate, rate);
}

void gb_print_fraction(FILE *out, const char *key, double part) {
  print(out, key, gb_write_fraction, part);
}

void gb_print_egress(FILE *out, double usd_a_byte) {
  print(out, "egress", gb_write_egress, usd_a_byte);
}

void gb_print_hire(FILE *out, double usd_a_second) {
  print(out, "hire", gb_write_hire, usd_a_second);
}

void gb_print_size(FILE *out, const char *key, uint64_t bytes) {
  char text[GB_UNIT_TEXT];
  gb_write_size(text, bytes);
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
