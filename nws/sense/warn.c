#include "nws/sense/warn.h"

#include "platform/text/text.h"

#include <stdio.h>

void gb_sense_warn(const char *format, ...) {
  gbcast_error warning;
  va_list list;
  va_start(list, format);
  (void)gb_vfail(&warning, GBCAST_OK, format, list);
  va_end(list);
  (void)fprintf(stderr, "gbcast-nws sense: %s\n", warning.message);
}
