/* Files into memory. */
#include "platform/text/text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 30) /* keeps a device that never ends from filling the memory */

static int read_all(FILE *f, char **text, size_t *length) {
  size_t capacity = 0;
  *text = NULL;
  *length = 0;
  for (;;) {
    if (*length == capacity) {
      capacity = capacity == 0 ? 4096 : 2 * capacity;
      char *more = capacity > MOST_BYTES ? NULL : realloc(*text, capacity);
      if (more == NULL)
        return capacity > MOST_BYTES ? EFBIG : ENOMEM;
      *text = more;
    }
    errno = 0;
    size_t n = fread(*text + *length, 1, capacity - *length, f);
    *length += n;
    if (n == 0)
      return ferror(f) ? (errno != 0 ? errno : EIO) : 0;
  }
}

int gb_read_file(const char *path, const gb_place *where, const char *shown, char **text, size_t *length,
                 gbcast_error *err) {
  char reason[128];
  errno = 0;
  *text = NULL;
  FILE *f = path == NULL ? stdin : fopen(path, "re");
  int problem = f == NULL ? errno : read_all(f, text, length);
  if (f != NULL && f != stdin)
    (void)fclose(f);
  if (problem == 0)
    return GBCAST_OK;
  free(*text);
  *text = NULL;
  if (problem == ENOMEM)
    return gb_no_memory(err);
  if (strerror_r(problem, reason, sizeof reason) != 0)
    (void)snprintf(reason, sizeof reason, "error %d", problem);
  const char *verb = f == NULL ? "open" : "read";
  if (shown == NULL)
    return gb_fail_at(err, where, "cannot %s: %s", verb, reason);
  return gb_fail_at(err, where, "%s:1:1: cannot %s: %s", shown, verb, reason);
}
