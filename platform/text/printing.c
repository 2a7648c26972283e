/* How text is printed: with '.' as the decimal point, and in whole lines. */
#include "platform/text/text.h"
#include <stdlib.h>

bool gb_plain_locale_set(gb_plain_locale *l) {
  l->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (l->plain == (locale_t)0)
    return false;
  l->before = uselocale(l->plain);
  return true;
}

void gb_plain_locale_end(gb_plain_locale *l) {
  if (l->plain == (locale_t)0)
    return;
  (void)uselocale(l->before);
  freelocale(l->plain);
}

FILE *gb_lines_begin(gb_lines *l) {
  *l = (gb_lines){0};
  l->memory = open_memstream(&l->text, &l->length);
  return l->memory != NULL ? l->memory : stderr;
}

void gb_lines_end(gb_lines *l) {
  if (l->memory != NULL && fclose(l->memory) == 0)
    (void)fwrite(l->text, 1, l->length, stderr);
  free(l->text);
}
