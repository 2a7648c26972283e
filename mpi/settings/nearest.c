/* Which setting somebody meant. */
#include "mpi/settings/settings.h"
#include <string.h>

enum { LONGEST = 64 }; /* of a name that is compared: what follows is cut off */

static char upper(char c) { /* in any locale */
  return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* Letters to change, leave out, add or swap with the next, so that a becomes b: Damerau's distance, where no
 * letter is changed twice (optimal string alignment). */
static unsigned distance(const char *a, const char *b) {
  unsigned rows[3][LONGEST + 1] = {{0}}; /* of a's first i letters from b's first j; the last three i */
  size_t m = strnlen(a, LONGEST), n = strnlen(b, LONGEST);
  for (size_t i = 0; i <= m; i++) {
    unsigned *row = rows[i % 3];
    const unsigned *before = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= n; j++) {
      if (i == 0) {
        row[j] = (unsigned)j;
        continue;
      }
      char x = upper(a[i - 1]), y = upper(b[j - 1]);
      row[j] = least(least(before[j], row[j - 1]) + 1, before[j - 1] + (x != y));
      if (i > 1 && j > 1 && x == upper(b[j - 2]) && upper(a[i - 2]) == y)
        row[j] = least(row[j], second[j - 2] + 1);
    }
  }
  return rows[m % 3][n];
}

const gb_setting *gb_setting_nearest(const char *name) {
  const gb_setting *nearest = gb_setting_at(0), *other;
  for (size_t i = 1; (other = gb_setting_at(i)) != NULL; i++)
    if (distance(name, other->name) < distance(name, nearest->name))
      nearest = other;
  return nearest;
}
