/* Texts: messages of errors, words of a line, numbers with units, names, whole files. Whatever reads or
 * writes text uses this room; it knows nothing of networks.
 *
 * Functions that read and write numbers expect a locale whose decimal point is '.': see
 * gb_plain_locale_set().
 */
#ifndef GB_PLATFORM_TEXT_TEXT_H
#define GB_PLATFORM_TEXT_TEXT_H

#include <gbcast/error.h>
#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define GB_NONE UINT32_MAX /* no index */

/* ---- Locale ---- */

typedef struct gb_plain_locale { /* a thread's locale, while it uses the locale C in its place */
  locale_t plain, before;
} gb_plain_locale;

/* The first makes this thread use the locale C; false: no memory, and nothing has changed. The second
 * restores the thread's locale; if the first has failed, it does nothing. */
bool gb_plain_locale_set(gb_plain_locale *l);
void gb_plain_locale_end(gb_plain_locale *l);

/* ---- Lines on stderr ---- */

/* Lines that several calls print. stderr has no buffer: without this each call writes its part, and between
 * two parts the launcher of an MPI job may put output of other ranks. */
typedef struct gb_lines {
  FILE *memory;
  char *text;
  size_t length;
} gb_lines;

/* Returns where to print: into memory or, if there is none left, to stderr. */
FILE *gb_lines_begin(gb_lines *l);

/* Writes to stderr what was printed. */
void gb_lines_end(gb_lines *l);

/* ---- Text of somebody else ---- */

/* Bytes of the valid UTF-8 sequence that begins here and ends within `length` bytes, or 0. Where a NUL ends
 * the text, any length of 4 or more will do. */
size_t gb_utf8_length(const char *text, size_t length);

/* The same for a character that is seen, and changes nothing around it: no control character, no end of a
 * line, no space without width, no mark of direction. */
size_t gb_printable_length(const char *text, size_t length);

#define GB_PIECE 5 /* bytes: a character of UTF-8, or an escape, and a NUL */

/* Writes what stands for the beginning of a text (of at least a byte) that somebody else has chosen, where a
 * person will see it: a printable character as it is, another byte as \n, \r, \t or \xHH, and a backslash as
 * two, so that each text looks different. Returns how many bytes of the text that was. */
size_t gb_quote_one(const char *text, size_t length, char piece[GB_PIECE]);

/* Bytes that hold a quoted text of so many bytes, and a NUL. */
#define GB_QUOTED(bytes) (4 * (bytes) + 1)

/* A whole text. The first stops at what has no room any more, and returns `out`. */
char *gb_quote(char *out, size_t room, const char *text, size_t length);
void gb_print_quoted(const char *text, size_t length, FILE *out);

/* For a sentence that may hold quoted text: backslashes stay. gb_fail() does this with every message. */
char *gb_quote_message(char *out, size_t room, const char *text);

/* ---- Error messages ---- */

typedef struct gb_place { /* where something is written; messages about it begin with this */
  const char *file;       /* not owned */
  uint32_t line, column;  /* from 1 */
} gb_place;

/* Sets the message to FILE:LINE:COLUMN: ..., returns GBCAST_EINPUT. err may be NULL. */
__attribute__((format(printf, 3, 4))) int gb_fail_at(gbcast_error *err, const gb_place *where,
                                                     const char *format, ...);
/* The same without a place; returns `status`. */
__attribute__((format(printf, 3, 4))) int gb_fail(gbcast_error *err, int status, const char *format, ...);
int gb_vfail(gbcast_error *err, int status, const char *format, va_list list);

/* Returns GBCAST_EMEMORY. */
static inline int gb_no_memory(gbcast_error *err) {
  (void)gb_fail(err, GBCAST_EMEMORY, "out of memory");
  return GBCAST_EMEMORY; /* here, so that a compiler sees that it is not GBCAST_OK */
}

/* Reads a whole file, or standard input (path NULL), into *text, to be given to free(). A failure is reported
 * at `where`, with `shown` (may be NULL) before the reason. GBCAST_EINPUT, GBCAST_EMEMORY. */
int gb_read_file(const char *path, const gb_place *where, const char *shown, char **text, size_t *length,
                 gbcast_error *err);

typedef int gb_file_writer(FILE *out, void *context); /* returns 0, or an errno: the file is discarded */

/* Calls `writer` with a file beside `path`, and renames that to `path`, so that nobody sees half of it. A
 * file that is replaced leaves its permissions, a symbolic link still leads there, and a pipe or device is
 * written directly. The writer runs in the C locale; it is not called if the file cannot be opened. Returns
 * 0, or an errno. */
int gb_write_file(const char *path, gb_file_writer *writer, void *context);

/* Whether gb_write_file() could open a file there: 0, or an errno. */
int gb_try_file(const char *path);

/* ---- Numbers ---- */

/* Bounds that keep every later sum, product and quotient finite. Seconds; bytes a second. */
#define GB_LEAST_TIME 1e-15
#define GB_MOST_TIME 1e9
#define GB_LEAST_RATE 1e-3
#define GB_MOST_RATE 1e18
#define GB_MOST_EGRESS 1e-6 /* USD a byte */
#define GB_MOST_HIRE 300.0  /* USD a second */

/* All read the whole of `text`. They return false, with a reason for the message, when it is not such a
 * value. Values are those of the decimal number as written, rounded once. */
bool gb_read_time(const char *text, size_t length, double *seconds, const char **why); /* 0 is read as 0 */
bool gb_read_rate(const char *text, size_t length, double *bytes_a_second, const char **why);
bool gb_read_size(const char *text, size_t length, uint64_t *bytes, const char **why); /* above 0 */
bool gb_read_count(const char *text, size_t length, uint32_t *count, const char **why);
bool gb_read_egress(const char *text, size_t length, double *usd_a_byte, const char **why);
bool gb_read_hire(const char *text, size_t length, double *usd_a_second, const char **why);
bool gb_read_fraction(const char *text, size_t length, double *fraction, const char **why); /* 0 to 100 */

/* time: 0; cost: INFINITY; else seconds above 0, with their unit or without one. False: none of these. */
bool gb_read_objective(const char *text, double *seconds);

/* A number without a unit, times 10^exponent; nan and inf are read, as values that are not finite. */
bool gb_read_number(const char *text, size_t length, int exponent, double *value, const char **why);

#define GB_UNIT_TEXT 48 /* holds any value that is written */

/* Text that reads back as the same bits, in the unit that suits. */
void gb_write_time(char text[GB_UNIT_TEXT], double seconds);
void gb_write_rate(char text[GB_UNIT_TEXT], double bytes_a_second);
void gb_write_egress(char text[GB_UNIT_TEXT], double usd_a_byte);
void gb_write_hire(char text[GB_UNIT_TEXT], double usd_a_second);
void gb_write_fraction(char text[GB_UNIT_TEXT], double fraction);
void gb_write_size(char text[GB_UNIT_TEXT], uint64_t bytes);

/* The greatest common divisor; of 0 and another number, that number. */
static inline uint32_t gb_common_divisor(uint32_t a, uint32_t b) {
  while (b != 0) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

#define GB_VERSION_TEXT 128

/* What MPI_Get_library_version() says, which is cut, in few words, such as "MPICH 4.0.2". */
void gb_shorten_version(char *version, char name[GB_VERSION_TEXT]);

/* ---- What a misspelt word was meant to be ---- */

#define GB_MAX_NAME 255u /* DNS allows 253; longer words are mistakes, and ranges would multiply them */
#define GB_FAR UINT32_MAX

/* Whether `name` is like the word, and more like it than those before, which differ from it in *best letters
 * (GB_FAR: none yet); sets *best. It is like the word if it begins with it, or if one letter in four is wrong
 * at most, and one more where there are more than three. Letter case does not count. */
bool gb_nearer(const char *word, size_t length, const char *name, unsigned *best);

#define GB_HINT_TEXT (GB_MAX_NAME + 32)

/* Writes " (did you mean 'NEAREST'?)", or nothing if it is NULL; returns the text. */
const char *gb_hint(char text[GB_HINT_TEXT], const char *nearest);

/* ---- Names, and where they are stored ---- */

/* Letter case of names does not matter in DNS. In any locale. */
static inline char gb_lower(char c) {
  return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Whether a host's name may contain the byte. Bytes of other scripts are left to whoever resolves the name.
 */
static inline bool gb_is_host_byte(char c) {
  const char low = gb_lower(c);
  return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' ||
         (unsigned char)c >= 0x80;
}

/* How much of the name stands before its first dot: all of a bare name, and of an address. */
size_t gb_short_length(const char *name);

/* The group of a host in a file without cluster lines: what follows the first dot, `local` for bare names. */
const char *gb_host_group(const char *name, size_t *length);

/* Text that is freed all at once. */
typedef struct gb_arena {
  struct gb_chunk *chunk; /* the newest; it points to the older ones */
} gb_arena;

/* Room for `length` bytes, and a NUL behind them, or NULL when out of memory. */
char *gb_arena_alloc(gb_arena *a, size_t length);

/* A copy of `length` bytes with a NUL behind, or NULL when out of memory. */
char *gb_arena_copy(gb_arena *a, const char *text, size_t length);
void gb_arena_release(gb_arena *a);

typedef struct gb_key {
  const char *text; /* in an arena */
  uint32_t length, hash;
} gb_key;

/* Numbers keys 0, 1, 2... in the order in which they are added. Keys are bytes, so packed integers serve too.
 */
typedef struct gb_names {
  uint32_t *slot; /* open addressing; a number + 1, or 0 */
  uint32_t slots; /* power of two, or 0 */
  gb_key *key;
  uint32_t count, capacity;
} gb_names;

/* The key's number, added when it is new; GB_NONE when out of memory. */
uint32_t gb_names_add(gb_names *n, gb_arena *a, const char *text, size_t length, bool *is_new);
/* GB_NONE: it was not added. */
uint32_t gb_names_find(const gb_names *n, const char *text, size_t length);
void gb_names_release(gb_names *n);

/* The array with room for one more element of `size` bytes, or NULL when out of memory (the array is then as
 * it was). */
void *gb_grow(void *array, size_t count, uint32_t *capacity, size_t size);

/* ---- Lines and their words ---- */

typedef struct gb_lexeme { /* a word of a line */
  const char *text;        /* into the file; no NUL behind */
  size_t length;           /* 0 stands for the end of the line */
  uint32_t line, column;
} gb_lexeme;

typedef struct gb_source {
  gbcast_error *err;
  const char *file;
  const gb_place *included_at; /* where the hosts file names this one; NULL for the hosts file itself */
  bool c_comments;             /* // and, over any number of lines, between slash-star and star-slash */
  bool in_comment;             /* of the latter kind, which begins at comment_at */
  gb_place comment_at;
  uint32_t line;
  gb_lexeme *word; /* of the line, with the end of the line behind them */
  uint32_t count, capacity;
} gb_source;

/* Whether these two bytes are at `at`. */
static inline bool gb_pair_at(const char *text, size_t at, size_t length, const char *pair) {
  return length - at >= 2 && memcmp(text + at, pair, 2) == 0;
}

/* Length of the first line of a text, without its line feed. */
size_t gb_line_length(const char *text, size_t length);

/* Joins a line that ends with \ with those behind it, in place. Returns the whole line's length and steps
 * *next behind it; *lines counts the line ends. */
size_t gb_join_lines(char *line, size_t left, size_t *next, uint32_t *lines);

/* Splits a line into s->word. GBCAST_EINPUT: a byte that no line may have; GBCAST_EMEMORY. */
int gb_lex_line(gb_source *s, const char *line, size_t length);
void gb_source_release(gb_source *s);

/* "found 'WORD', expected ..." at the word's place; returns GBCAST_EINPUT. */
__attribute__((format(printf, 3, 4))) int gb_expected(gb_source *s, const gb_lexeme *found,
                                                      const char *format, ...);
int gb_source_no_memory(gb_source *s);

bool gb_lexeme_is(const gb_lexeme *w, const char *text);
gb_lexeme gb_lexeme_part(const gb_lexeme *w, size_t from, size_t length);
gb_place gb_lexeme_place(const gb_source *s, const gb_lexeme *w);

/* Reads key=value at word *at, with or without blanks around the =, and steps behind it. */
int gb_next_pair(gb_source *s, uint32_t *at, gb_lexeme *key, gb_lexeme *value);

enum gb_kind {
  GB_TIME,
  GB_TIME_OR_ZERO,
  GB_RATE,
  GB_FRACTION,
  GB_EGRESS,
  GB_HIRE,
  GB_SIZE,
  GB_TEXT,
  GB_FLAG /* the key alone, without a value */
};

typedef struct gb_attribute { /* one key=value, or flag, that a line may have */
  const char *key;
  enum gb_kind kind;
  double number; /* the default; replaced by what is given */
  bool given;
  uint64_t bytes;
  gb_lexeme value;
} gb_attribute;

/* Reads the words from `at` to the end of the line, each of them one of `known`. */
int gb_attributes(gb_source *s, uint32_t at, gb_attribute *known, size_t count);

/* Whether the word can name a cluster or a switch; `what` says in the message which. */
int gb_check_name(gb_source *s, const gb_lexeme *w, const char *what);

/* Whether the word has only bytes that names of hosts have, and those of `others`. What is in brackets, where
 * those are among them, is left to gb_range_count. */
int gb_check_host_bytes(gb_source *s, const gb_lexeme *w, const char *others);

#ifndef GB_MAX_HOSTS /* fuzzers try less */
#define GB_MAX_HOSTS 1048576u
#endif

/* How many names n[0-15].x stands for, after checking all of it; at most GB_MAX_HOSTS. */
int gb_range_count(gb_source *s, const gb_lexeme *w, uint32_t *count);

/* Calls `sink` with each of the names in order; stops when it returns other than GBCAST_OK. */
typedef int gb_name_sink(void *context, const char *name, size_t length);
int gb_range_expand(gb_source *s, const gb_lexeme *w, gb_name_sink *sink, void *context);

/* The same for each name of a comma-separated list with ranges, as Slurm has them: n[0-3],m0. */
int gb_slurm_list(gb_source *s, const gb_lexeme *list, gb_name_sink *sink, void *context);

#endif
