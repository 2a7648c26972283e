/* Names are bytes; what prints them has to know where a character begins. */
#include "plan/show/utf8.h"

#include <stdbool.h>

size_t gb_utf8_length(const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  size_t n = s[0] < 0x80                   ? 1
             : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
             : (s[0] & 0xf0) == 0xe0       ? 3
             : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                           : 0;
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80) { /* also stops at the end of the string */
      return 0;
    }
  }
  bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
  bool beyond = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90);
  return overlong || beyond ? 0 : n;
}
