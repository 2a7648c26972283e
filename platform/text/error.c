#include "platform/text/text.h"

#include <stdarg.h>
#include <string.h>

#define MAX_PATH                                                                                             \
  512 /* bytes of a file's name: the end tells more than the beginning, and the message needs room */

/* A message is one line of whole characters, whatever was in the file name or the file. */
static void tidy(gbcast_error *err, int wanted) {
  gbcast_error raw = *err;
  size_t length = strlen(raw.message);
  if (wanted >= (int)sizeof raw.message) { /* cut: drop a character that lost its tail */
    while (length > 0 && ((unsigned char)raw.message[length - 1] & 0xC0) == 0x80)
      length--;
    if (length > 0 && (unsigned char)raw.message[length - 1] >= 0xC0)
      length--;
    raw.message[length] = '\0';
  }
  (void)gb_quote_message(err->message, sizeof err->message, raw.message);
}

int gb_fail_at(gbcast_error *err, const gb_place *where, const char *format, ...) {
  if (err == NULL)
    return GBCAST_EINPUT;
  size_t length = strlen(where->file);
  const char *cut = length > MAX_PATH ? "..." : "",
             *file = where->file + (length > MAX_PATH ? length - MAX_PATH : 0);
  while (*cut != '\0' && ((unsigned char)*file & 0xC0) == 0x80) /* not in the middle of a character */
    file++;
  int n = snprintf(err->message, sizeof err->message, "%s%s:%u:%u: ", cut, file, (unsigned)where->line,
                   (unsigned)where->column);
  if (n >= 0 && n < (int)sizeof err->message) {
    va_list list;
    va_start(list, format);
    int m = vsnprintf(err->message + n, sizeof err->message - (size_t)n, format, list);
    va_end(list);
    n = m < 0 ? n : n + m;
  }
  tidy(err, n);
  return GBCAST_EINPUT;
}

int gb_vfail(gbcast_error *err, int status, const char *format, va_list list) {
  if (err != NULL)
    tidy(err, vsnprintf(err->message, sizeof err->message, format, list));
  return status;
}

int gb_fail(gbcast_error *err, int status, const char *format, ...) {
  va_list list;
  va_start(list, format);
  (void)gb_vfail(err, status, format, list);
  va_end(list);
  return status;
}
