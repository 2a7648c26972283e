/* The primitive types of the Network Weather Service on the wire: big-endian, no padding, a long is 4 bytes.
 */
#ifndef GB_NWS_WIRE_BYTES_H
#define GB_NWS_WIRE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A string view: bytes that it does not own, without a closing NUL. */
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

/* The text before the first `mark`; what is behind it goes to *rest. Without a mark all is before. */
static inline gb_view gb_view_before(gb_view text, char mark, gb_view *rest) {
  const char *at = text.length > 0 ? memchr(text.at, mark, text.length) : NULL;
  size_t length = at != NULL ? (size_t)(at - text.at) : text.length;
  size_t gone = length + (at != NULL);
  *rest = (gb_view){text.at + gone, text.length - gone};
  return (gb_view){text.at, length};
}

/* Copies it as a string into `room` bytes. False: empty, too long, or it contains a NUL. */
static inline bool gb_view_copy(gb_view text, char *out, size_t room) {
  if (text.length == 0 || text.length >= room || memchr(text.at, '\0', text.length) != NULL)
    return false;
  memcpy(out, text.at, text.length);
  out[text.length] = '\0';
  return true;
}

/* A growing buffer, filled at its end and emptied from its front. When out of memory it becomes and stays
 * `failed`, so that one check at the end is enough. */
typedef struct gb_bytes {
  unsigned char *data, *block; /* the bytes; the memory that they are in */
  size_t size, capacity;       /* of both */
  bool failed;
} gb_bytes;

static inline gb_view gb_bytes_view(const gb_bytes *bytes) {
  return (gb_view){(const char *)bytes->data, bytes->size};
}

void gb_bytes_release(gb_bytes *out);
void gb_bytes_clear(gb_bytes *out);                   /* keeps the capacity */
void gb_bytes_drop_front(gb_bytes *out, size_t size); /* removes the first `size` bytes */
void gb_put(gb_bytes *out, const void *data, size_t size);
void gb_put_u16(gb_bytes *out, uint16_t value);
void gb_put_u32(gb_bytes *out, uint32_t value);
void gb_put_u64(gb_bytes *out, uint64_t value);
void gb_put_f64(gb_bytes *out, double value);
/* Appends `text` as a field of `width` bytes, padded with NUL; cut to width - 1. */
void gb_put_field(gb_bytes *out, const char *text, size_t width);
/* Overwrites 4 bytes, for a number that is known only later. */
void gb_set_u32(unsigned char at[4], uint32_t value);

/* A reader of received bytes. Reading past the end gives zeros and sets `bad`, so that one check at the end
 * is enough. */
typedef struct gb_reader {
  const unsigned char *at;
  size_t left;
  bool bad;
} gb_reader;

const unsigned char *gb_get(gb_reader *in, size_t size); /* NULL when there are fewer */
uint16_t gb_get_u16(gb_reader *in);
uint32_t gb_get_u32(gb_reader *in);
uint64_t gb_get_u64(gb_reader *in);
double gb_get_f64(gb_reader *in);
/* Reads a field of `width` bytes into `out`, of at least `width` bytes. The text ends at the first NUL, or
 * one byte before the end. */
void gb_get_field(gb_reader *in, size_t width, char *out);
gb_view gb_get_rest(gb_reader *in); /* all that is left */

#endif
