/* XXH64 against sums that its author's program prints. */
#include "plan/core/core.h"
#include <criterion/criterion.h>
#include <string.h>

Test(checksum, is_xxh64) {
  static const struct {
    const char *text;
    uint64_t sum;
  } known[] = {{"", UINT64_C(0xef46db3751d8e999)},
               {"a", UINT64_C(0xd24ec4f1a98c6e5b)},
               {"abc", UINT64_C(0x44bc2cf5ad770999)},
               {"Nobody inspects the spammish repetition", UINT64_C(0xfbcea83c8a378bf1)}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    cr_expect_eq(gb_checksum(known[i].text, strlen(known[i].text)), known[i].sum, "'%s'", known[i].text);
}

Test(checksum, sees_every_bit_at_every_length) {
  unsigned char bytes[100];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(7 * i);
  for (size_t length = 1; length <= sizeof bytes; length++)
    for (size_t bit = 0; bit < 8 * length; bit++) {
      uint64_t before = gb_checksum(bytes, length);
      bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
      cr_expect_neq(gb_checksum(bytes, length), before, "bit %zu of %zu bytes", bit, length);
      bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
}
