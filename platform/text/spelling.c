/* Which word somebody meant. */
#include "platform/text/text.h"

enum { LONGEST = 64 }; /* of a word that is compared: what follows is cut off */

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* Letters to change, leave out, add or swap with the next, so that a becomes b: Damerau's distance, where no
 * letter is changed twice (optimal string alignment). Letter case does not count. */
static unsigned distance(const char *a, size_t m, const char *b, size_t n) {
  unsigned rows[3][LONGEST + 1] = {{0}}; /* of a's first i letters from b's first j; the last three i */
  for (size_t i = 0; i <= m; i++) {
    unsigned *row = rows[i % 3];
    const unsigned *before = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= n; j++) {
      if (i == 0) {
        row[j] = (unsigned)j;
        continue;
      }
      char x = gb_lower(a[i - 1]), y = gb_lower(b[j - 1]);
      row[j] = least(least(before[j], row[j - 1]) + 1, before[j - 1] + (x != y));
      if (i > 1 && j > 1 && x == gb_lower(b[j - 2]) && gb_lower(a[i - 2]) == y)
        row[j] = least(row[j], second[j - 2] + 1);
    }
  }
  return rows[m % 3][n];
}

bool gb_nearer(const char *word, size_t length, const char *name, unsigned *best) {
  const size_t m = length < LONGEST ? length : LONGEST, n = strnlen(name, LONGEST);
  const unsigned shorter = (unsigned)(m < n ? m : n), reach = shorter / 4 + (shorter > 3);
  const bool begins = m >= 3 && m < n && distance(word, m, name, m) == 0;
  if (!begins && (m > n ? m - n : n - m) > reach)
    return false;
  const unsigned d = begins ? 1 : distance(word, m, name, n);
  if ((!begins && d > reach) || d >= *best)
    return false;
  *best = d;
  return true;
}

const char *gb_hint(char text[GB_HINT_TEXT], const char *nearest) {
  text[0] = '\0';
  if (nearest != NULL)
    (void)snprintf(text, GB_HINT_TEXT, " (did you mean '%s'?)", nearest);
  return text;
}
