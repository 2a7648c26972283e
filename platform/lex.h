/* Lines into words, and the words that most lines are made of. Serves the hosts file and Slurm's topology
 * file. */
#ifndef GB_PLATFORM_LEX_H
#define GB_PLATFORM_LEX_H

#include "platform/platform.h"

#include <string.h>

typedef struct gb_word {
  const char *text; /* into the file; no NUL behind */
  size_t length;    /* 0 stands for the end of the line */
  uint32_t line, column;
} gb_word;

typedef struct gb_source {
  gbcast_error *err;
  const char *file;
  const gb_place *included_at; /* where the hosts file names this one; NULL for the hosts file itself */
  bool c_comments;             /* // and, over any number of lines, between slash-star and star-slash */
  bool in_comment;             /* of the latter kind, which begins at comment_at */
  gb_place comment_at;
  uint32_t line;
  gb_word *word; /* of the line, with the end of the line behind them */
  uint32_t count, capacity;
} gb_source;

enum gb_kind { GB_TIME, GB_TIME_OR_ZERO, GB_RATE, GB_PART, GB_SIZE, GB_TEXT };

typedef struct gb_attribute { /* one key=value that a line may have */
  const char *key;
  enum gb_kind kind;
  double number; /* the default; replaced by what is given */
  bool given;
  uint64_t bytes;
  gb_word value;
} gb_attribute;

/* Whether these two bytes are at `at`. */
static inline bool gb_pair_at(const char *text, size_t at, size_t length, const char *pair) {
  return length - at >= 2 && memcmp(text + at, pair, 2) == 0;
}

/* Of the first line of a text, without its end. */
size_t gb_line_length(const char *text, size_t length);

int gb_lex_line(gb_source *s, const char *line, size_t length);
void gb_source_release(gb_source *s);

/* "found 'WORD', expected ..." at the word's place; returns GBCAST_EINPUT. */
__attribute__((format(printf, 3, 4))) int gb_expected(gb_source *s, const gb_word *found, const char *format,
                                                      ...);
int gb_source_no_memory(gb_source *s);

bool gb_word_is(const gb_word *w, const char *text);
gb_word gb_word_part(const gb_word *w, size_t from, size_t length);
gb_place gb_word_place(const gb_source *s, const gb_word *w);

/* Reads key=value at word *at, with blanks around the = or not, and steps behind it. */
int gb_next_pair(gb_source *s, uint32_t *at, gb_word *key, gb_word *value);

/* Reads the words from `at` to the end of the line, each of them one of `known`. */
int gb_attributes(gb_source *s, uint32_t at, gb_attribute *known, size_t count);

/* Whether the word can name a cluster or a switch; `what` says in the message which. */
int gb_check_name(gb_source *s, const gb_word *w, const char *what);

/* Whether the word has only bytes that names of hosts have, and those of `others`. What is in brackets, where
 * those are among them, is left to gb_range_count. */
int gb_check_host_bytes(gb_source *s, const gb_word *w, const char *others);

/* How many names n[0-15].x stands for, after checking all of it; at most GB_MAX_HOSTS. */
int gb_range_count(gb_source *s, const gb_word *w, uint32_t *count);

/* Calls `sink` with each of the names in order; stops when it returns other than GBCAST_OK. */
typedef int gb_name_sink(void *context, const char *name, size_t length);
int gb_range_expand(gb_source *s, const gb_word *w, gb_name_sink *sink, void *context);

#endif
