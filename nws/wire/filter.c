/* Filters of a name server's search, as NWS 2.0.5 reads them. 2.0.5 recurses into operands; here a small
 * array holds the open operators, so that the stack is bounded. Where 2.0.5 would hang or read past the end,
 * the term is false and the filter ends. */
#include "nws/wire/object.h"

#define MOST_TOKEN 127u /* bytes of a name or a value */
#define SCANNED 64u     /* bytes of an object that memchr passes over in the time of a step */

/* A pattern in which each `*` stands for any run of bytes, also none: its pieces between the stars. Those in
 * the middle are not empty. */
typedef struct wildcard {
  gb_view head, tail, middle[MOST_TOKEN / 2];
  size_t count;
  bool starred; /* else it is all head */
} wildcard;

/* Takes the pattern up to its next star, and the star. False: there is none, so the piece is all of it. */
static bool take_piece(gb_view *pattern, gb_view *piece) {
  const char *star = pattern->length > 0 ? memchr(pattern->at, '*', pattern->length) : NULL;
  *piece = (gb_view){pattern->at, star != NULL ? (size_t)(star - pattern->at) : pattern->length};
  gb_view_drop(pattern, piece->length + (star != NULL));
  return star != NULL;
}

static void read_wildcard(wildcard *w, gb_view pattern) {
  w->count = 0;
  w->starred = take_piece(&pattern, &w->head);
  while (take_piece(&pattern, &w->tail))
    if (w->tail.length > 0)
      w->middle[w->count++] = w->tail;
}

static bool begins_with(gb_view text, gb_view piece) {
  return piece.length <= text.length && memcmp(text.at, piece.at, piece.length) == 0;
}

static bool ends_with(gb_view text, gb_view piece) {
  return piece.length <= text.length &&
         memcmp(text.at + text.length - piece.length, piece.at, piece.length) == 0;
}

/* Drops the text up to the end of the first place where the piece is. False: there is none. */
static bool pass(gb_view *text, gb_view piece, size_t *steps) {
  const char *at;
  while (text->length > 0 && (at = memchr(text->at, *piece.at, text->length)) != NULL) {
    ++*steps;
    gb_view_drop(text, (size_t)(at - text->at));
    bool found = begins_with(*text, piece);
    gb_view_drop(text, found ? piece.length : 1);
    if (found)
      return true;
  }
  return false;
}

/* Each piece in the middle is taken where it comes first: that leaves the most for those behind it, so no
 * choice has to be taken back.
 *
 *      pattern   head*middle*middle*tail
 *      text      head..middle....middletail
 *
 * Adds to *steps how often it compared a piece with a place in the text: once for the head, and at most once
 * for each byte of the text. */
static bool matches(const wildcard *w, gb_view text, size_t *steps) {
  ++*steps;
  if (!begins_with(text, w->head))
    return false;
  gb_view_drop(&text, w->head.length);
  if (!w->starred)
    return text.length == 0;
  if (!ends_with(text, w->tail))
    return false;
  text.length -= w->tail.length;
  for (size_t i = 0; i < w->count; i++)
    if (!pass(&text, w->middle[i], steps))
      return false;
  return true;
}

typedef struct term {
  char relation;
  gb_view name, value;
  wildcard pattern; /* of the value, for = and ~= */
} term;

static char front(gb_view text) {
  return (char)(text.length > 0 ? *text.at : '\0');
}

static void skip_blanks(gb_view *text) {
  while (text->length > 0 && *text->at == ' ')
    gb_view_drop(text, 1);
}

static bool one_of(char c, const char *set) {
  return c != '\0' && strchr(set, c) != NULL;
}

/* Takes the bytes up to one of `ends`, which may also be in front; false when there are none. */
static bool take_token(gb_view *in, const char *ends, gb_view *token) {
  while (in->length > 0 && one_of(*in->at, ends))
    gb_view_drop(in, 1);
  *token = (gb_view){in->at, 0};
  while (token->length < MOST_TOKEN && token->length < in->length && !one_of(in->at[token->length], ends))
    token->length++;
  gb_view_drop(in, token->length);
  return token->length > 0;
}

static bool take_term(gb_view *in, term *t) {
  if (!take_token(in, "<=>~", &t->name) || in->length == 0)
    return false;
  t->relation = front(*in);
  if (t->relation != '=')
    gb_view_drop(in, 1);
  if (front(*in) != '=')
    return false;
  gb_view_drop(in, 1);
  if (!take_token(in, ") ", &t->value))
    return false;
  read_wildcard(&t->pattern, t->value);
  return true;
}

/* As strncmp(value, pattern, length of value). */
static int compare(gb_view value, gb_view pattern) {
  size_t both = value.length < pattern.length ? value.length : pattern.length;
  int order = memcmp(value.at, pattern.at, both);
  return order != 0 ? order : value.length > pattern.length;
}

static bool holds_for(const term *t, gb_view value, size_t *steps) {
  ++*steps;
  switch (t->relation) {
  case '<':
    return compare(value, t->value) <= 0;
  case '>':
    return compare(value, t->value) >= 0;
  case '=':
  case '~':
    return matches(&t->pattern, value, steps);
  default: /* 2.0.5 takes any byte before the = for an operator that never holds */
    return false;
  }
}

/* `name:` ends with a colon, so each colon may be the end of one. */
static bool holds(const term *t, gb_view object, size_t *steps) {
  const char *at = object.at, *end = object.at + object.length, *value_end = at;
  *steps += object.length / SCANNED;
  while (at < end && (at = memchr(at, ':', (size_t)(end - at))) != NULL) {
    const char *colon = at++;
    ++*steps;
    if ((size_t)(colon - object.at) < t->name.length ||
        memcmp(colon - t->name.length, t->name.at, t->name.length) != 0)
      continue;
    if (value_end < at) {
      const char *tab = at < end ? memchr(at, '\t', (size_t)(end - at)) : NULL;
      value_end = tab != NULL ? tab : end;
    }
    gb_view value = {at, (size_t)(value_end - at)};
    if (holds_for(t, value, steps))
      return true;
    if ((t->relation == '=' || t->relation == '~') && t->pattern.starred &&
        begins_with(value, t->pattern.head))
      at = value_end; /* what matches up to the first star, but not behind it: no suffix of it matches */
  }
  return false;
}

static bool match_term(gb_view *in, gb_view object, size_t *steps) {
  term t;
  bool read = take_term(in, &t);
  if (read)
    skip_blanks(in);
  return read && object.length > 0 && holds(&t, object, steps);
}

/* Operators; the last two are ALL and ANY that are decided. */
enum { GROUP = '(', NOT = '!', ALL = '&', ANY = '|', REFUTED, PROVEN };

static bool list_ends(gb_view in) {
  return in.length == 0 || *in.at == ')';
}

/* Applies the enclosing operators to the value of an operand, as far as they are complete. False: a list
 * expects its next operand. */
static bool apply_operators(gb_filter_match *m, bool value) {
  for (; m->depth > 0; skip_blanks(&m->left), m->depth--) {
    unsigned char *around = &m->open[m->depth - 1];
    if (*around == GROUP) {
      if (front(m->left) == ')')
        gb_view_drop(&m->left, 1);
    } else if (*around == NOT) {
      value = !value;
    } else {
      if (*around == ALL && !value)
        *around = REFUTED;
      else if (*around == ANY && value)
        *around = PROVEN;
      if (!list_ends(m->left))
        return false;
      value = *around == ALL || *around == PROVEN;
    }
  }
  m->found = value;
  return true;
}

void gb_filter_start(gb_filter_match *m, gb_view filter) {
  m->left = filter.length > 0 ? filter : gb_view_of("");
  m->depth = 0;
  m->found = false;
}

/* Reads an operator, or a term and what it decides. True: this was the last. */
static bool read_on(gb_filter_match *m, gb_view object, size_t *steps) {
  bool value;
  skip_blanks(&m->left);
  char c = front(m->left);
  if (one_of(c, "(!&|")) {
    if (m->depth == GB_FILTER_DEPTH)
      return true;
    m->open[m->depth++] = (unsigned char)c;
    gb_view_drop(&m->left, 1);
    if (c == GROUP || c == NOT || !list_ends(m->left))
      return false;
    value = c == ALL; /* an empty list */
  } else {
    value = match_term(&m->left, object, steps);
  }
  return apply_operators(m, value);
}

bool gb_filter_continue(gb_filter_match *m, gb_view object, size_t most, size_t *steps) {
  bool done = false;
  for (size_t first = *steps; !done && *steps - first < most;) {
    size_t before = m->left.length;
    done = read_on(m, object, steps);
    *steps += 1 + before - m->left.length;
  }
  return done;
}

bool gb_filter_matches(gb_view filter, gb_view object) {
  gb_filter_match m;
  size_t steps = 0;
  gb_filter_start(&m, filter);
  return gb_filter_continue(&m, object, SIZE_MAX, &steps) && m.found;
}
