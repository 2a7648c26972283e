/* Filters of a name server's search, as NWS 2.0.5 reads them. 2.0.5 recurses into operands; here a small
 * array holds the open operators, so that the stack is bounded. Where 2.0.5 would hang or read past the end,
 * the term is false and the filter ends. */
#include "nws/wire/object.h"
#include "nws/wire/wildcard.h"

#define MOST_TOKEN 127u /* bytes of a name or a value */
#define MOST_OPEN 1000u

typedef struct term {
  char relation;
  gb_view name, value;
} term;

static char front(gb_view text) {
  if (text.length == 0)
    return '\0';
  return *text.at;
}

static void drop(gb_view *text, size_t count) {
  text->at += count;
  text->length -= count;
}

static void skip_blanks(gb_view *text) {
  while (text->length > 0 && *text->at == ' ')
    drop(text, 1);
}

static bool one_of(char c, const char *set) {
  return c != '\0' && strchr(set, c) != NULL;
}

/* Takes the bytes up to one of `ends`, which may also be in front; false when there are none. */
static bool take_token(gb_view *in, const char *ends, gb_view *token) {
  while (in->length > 0 && one_of(*in->at, ends))
    drop(in, 1);
  *token = (gb_view){in->at, 0};
  while (token->length < MOST_TOKEN && token->length < in->length && !one_of(in->at[token->length], ends))
    token->length++;
  drop(in, token->length);
  return token->length > 0;
}

static bool take_term(gb_view *in, term *t) {
  if (!take_token(in, "<=>~", &t->name) || in->length == 0)
    return false;
  t->relation = front(*in);
  if (t->relation != '=')
    drop(in, 1);
  if (front(*in) != '=')
    return false;
  drop(in, 1);
  return take_token(in, ") ", &t->value);
}

/* As strncmp(value, pattern, length of value). */
static int compare(gb_view value, gb_view pattern) {
  size_t both = value.length < pattern.length ? value.length : pattern.length;
  int order = memcmp(value.at, pattern.at, both);
  return order != 0 ? order : value.length > pattern.length;
}

static bool holds_for(const term *t, gb_view value) {
  switch (t->relation) {
  case '<':
    return compare(value, t->value) <= 0;
  case '>':
    return compare(value, t->value) >= 0;
  case '=':
  case '~':
    return gb_wildcard_matches(t->value, value);
  default: /* 2.0.5 takes any byte before the = for an operator that never holds */
    return false;
  }
}

/* If a value matches up to the first star and not beyond, no value that begins later in the same attribute
 * matches. */
static bool fits_to_star(const term *t, gb_view value) {
  const char *star = memchr(t->value.at, '*', t->value.length);
  size_t head = star != NULL ? (size_t)(star - t->value.at) : 0;
  return star != NULL && head <= value.length && memcmp(t->value.at, value.at, head) == 0;
}

/* `name:` ends with a colon, so each colon may be the end of one. */
static bool holds(const term *t, gb_view object) {
  const char *at = object.at, *end = object.at + object.length, *value_end = at;
  while (at < end && (at = memchr(at, ':', (size_t)(end - at))) != NULL) {
    const char *colon = at++;
    if ((size_t)(colon - object.at) < t->name.length ||
        memcmp(colon - t->name.length, t->name.at, t->name.length) != 0)
      continue;
    if (value_end < at) {
      const char *tab = at < end ? memchr(at, '\t', (size_t)(end - at)) : NULL;
      value_end = tab != NULL ? tab : end;
    }
    gb_view value = {at, (size_t)(value_end - at)};
    if (holds_for(t, value))
      return true;
    if ((t->relation == '=' || t->relation == '~') && fits_to_star(t, value))
      at = value_end;
  }
  return false;
}

static bool match_term(gb_view *in, gb_view object) {
  term t;
  bool read = take_term(in, &t);
  if (read)
    skip_blanks(in);
  return read && object.length > 0 && holds(&t, object);
}

enum {
  GROUP = '(',
  NOT = '!',
  ALL = '&',
  ANY = '|',
  REFUTED,
  PROVEN
}; /* the last two: ALL and ANY that are decided */

static bool list_ends(gb_view in) {
  return in.length == 0 || *in.at == ')';
}

/* Applies the enclosing operators to the value of an operand, as far as they are complete. False: a list
 * expects its next operand. */
static bool apply_operators(gb_view *in, unsigned char *open, size_t *depth, bool *value) {
  for (; *depth > 0; skip_blanks(in), --*depth) {
    unsigned char *around = &open[*depth - 1];
    if (*around == GROUP) {
      if (front(*in) == ')')
        drop(in, 1);
    } else if (*around == NOT) {
      *value = !*value;
    } else {
      if (*around == ALL && !*value)
        *around = REFUTED;
      else if (*around == ANY && *value)
        *around = PROVEN;
      if (!list_ends(*in))
        return false;
      *value = *around == ALL || *around == PROVEN;
    }
  }
  return true;
}

bool gb_filter_matches(gb_view filter, gb_view object) {
  unsigned char open[MOST_OPEN];
  size_t depth = 0;
  if (filter.length == 0)
    return false;
  for (;;) {
    bool value;
    skip_blanks(&filter);
    char c = front(filter);
    if (one_of(c, "(!&|")) {
      if (depth == MOST_OPEN)
        return false;
      open[depth++] = (unsigned char)c;
      drop(&filter, 1);
      if (c == '(' || c == '!' || !list_ends(filter))
        continue;
      value = c == '&'; /* an empty list */
    } else {
      value = match_term(&filter, object);
    }
    if (apply_operators(&filter, open, &depth, &value))
      return value;
  }
}
