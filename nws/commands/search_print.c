#include "nws/commands/search_print.h"

#include "nws/wire/wire.h"

enum { WIDTH = 11 }; /* of names: "objectclass" */

/* Quoted, with '_' for each blank, so that splitting at blanks works. */
static void put_value(gb_view text, FILE *out) {
  char piece[GB_PIECE];
  for (size_t i = 0; i < text.length;) {
    i += gb_quote_one(text.at + i, text.length - i, piece);
    (void)fputs(strcmp(piece, " ") == 0 ? "_" : piece, out);
  }
}

static void print_attribute(gb_view name, gb_view value, const gb_search_format *format, FILE *out) {
  gb_print_quoted(name.at, name.length, out);
  for (size_t i = name.length; format->lines && i < WIDTH; i++)
    (void)putc(' ', out);
  (void)putc(':', out);
  put_value(value, out);
  (void)putc(format->lines ? '\n' : ' ', out);
}

static bool print_object(gb_view object, const gb_search_format *format, FILE *out) {
  gb_view name, value;
  bool any = false;
  for (int i = 0; i < format->count; i++)
    if (gb_object_get(object, format->attribute[i], &value)) {
      print_attribute(gb_view_of(format->attribute[i]), value, format, out);
      any = true;
    }
  while (format->count == 0 && gb_object_attribute(&object, &name, &value)) {
    print_attribute(name, value, format, out);
    any = true;
  }
  if (any)
    (void)putc('\n', out);
  return any;
}

unsigned gb_search_print(gb_view set, const gb_search_format *format, FILE *out) {
  gb_view object;
  unsigned count = 0;
  while (gb_object_next(&set, &object))
    count += print_object(object, format, out);
  return count;
}
