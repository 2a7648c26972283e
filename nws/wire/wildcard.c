#include "nws/wire/wildcard.h"

/* Backtracks only to the last star, which then covers one byte more: earlier stars matched as little as
 * possible, which leaves the most for the rest.
 *
 *      pattern  a * b c * d          `at` in the pattern, `here` in the text; after a mismatch
 *                         ^          back to `star` in the pattern, `from` + 1 in the text */
bool gb_wildcard_matches(gb_view pattern, gb_view text) {
  size_t at = 0, here = 0, from = 0;
  size_t star = pattern.length; /* none passed */
  while (here < text.length) {
    if (at < pattern.length && pattern.at[at] == '*') {
      star = at++;
      from = here;
    } else if (at < pattern.length && pattern.at[at] == text.at[here]) {
      at++;
      here++;
    } else if (star < pattern.length) {
      at = star + 1;
      here = ++from;
    } else {
      return false;
    }
  }
  while (at < pattern.length && pattern.at[at] == '*')
    at++;
  return at == pattern.length;
}
