#include "platform/text/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct unit {
  const char *name;
  int exponent;   /* of ten */
  double divisor; /* a power of two, so that dividing is exact */
} unit;

static const unit time_unit[] = {{"ns", -9, 1}, {"us", -6, 1}, {"ms", -3, 1}, {"s", 0, 1}};

static const unit rate_unit[] = {
    {"bit/s", 0, 8},
    {"kbit/s", 3, 8},
    {"Mbit/s", 6, 8},
    {"Gbit/s", 9, 8},
    {"Tbit/s", 12, 8},
    {"Kibit/s", 0, 8.0 / 1024},
    {"Mibit/s", 0, 8.0 / (1024 * 1024)},
    {"Gibit/s", 0, 8.0 / (1024 * 1024 * 1024)},
    {"B/s", 0, 1},
    {"kB/s", 3, 1},
    {"MB/s", 6, 1},
    {"GB/s", 9, 1},
    {"TB/s", 12, 1},
    {"KiB/s", 0, 1.0 / 1024},
    {"MiB/s", 0, 1.0 / (1024 * 1024)},
    {"GiB/s", 0, 1.0 / (1024 * 1024 * 1024)},
};

#define SECONDS_AN_HOUR 3600.0

static const unit egress_unit[] = {
    {"USD/GB", -9, 1},
    {"USD/TB", -12, 1},
    {"USD/GiB", 0, 1024.0 * 1024 * 1024},
    {"USD/TiB", 0, 1024.0 * 1024 * 1024 * 1024},
};

static const unit hire_unit[] = {{"USD/h", 0, SECONDS_AN_HOUR}};

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Length of the digits with at most one point among them, 0 when there is no digit. */
static size_t mantissa_length(const char *text, size_t length) {
  size_t i = 0;
  size_t points = 0;
  while (i < length && (is_digit(text[i]) || (text[i] == '.' && points == 0)))
    points += text[i++] == '.';
  return i > points ? i : 0;
}

/* Reads e-12 and the like; returns its length, 0 when there is none. */
static size_t exponent_length(const char *text, size_t length, int *exponent) {
  if (length < 2 || (text[0] != 'e' && text[0] != 'E'))
    return 0;
  size_t i = 1;
  bool negative = text[i] == '-';
  if (text[i] == '-' || text[i] == '+')
    i++;
  size_t first = i;
  int value = 0;
  for (; i < length && is_digit(text[i]); i++)
    value = value > 99999 ? value : 10 * value + (text[i] - '0');
  *exponent = negative ? -value : value;
  return i > first ? i : 0;
}

/* The unit becomes part of the exponent, so that 1.6ms is the double nearest to 0.0016, not a rounded
 * product. */
static bool read_scaled(const char *text, size_t length, const unit *units, size_t unit_count,
                        const char *expected, double *value, const char **why) {
  char digits[128];
  int exponent = 0;
  size_t n = mantissa_length(text, length);
  *why = expected;
  if (n == 0)
    return false;
  size_t tail = n + exponent_length(text + n, length - n, &exponent);
  const unit *u = NULL;
  for (size_t i = 0; i < unit_count && u == NULL; i++)
    if (strlen(units[i].name) == length - tail && memcmp(units[i].name, text + tail, length - tail) == 0)
      u = &units[i];
  if (u == NULL)
    return false;
  if (n + 16 > sizeof digits) {
    *why = "a shorter number";
    return false;
  }
  memcpy(digits, text, n);
  (void)snprintf(digits + n, sizeof digits - n, "e%d", exponent + u->exponent);
  *value = strtod(digits, NULL) / u->divisor;
  if (*value == 0 && strspn(digits, "0.") < n) /* underflow is not the zero that was meant */
    *value = 5e-324;
  return true;
}

bool gb_read_time(const char *text, size_t length, double *seconds, const char **why) {
  if (!read_scaled(text, length, time_unit, sizeof time_unit / sizeof *time_unit,
                   "a time with its unit (ns us ms s), such as 50us", seconds, why))
    return false;
  *why = "a time from 1e-15s to 1e9s";
  return *seconds == 0 || (*seconds >= GB_LEAST_TIME && *seconds <= GB_MOST_TIME);
}

bool gb_read_rate(const char *text, size_t length, double *bytes_a_second, const char **why) {
  if (!read_scaled(text, length, rate_unit, sizeof rate_unit / sizeof *rate_unit,
                   "a rate with its unit (bit/s or B/s, with k M G T Ki Mi Gi), such as 100Mbit/s",
                   bytes_a_second, why))
    return false;
  *why = *bytes_a_second == 0 ? "a rate above 0" : "a rate from 1e-3B/s to 1e18B/s";
  return *bytes_a_second >= GB_LEAST_RATE && *bytes_a_second <= GB_MOST_RATE;
}

bool gb_read_fraction(const char *text, size_t length, double *part, const char **why) {
  static const unit plain = {"", 0, 1};
  const bool good = read_scaled(text, length, &plain, 1, "", part, why);
  *why = "a number from 0 to 100 without a unit, such as 0.3";
  return good && *part <= 100;
}

bool gb_read_egress(const char *text, size_t length, double *usd_a_byte, const char **why) {
  if (!read_scaled(text, length, egress_unit, sizeof egress_unit / sizeof *egress_unit,
                   "a price with its unit (USD/GB USD/TB USD/GiB USD/TiB), such as 0.09USD/GB", usd_a_byte,
                   why))
    return false;
  *why = "a price up to 1000USD/GB";
  return *usd_a_byte <= GB_MOST_EGRESS;
}

bool gb_read_hire(const char *text, size_t length, double *usd_a_second, const char **why) {
  if (!read_scaled(text, length, hire_unit, 1, "a price with the unit USD/h, such as 0.54USD/h", usd_a_second,
                   why))
    return false;
  *why = "a price up to 1080000USD/h";
  return *usd_a_second <= GB_MOST_HIRE;
}

/* Digits only; false when there are none or the number does not fit below `most`. */
static bool read_whole(const char *text, size_t length, uint64_t most, uint64_t *value) {
  uint64_t v = 0;
  for (size_t i = 0; i < length; i++) {
    if (!is_digit(text[i]))
      return false;
    uint64_t digit = (uint64_t)(text[i] - '0');
    if (v > (most - digit) / 10)
      return false;
    v = 10 * v + digit;
  }
  *value = v;
  return length > 0;
}

/* As in GNU's coreutils: k and KiB are 1024, kB is 1000. */
bool gb_read_size(const char *text, size_t length, uint64_t *bytes, const char **why) {
  static const struct {
    const char *name;
    uint64_t bytes;
  } suffix[] = {{"", 1},
                {"B", 1},
                {"k", UINT64_C(1) << 10},
                {"K", UINT64_C(1) << 10},
                {"M", UINT64_C(1) << 20},
                {"G", UINT64_C(1) << 30},
                {"KiB", UINT64_C(1) << 10},
                {"MiB", UINT64_C(1) << 20},
                {"GiB", UINT64_C(1) << 30},
                {"kB", 1000},
                {"KB", 1000},
                {"MB", 1000000},
                {"GB", 1000000000}};
  *why = "a whole number of bytes above 0, such as 4096, 64k or 64KiB (of 1024), or 64kB (of 1000)";
  size_t digits = 0;
  while (digits < length && is_digit(text[digits]))
    digits++;
  for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++)
    if (strlen(suffix[i].name) == length - digits &&
        memcmp(suffix[i].name, text + digits, length - digits) == 0) {
      if (!read_whole(text, digits, (uint64_t)INT64_MAX / suffix[i].bytes, bytes) || *bytes == 0)
        return false;
      *bytes *= suffix[i].bytes;
      return true;
    }
  return false;
}

bool gb_read_count(const char *text, size_t length, uint32_t *count, const char **why) {
  uint64_t value = 0;
  *why = "a whole number from 1 to 2147483647";
  if (!read_whole(text, length, INT32_MAX, &value) || value == 0)
    return false;
  *count = (uint32_t)value;
  return true;
}

/* nan, inf and infinity, in any case, as C's printf writes them. */
static bool is_no_number(const char *text, size_t length) {
  static const char *const name[] = {"nan", "inf", "infinity"};
  for (size_t i = 0; i < sizeof name / sizeof *name; i++)
    if (strlen(name[i]) == length && strncasecmp(name[i], text, length) == 0)
      return true;
  return false;
}

bool gb_read_number(const char *text, size_t length, int exponent, double *value, const char **why) {
  const unit plain = {"", exponent, 1};
  size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
  double size = NAN;
  if (!is_no_number(text + sign, length - sign) &&
      !read_scaled(text + sign, length - sign, &plain, 1, "a number without a unit", &size, why))
    return false;
  *value = sign > 0 && text[0] == '-' ? -size : size;
  return true;
}

bool gb_read_objective(const char *text, double *seconds) {
  const char *why = NULL;
  const size_t length = strlen(text);
  if (strcmp(text, "time") == 0 || strcmp(text, "cost") == 0) {
    *seconds = *text == 't' ? 0 : INFINITY;
    return true;
  }
  return (gb_read_number(text, length, 0, seconds, &why) || gb_read_time(text, length, seconds, &why)) &&
         *seconds > 0 && *seconds <= GB_MOST_TIME;
}

typedef bool reader(const char *text, size_t length, double *value, const char **why);

/* The fewest digits in this unit that read back as the same double, or false. */
static bool write_in(char text[GB_UNIT_TEXT], double value, double in_unit, const char *name, reader *read) {
  for (int digits = 1; digits <= 17; digits++) {
    const char *why = NULL;
    double back = 0;
    int n = snprintf(text, GB_UNIT_TEXT, "%.*g%s", digits, in_unit, name);
    if (n > 0 && memchr(text, 'e', (size_t)n) == NULL && read(text, (size_t)n, &back, &why) && back == value)
      return true;
  }
  return false;
}

void gb_write_time(char text[GB_UNIT_TEXT], double seconds) {
  static const double scale[] = {1e9, 1e6, 1e3, 1};
  size_t i = seconds == 0 || seconds >= 1e-6;
  if (seconds >= 1e-3)
    i = seconds >= 1 ? 3 : 2;
  if (!write_in(text, seconds, seconds * scale[i], time_unit[i].name, gb_read_time))
    (void)snprintf(text, GB_UNIT_TEXT, "%.17gs", seconds);
}

void gb_write_rate(char text[GB_UNIT_TEXT], double bytes_a_second) {
  static const double scale[] = {1, 1e3, 1e6, 1e9, 1e12};
  double bits = 8 * bytes_a_second;
  size_t i = 0;
  while (i < 4 && bits >= scale[i + 1])
    i++;
  if (!write_in(text, bytes_a_second, bits / scale[i], rate_unit[i].name, gb_read_rate))
    (void)snprintf(text, GB_UNIT_TEXT, "%.17gB/s", bytes_a_second);
}

void gb_write_fraction(char text[GB_UNIT_TEXT], double part) {
  if (!write_in(text, part, part, "", gb_read_fraction))
    (void)snprintf(text, GB_UNIT_TEXT, "%.17g", part);
}

void gb_write_egress(char text[GB_UNIT_TEXT], double usd_a_byte) {
  if (!write_in(text, usd_a_byte, usd_a_byte * 1e9, egress_unit[0].name, gb_read_egress))
    (void)snprintf(text, GB_UNIT_TEXT, "%.17g%s", usd_a_byte * 1e9, egress_unit[0].name);
}

void gb_write_hire(char text[GB_UNIT_TEXT], double usd_a_second) {
  const double an_hour = usd_a_second * SECONDS_AN_HOUR;
  if (!write_in(text, usd_a_second, an_hour, hire_unit[0].name, gb_read_hire))
    (void)snprintf(text, GB_UNIT_TEXT, "%.17g%s", an_hour, hire_unit[0].name);
}

void gb_write_size(char text[GB_UNIT_TEXT], uint64_t bytes) {
  static const char *const suffix[] = {"", "k", "M", "G"};
  size_t i = 0;
  while (i < 3 && bytes % 1024 == 0) {
    bytes /= 1024;
    i++;
  }
  (void)snprintf(text, GB_UNIT_TEXT, "%llu%s", (unsigned long long)bytes, suffix[i]);
}
