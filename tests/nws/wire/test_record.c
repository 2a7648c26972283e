/* Measurements as the text that memories keep. */
#include "nws/wire/message.h"

#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

Test(nws_record, written_as_printf_does) {
  uint64_t seed = 11;
  for (unsigned i = 0; i < 20000; i++) {
    double scale = pow(10, (int)xorshift(&seed, 34) - 12);
    gb_measurement m = {xorshift(&seed, UINT32_MAX) * (i % 9 == 0 ? 1e-3 : 1),
                        (xorshift(&seed, UINT32_MAX) / 4294967296.0 - 0.5) * scale};
    char expected[64], out[GB_NWS_RECORD_BYTES];
    int length = snprintf(expected, sizeof expected, "%11.0f %20.5f", m.time, m.value);
    bool fits = gb_record_write(m, out);
    cr_assert_eq(fits, length == GB_NWS_RECORD_BYTES, "'%s'", expected);
    if (fits)
      cr_assert_eq(memcmp(out, expected, sizeof out), 0, "'%s' became '%.32s'", expected, out);
  }
}

Test(nws_record, what_does_not_fit_is_refused) {
  static const struct {
    double time, value;
    bool fits;
  } row[] = {{0, 0, true},
             {99999999999.0, 99999999999999.0, true},
             {99999999999.5, 0, false}, /* rounds to a digit more */
             {99999999999.4, 0, true},
             {1e11, 0, false},
             {-9999999999.0, -9999999999999.0, true},
             {-1e10, 0, false},
             {0, 1e14, false},
             {0, 99999999999999.996, false},
             {0, -1e13, false},
             {0, INFINITY, false},
             {0, NAN, false},
             {NAN, 0, false},
             {-INFINITY, 0, false},
             {DBL_MAX, 0, false},
             {0, -DBL_MAX, false},
             {0, DBL_MIN, true}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    char out[GB_NWS_RECORD_BYTES], before[GB_NWS_RECORD_BYTES];
    memset(out, 'x', sizeof out);
    memset(before, 'x', sizeof before);
    cr_expect_eq(gb_record_write((gb_measurement){row[i].time, row[i].value}, out), row[i].fits, "row %zu",
                 i);
    cr_expect_eq(memcmp(out, before, sizeof out) == 0, !row[i].fits, "row %zu", i);
  }
}

/* Reads `text` as one record; how many that gives. */
static uint32_t read_one(const char *text, gb_measurement *m) {
  gb_nws_state state = {
      .record_size = (uint32_t)strlen(text), .record_count = 1, .records = gb_view_of(text)};
  uint32_t count;
  gb_measurement *list = gb_records_read(&state, &count);
  cr_assert_not_null(list);
  if (count > 0)
    *m = list[0];
  free(list);
  return count;
}

Test(nws_record, readable) {
  static const struct {
    const char *text;
    double time, value;
  } row[] = {{" 1795228205             12.75000", 1795228205, 12.75},
             {"1 2", 1, 2},
             {"\t1.5\r\n-2.5e3\n", 1.5, -2500},
             {"+1. .5 and more", 1, 0.5},
             {"1 -0.00000", 1, 0},
             {"1e9 1E-2", 1e9, 0.01},
             {"1 0.1", 1, 0.1},
             {"1 00000000000000000000000000000000000000000000000.3", 1, 0.3},
             {"1 99999999999999.99999", 1, 99999999999999.99999},
             {"1 123456789.123456789123456789", 1, 123456789.123456789123456789}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    gb_measurement m;
    cr_assert_eq(read_one(row[i].text, &m), 1, "%s", row[i].text);
    cr_expect(m.time == row[i].time && m.value == row[i].value, "%s: %g %g", row[i].text, m.time, m.value);
  }
}

Test(nws_record, unreadable) {
  static const char *const texts[] = {"",      " ",      "1",       "1 ",      "x 1",   "1 x",
                                      "1 2x",  "1,5 2",  "1 2,5",   "1 1e999", "1 inf", "1 nan",
                                      "nan 1", "1 0x10", "1 --2",   "1 1.2.3", "1 .",   "1 e5",
                                      "1 1e",  "1 +",    "1 1e5.5", "1;2",     "1 2-3"};
  gb_measurement m;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    cr_expect_eq(read_one(texts[i], &m), 0, "'%s'", texts[i]);
  char lengthy[400];
  memset(lengthy, '1', sizeof lengthy);
  lengthy[1] = ' ';
  lengthy[sizeof lengthy - 1] = '\0';
  cr_expect_eq(read_one(lengthy, &m), 0);
}

/* What a memory may send: any width, any order, records of one second, some damaged. */
static uint32_t random_records(uint64_t *seed, uint32_t width, uint32_t count, char *text, bool *good) {
  uint32_t readable = 0;
  for (uint32_t i = 0; i < count; i++) {
    char record[128];
    int length = snprintf(record, sizeof record, "%u %u", xorshift(seed, count / 2 + 1), i);
    good[i] = xorshift(seed, 8) != 0;
    readable += good[i];
    if (!good[i])
      record[xorshift(seed, (uint32_t)length)] = '?';
    memset(text + (size_t)i * width, xorshift(seed, 2) ? ' ' : '\0', width);
    memcpy(text + (size_t)i * width + xorshift(seed, width - (uint32_t)length + 1), record, (size_t)length);
  }
  return readable;
}

Test(nws_record, any_order_and_width) {
  enum { MOST = 300, WIDEST = 64 };
  static char text[MOST * WIDEST];
  bool good[MOST];
  uint64_t seed = 3;
  for (unsigned round = 0; round < 3000; round++) {
    uint32_t count = xorshift(&seed, round % 10 == 0 ? MOST : 12), width = 10 + xorshift(&seed, WIDEST - 10);
    uint32_t readable = random_records(&seed, width, count, text, good);
    gb_nws_state state = {
        .record_size = width, .record_count = count, .records = {text, (size_t)count * width}};
    uint32_t read;
    gb_measurement *out = gb_records_read(&state, &read);
    cr_assert(out != NULL && read == readable);
    for (uint32_t i = 0; i < readable; i++) {
      cr_assert(good[(uint32_t)out[i].value], "a damaged record was read");
      if (i > 0) /* values tell the order in which they came, and that none is there twice */
        cr_assert(out[i].time < out[i - 1].time ||
                  (out[i].time == out[i - 1].time && out[i].value > out[i - 1].value));
    }
    free(out);
  }
}

/* A hostile order costs no more than another. */
Test(nws_record, many_in_a_bad_order) {
  enum { COUNT = 200000, WIDTH = 8 };
  char *text = malloc(COUNT * WIDTH + 1);
  uint32_t read;
  cr_assert_not_null(text);
  for (unsigned i = 0; i < COUNT; i++) /* runs that rise and runs that fall, one inside the other */
    (void)snprintf(text + (size_t)i * WIDTH, WIDTH + 1, "%6u 0", i % 2 ? i : COUNT - i);
  gb_nws_state state = {.record_size = WIDTH, .record_count = COUNT, .records = {text, COUNT * WIDTH}};
  gb_measurement *out = gb_records_read(&state, &read);
  cr_assert(out != NULL && read == COUNT);
  for (unsigned i = 1; i < COUNT; i++)
    cr_assert_geq(out[i - 1].time, out[i].time);
  free(text);
  free(out);
}
