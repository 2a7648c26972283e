#include "platform/text/text.h"

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
