/* Reading JSON (RFC 8259, to the letter): a text becomes an array of values, an object's members behind it.
 *
 *   { "a": [1, 2], "b": null }     value  0 {} first 1
 *                                         1   "a" []  first 2  next 4
 *                                         2     1   next 3
 *                                         3     2
 *                                         4   "b" null
 *
 * Messages begin FILE:LINE:COLUMN, columns count bytes. */
#ifndef GB_PLAN_SHOW_JSON_READ_H
#define GB_PLAN_SHOW_JSON_READ_H

#include "platform/platform.h"

enum { GB_JSON_DEPTH = 64 }; /* arrays and objects within each other, at most */

enum gb_json_kind {
  GB_JSON_NULL,
  GB_JSON_BOOL,
  GB_JSON_NUMBER,
  GB_JSON_STRING,
  GB_JSON_ARRAY,
  GB_JSON_OBJECT
};

typedef struct gb_json_spot {
  uint32_t line, column; /* from 1 */
} gb_json_spot;

typedef struct gb_json {
  enum gb_json_kind kind;
  gb_json_spot where;    /* it begins */
  uint32_t next;         /* the next value of its array or object, or GB_NONE */
  uint32_t first, count; /* of an array or object: its first value, or GB_NONE, and how many */
  const char *key;       /* in an object, else NULL */
  const char *text;      /* of a string: UTF-8 without zeros */
  double number;         /* of a number; of a bool 0 or 1 */
} gb_json;

typedef struct gb_json_document {
  char *file, *text; /* strings lie in the text */
  gb_json *value;    /* count; the first is the whole. NULL: they are not needed any more */
  uint32_t count, capacity;
} gb_json_document;

/* Reads a copy of `length` bytes; `file` is what messages call it. GBCAST_EINPUT, GBCAST_EMEMORY. */
int gb_json_read(const char *text, size_t length, const char *file, gb_json_document *out, gbcast_error *err);
void gb_json_release(gb_json_document *document);

/* Returns GBCAST_EINPUT, with a message about the value at that place. */
__attribute__((format(printf, 4, 5))) int gb_json_fail(const gb_json_document *document, gb_json_spot where,
                                                       gbcast_error *err, const char *format, ...);

/* What a member of an object is to be. A time may be null, which is NAN, as JSON knows no infinity. */
enum gb_json_want {
  GB_JSON_A_TEXT,
  GB_JSON_A_TIME,
  GB_JSON_AN_INTEGER,
  GB_JSON_A_SWITCH,
  GB_JSON_A_LIST,
};

typedef struct gb_json_field {
  const char *key;
  enum gb_json_want want;
  void *to; /* const char *, double, uint64_t, bool or const gb_json *; stays where it is not given */
  bool required;
  uint64_t least, most; /* of an integer; at most 2^53 */
  const gb_json *value; /* NULL: it is not given */
} gb_json_field;

/* Reads the members of an object into fields. Members that no field names are passed over. GBCAST_EINPUT: a
 * member is given twice, or is not what it is to be; a required one is missing. */
int gb_json_fields(const gb_json_document *document, const gb_json *object, gb_json_field *field,
                   size_t count, gbcast_error *err);

/* The value behind another one, or the first of an array; NULL past the last. */
static inline const gb_json *gb_json_at(const gb_json_document *document, uint32_t index) {
  return index == GB_NONE ? NULL : &document->value[index];
}

#endif
