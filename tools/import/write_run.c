/* Writes hosts whose names differ only in a number as one line: n[0-7].ottawa. */
#include "tools/import/parts.h"

enum { MOST_DIGITS = 15 }; /* of a number in a range */

typedef struct gb_import_numbered { /* the number in a name */
  size_t at, digits;                /* where it begins, and how many digits it has */
  uint64_t value;
} gb_import_numbered;

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Finds the last number in the name before the first dot. False: there is none, or the name is an address. */
static bool find_number(const char *name, gb_import_numbered *n) {
  size_t end = gb_short_length(name);
  if (end == strlen(name) && strchr(name, '.') != NULL)
    return false;
  while (end > 0 && !is_digit(name[end - 1]))
    end--;
  *n = (gb_import_numbered){.at = end};
  while (n->at > 0 && is_digit(name[n->at - 1]))
    n->at--;
  n->digits = end - n->at;
  for (size_t i = n->at; i < end && n->digits <= MOST_DIGITS; i++)
    n->value = 10 * n->value + (uint64_t)(name[i] - '0');
  return n->digits > 0 && n->digits <= MOST_DIGITS;
}

/* Whether `next` is the name with its number increased by `step`, with leading zeros as in a range. */
static bool follows(const char *name, const gb_import_numbered *n, uint64_t step, const char *next) {
  char digits[32];
  const bool padded = n->digits > 1 && name[n->at] == '0';
  const unsigned long long number = n->value + step;
  const size_t length =
      (size_t)snprintf(digits, sizeof digits, "%0*llu", padded ? (int)n->digits : 1, number);
  return strncmp(name, next, n->at) == 0 && strncmp(digits, next + n->at, length) == 0 &&
         strcmp(name + n->at + n->digits, next + n->at + length) == 0;
}

uint32_t gb_import_write_run(const gb_import *m, const uint32_t *hosts, uint32_t count, FILE *out) {
  const gb_import_host *first = &m->host[hosts[0]];
  gb_import_numbered n;
  uint32_t length = 1;
  if (find_number(first->name, &n))
    while (length < count && m->host[hosts[length]].slots == first->slots &&
           follows(first->name, &n, length, m->host[hosts[length]].name))
      length++;
  if (length == 1) {
    (void)fputs(first->name, out);
  } else {
    const char *last = m->host[hosts[length - 1]].name;
    const size_t digits = n.digits + strlen(last) - strlen(first->name);
    (void)fprintf(out, "%.*s[%.*s-%.*s]%s", (int)n.at, first->name, (int)n.digits, first->name + n.at,
                  (int)digits, last + n.at, first->name + n.at + n.digits);
  }
  if (first->slots != 1 || gb_is_keyword(first->name))
    (void)fprintf(out, ":%u", (unsigned)first->slots);
  (void)fputc('\n', out);
  return length;
}
