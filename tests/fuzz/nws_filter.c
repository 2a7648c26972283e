/* A line with a filter, then an object: small ones are found like the naive way finds them. */
#include "fuzz.h"

#include "nws/wire/object.h"
#include "tests/nws/wire/naive_filter.h"

#define SMALL 200u
#define FEW_STARS 4u

static bool is_small(const uint8_t *data, size_t size) {
  unsigned stars = 0;
  for (size_t i = 0; i < size; i++)
    stars += data[i] == '*';
  return size <= SMALL && stars <= FEW_STARS && memchr(data, '\0', size) == NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *line = size > 0 ? memchr(data, '\n', size) : NULL;
  if (line == NULL)
    return 0;
  gb_view filter = {(const char *)data, (size_t)(line - data)};
  gb_view object = {(const char *)line + 1, size - filter.length - 1};
  bool found = gb_filter_matches(filter, object);
  if (!is_small(data, size))
    return 0;
  char naive[2][SMALL + 1] = {"", ""};
  const char *at = naive[0];
  memcpy(naive[0], filter.at, filter.length);
  memcpy(naive[1], object.at, object.length);
  must(naive_filter(&at, naive[1]) == found);
  return 0;
}
