#include "nws/sense/warn.h"

#include <stdarg.h>
#include <stdio.h>

void gb_sense_warn(const char *format, ...) {
  va_list list;
  va_start(list, format);
  (void)fputs("gbcast-nws sense: ", stderr);
  (void)vfprintf(stderr, format, list);
  (void)putc('\n', stderr);
  va_end(list);
}
