/* Who may connect to gbcast-nws serve. */
#include "nws/serve/serve.h"

#include "tests/support/nws/interfaces.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>

Test(serve_access, reads_ranges) {
  static const struct {
    const char *text;
    bool good;
    uint32_t address, mask;
  } cases[] = {{"10.1.0.0/16", true, 0x0A010000, 0xFFFF0000},
               {"0.0.0.0/0", true, 0, 0},
               {"192.0.2.7", true, 0xC0000207, 0xFFFFFFFF},
               {"192.0.2.7/32", true, 0xC0000207, 0xFFFFFFFF},
               {"128.0.0.0/1", true, 0x80000000, 0x80000000},
               {"10.1.0.1/16", false, 0, 0},
               {"10.1.0.0/33", false, 0, 0},
               {"10.1.0.0/", false, 0, 0},
               {"10.1.0.0/016", false, 0, 0},
               {"10.1.0.0/08", false, 0, 0},
               {"10.1.0.0/-1", false, 0, 0},
               {"10.1.0/16", false, 0, 0},
               {"10.1.0.0/16 ", false, 0, 0},
               {" 10.1.0.0/16", false, 0, 0},
               {"", false, 0, 0},
               {"/8", false, 0, 0},
               {"::1/128", false, 0, 0},
               {"ottawa", false, 0, 0},
               {"256.0.0.0/8", false, 0, 0},
               {"0.0.0.0.0.0.0.0.0.0.0.0/0", false, 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    gb_cidr got = {0};
    const char *why = NULL;
    cr_assert_eq(gb_cidr_read(cases[i].text, &got, &why), cases[i].good, "'%s'", cases[i].text);
    if (cases[i].good)
      cr_assert(got.address == cases[i].address && got.mask == cases[i].mask, "'%s'", cases[i].text);
    else
      cr_assert_not_null(why);
  }
}

Test(serve_access, lets_in_who_is_in_a_range) {
  uint64_t seed = 3;
  for (int i = 0; i < 20000; i++) {
    unsigned length = xorshift(&seed, 33);
    uint32_t base = xorshift(&seed, UINT32_MAX), peer = base ^ (1u << xorshift(&seed, 32)), same = 0;
    gb_cidr range = {base, 0};
    for (unsigned bit = 0; bit < length; bit++)
      range.mask |= 0x80000000u >> bit;
    range.address &= range.mask;
    while (same < length && ((peer ^ base) & (0x80000000u >> same)) == 0)
      same++;
    bool here = peer >> 24 == 127;
    cr_assert_eq(gb_may_connect(&range, 1, peer), here || same >= length);
  }
}

Test(serve_access, this_machine_always) {
  cr_assert(gb_may_connect(NULL, 0, 0x7F000001));
  cr_assert(gb_may_connect(NULL, 0, 0x7F00FF02));
  cr_assert_not(gb_may_connect(NULL, 0, 0x0A000001));
  interfaces_add("eth0", 0x0A000001, 0x0AFFFFFF);
  interfaces_add("eth1", 0xC0A80005, 0xC0A800FF);
  cr_assert(gb_may_connect(NULL, 0, 0x0A000001));
  cr_assert(gb_may_connect(NULL, 0, 0xC0A80005));
  cr_assert_not(gb_may_connect(NULL, 0, 0x0A000002));
  cr_assert_not(gb_may_connect(NULL, 0, 0x0AFFFFFF));
}
