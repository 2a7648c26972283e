/* Records are text with a decimal point, whatever the locale of the program says. */
#include "nws/wire/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DECIMALS 5u
#define MOST_NUMBER 112u /* bytes of a number that is read */
#define MOST_POINT 16u   /* bytes of a locale's decimal point */
#define LEAST_RECORD 3u  /* bytes of the shortest that can be read, "0 0" */

bool gb_record_write(gb_measurement measurement, char out[GB_NWS_RECORD_BYTES]) {
  static const int time_width = 11, value_width = 20;
  char time[64], value[64];
  if (!(fabs(measurement.time) < 1e12 && fabs(measurement.value) < 1e15))
    return false;
  int time_length = snprintf(time, sizeof time, "%11.0f", measurement.time);
  int length = snprintf(value, sizeof value, "%.*f", (int)DECIMALS, measurement.value);
  /* a locale's decimal point may be any bytes: what is known is what stands before and behind it */
  int whole = (int)strspn(value, "-0123456789");
  int blanks = value_width - whole - 1 - (int)DECIMALS;
  if (time_length > time_width || blanks < 0)
    return false;
  memset(out, ' ', GB_NWS_RECORD_BYTES);
  memcpy(out, time, (size_t)time_width);
  char *at = out + time_width + 1 + blanks;
  memcpy(at, value, (size_t)whole);
  at[whole] = '.';
  memcpy(at + whole + 1, value + length - DECIMALS, DECIMALS);
  return true;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\0' || (c >= '\t' && c <= '\r');
}

static gb_view take_word(gb_view *in) {
  while (in->length > 0 && is_blank(*in->at)) {
    in->at++;
    in->length--;
  }
  gb_view word = {in->at, 0};
  while (word.length < in->length && !is_blank(word.at[word.length]))
    word.length++;
  *in = (gb_view){word.at + word.length, in->length - word.length};
  return word;
}

/* The whole word as a number like -12.5e3. strtod wants the locale's decimal point, which stands between the
 * digits of a half. */
static bool read_number(gb_view word, double *number) {
  char text[MOST_NUMBER + MOST_POINT + 1], half[sizeof "0.5" + MOST_POINT], *end;
  if (word.length == 0 || word.length > MOST_NUMBER)
    return false;
  memcpy(text, word.at, word.length);
  text[word.length] = '\0';
  if (strspn(text, "+-.0123456789eE") < word.length)
    return false;
  char *point = strchr(text, '.');
  if (point != NULL) {
    size_t length = (size_t)snprintf(half, sizeof half, "%.1f", 0.5) - 2;
    if (length > MOST_POINT)
      return false;
    memmove(point + length, point + 1, strlen(point + 1) + 1);
    memcpy(point, half + 1, length);
  }
  *number = strtod(text, &end);
  return *end == '\0' && isfinite(*number);
}

typedef struct placed_record {
  gb_measurement measurement;
  uint32_t place;
} placed_record;

/* Those of one time stay in the order in which they came. */
static int newest_first(const void *a, const void *b) {
  const placed_record *x = a, *y = b;
  int older = (x->measurement.time < y->measurement.time) - (x->measurement.time > y->measurement.time);
  return older != 0 ? older : (x->place > y->place) - (x->place < y->place);
}

gb_measurement *gb_records_read(const gb_nws_state *state, uint32_t *count) {
  size_t size = state->record_size, most = size < LEAST_RECORD ? 0 : state->record_count;
  gb_measurement *out = malloc((most + 1) * sizeof *out);
  placed_record *list = malloc((most + 1) * sizeof *list);
  *count = 0;
  for (uint32_t i = 0; list != NULL && i < most; i++) {
    gb_view record = {state->records.at + i * size, size};
    gb_measurement m;
    if (read_number(take_word(&record), &m.time) && read_number(take_word(&record), &m.value))
      list[(*count)++] = (placed_record){m, i};
  }
  if (list != NULL)
    qsort(list, *count, sizeof *list, newest_first);
  for (uint32_t i = 0; out != NULL && i < *count; i++)
    out[i] = list[i].measurement;
  if (list == NULL) {
    free(out);
    out = NULL;
  }
  free(list);
  return out;
}
