/* Findings: "fail  hosts     ...". */
#include "tools/doctor/doctor.h"
#include <stdarg.h>

static const char *const word[] = {[GB_WELL] = "ok  ", [GB_WARN] = "warn", [GB_FAIL] = "fail"};

void gb_doctor_say(gb_doctor *d, enum gb_verdict level, const char *subject, const char *format, ...) {
  va_list list;
  d->bad += level != GB_WELL;
  printf("%s  %-9s ", word[level], subject);
  va_start(list, format);
  (void)vprintf(format, list);
  va_end(list);
  putchar('\n');
  (void)fflush(stdout);
}

bool gb_doctor_repeat(gb_doctor *d, const char *line) {
  for (int level = GB_WELL; level <= GB_FAIL; level++)
    if (strncmp(line, word[level], strlen(word[level])) == 0 && strncmp(line + 4, "  ", 2) == 0) {
      d->bad += level != GB_WELL;
      puts(line);
      return true;
    }
  return false;
}
