/* A string view: bytes that it does not own, without a closing NUL. */
#ifndef GB_NWS_WIRE_VIEW_H
#define GB_NWS_WIRE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct gb_view {
  const char *at;
  size_t length;
} gb_view;

static inline gb_view gb_view_of(const char *string) {
  return (gb_view){string, strlen(string)};
}

static inline bool gb_view_is(gb_view text, const char *string) {
  return text.length == strlen(string) && memcmp(text.at, string, text.length) == 0;
}

/* Leaves out the first `count` bytes, of which there are as many. */
static inline void gb_view_drop(gb_view *text, size_t count) {
  text->at += count;
  text->length -= count;
}

/* As strcmp: byte by byte; a prefix is less. */
static inline int gb_view_compare(gb_view a, gb_view b) {
  size_t least = a.length < b.length ? a.length : b.length;
  int order = least > 0 ? memcmp(a.at, b.at, least) : 0;
  return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

/* Copies it as a string into `room` bytes. False: empty, too long, or it contains a NUL. */
static inline bool gb_view_copy(gb_view text, char *out, size_t room) {
  if (text.length == 0 || text.length >= room || memchr(text.at, '\0', text.length) != NULL)
    return false;
  memcpy(out, text.at, text.length);
  out[text.length] = '\0';
  return true;
}

#endif
