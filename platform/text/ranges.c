/* Names with ranges: n[0-15].ottawa, n[01-16], n[0,2,4-6], rack[0-3]n[0-7]. The leftmost group varies
 * slowest. */
#include "platform/text/text.h"

#include <string.h>

#define MAX_GROUPS 8
#define MAX_DIGITS 18 /* what surely fits 64 bits */

typedef struct item { /* low-high inside the brackets */
  uint64_t low, high;
  size_t width; /* digits to pad with zeros to */
} item;

typedef struct expansion {
  gb_source *source;
  const gb_lexeme *word;
  gb_name_sink *sink;
  void *context;
  char name[GB_MAX_NAME + 1];
} expansion;

/* Reads digits at *at; false when there are none, or too many. */
static bool read_number(const gb_lexeme *w, size_t *at, uint64_t *value, size_t *width) {
  size_t first = *at;
  *value = 0;
  while (*at < w->length && w->text[*at] >= '0' && w->text[*at] <= '9' && *at - first <= MAX_DIGITS)
    *value = 10 * *value + (uint64_t)(w->text[(*at)++] - '0');
  *width = *at - first;
  return *width > 0 && *width <= MAX_DIGITS;
}

/* Reads one item and the , or ] behind it; *more tells which it was. */
static int read_item(gb_source *s, const gb_lexeme *w, size_t *at, item *it, bool *more) {
  size_t first = *at;
  size_t high_width = 0;
  bool good = read_number(w, at, &it->low, &it->width);
  it->high = it->low;
  bool padded = good && it->width > 1 && w->text[first] == '0';
  if (good && *at < w->length && w->text[*at] == '-') {
    ++*at;
    bool zero = *at < w->length && w->text[*at] == '0';
    good = read_number(w, at, &it->high, &high_width);
    /* 1-016 could mean two things; 08-100 cannot */
    if (good && (it->low > it->high || (zero && high_width > 1 && high_width != it->width))) {
      gb_lexeme found = gb_lexeme_part(w, first, *at - first);
      return gb_expected(s, &found,
                         "a range from the smaller to the larger number, both as wide, such as 01-16");
    }
  }
  if (!good || *at == w->length || (w->text[*at] != ',' && w->text[*at] != ']')) {
    gb_lexeme found = *at < w->length ? gb_lexeme_part(w, *at, w->length - *at) : *w;
    return gb_expected(s, &found, "a number or a range such as 0-15, of at most %d digits, then , or ]",
                       MAX_DIGITS);
  }
  if (!padded)
    it->width = 1;
  *more = w->text[(*at)++] == ',';
  return GBCAST_OK;
}

/* Where the next group opens, or the end of the word; a ] before it is an error that the checking pass finds.
 */
static size_t next_group(const gb_lexeme *w, size_t at) {
  const char *open = at < w->length ? memchr(w->text + at, '[', w->length - at) : NULL;
  return open == NULL ? w->length : (size_t)(open - w->text);
}

int gb_range_count(gb_source *s, const gb_lexeme *w, uint32_t *count) {
  uint64_t total = 1;
  size_t groups = 0;
  size_t at = 0;
  for (;;) {
    size_t open = next_group(w, at);
    const char *stray = open > at ? memchr(w->text + at, ']', open - at) : NULL;
    if (stray != NULL) {
      gb_lexeme found = gb_lexeme_part(w, (size_t)(stray - w->text), w->length - (size_t)(stray - w->text));
      return gb_expected(s, &found, "a [ before the ]");
    }
    if (open == w->length)
      break;
    if (++groups > MAX_GROUPS)
      return gb_expected(s, w, "at most %d ranges in a name", MAX_GROUPS);
    uint64_t values = 0;
    at = open + 1;
    for (bool more = true; more;) {
      item it;
      int status = read_item(s, w, &at, &it, &more);
      if (status != GBCAST_OK)
        return status;
      values += it.high - it.low < GB_MAX_HOSTS ? it.high - it.low + 1 : GB_MAX_HOSTS + 1;
      if (values * total > GB_MAX_HOSTS)
        return gb_expected(s, w, "at most %u names", GB_MAX_HOSTS);
    }
    total *= values;
  }
  *count = (uint32_t)total;
  return GBCAST_OK;
}

/* Appends a number padded to `width`; returns the new length, or more than GB_MAX_NAME when it does not fit.
 */
static size_t append_number(char *name, size_t length, uint64_t value, size_t width) {
  char digits[20];
  size_t n = 0;
  do {
    digits[n++] = (char)('0' + value % 10);
    value /= 10;
  } while (value > 0);
  while (n < width)
    digits[n++] = '0';
  if (length + n > GB_MAX_NAME)
    return GB_MAX_NAME + 1;
  while (n > 0)
    name[length++] = digits[--n];
  return length;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as there are groups, MAX_GROUPS at most */
static int expand(expansion *x, size_t at, size_t length) {
  const gb_lexeme *w = x->word;
  size_t open = next_group(w, at);
  if (length + (open - at) > GB_MAX_NAME)
    return gb_expected(x->source, w, "a name of at most %u bytes", GB_MAX_NAME);
  memcpy(x->name + length, w->text + at, open - at);
  length += open - at;
  if (open == w->length) {
    x->name[length] = '\0';
    return x->sink(x->context, x->name, length);
  }
  const char *close = memchr(w->text + open, ']', w->length - open);
  if (close == NULL) /* the checking pass has seen to it */
    return GBCAST_EINPUT;
  size_t behind = (size_t)(close - w->text) + 1;
  size_t in = open + 1;
  for (bool more = true; more;) {
    item it;
    int status = read_item(x->source, w, &in, &it, &more);
    for (uint64_t v = it.low; status == GBCAST_OK && v <= it.high; v++) {
      size_t longer = append_number(x->name, length, v, it.width);
      status = longer > GB_MAX_NAME ? gb_expected(x->source, w, "a name of at most %u bytes", GB_MAX_NAME)
                                    : expand(x, behind, longer);
    }
    if (status != GBCAST_OK)
      return status;
  }
  return GBCAST_OK;
}

int gb_range_expand(gb_source *s, const gb_lexeme *w, gb_name_sink *sink, void *context) {
  expansion x = {.source = s, .word = w, .sink = sink, .context = context};
  return expand(&x, 0, 0);
}

int gb_slurm_list(gb_source *s, const gb_lexeme *list, gb_name_sink *sink, void *context) {
  size_t depth = 0;
  size_t first = 0;
  for (size_t i = 0; i <= list->length; i++) {
    char c = ',';
    if (i < list->length)
      c = list->text[i];
    depth = c == '[' ? 1 : depth;
    depth = c == ']' ? 0 : depth;
    if (i < list->length && (c != ',' || depth > 0))
      continue;
    gb_lexeme name = gb_lexeme_part(list, first, i - first);
    uint32_t count = 0;
    if (name.length == 0)
      return gb_expected(s, list, "names with one comma between them");
    int status = gb_range_count(s, &name, &count);
    if (status == GBCAST_OK)
      status = gb_range_expand(s, &name, sink, context);
    if (status != GBCAST_OK)
      return status;
    first = i + 1;
  }
  return GBCAST_OK;
}
