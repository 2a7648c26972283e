/* Bytes in the order of the wire. */
#include "nws/wire/bytes.h"

#include <stdlib.h>
#include <string.h>

void gb_bytes_release(gb_bytes *out) {
  free(out->block);
  *out = (gb_bytes){0};
}

void gb_bytes_clear(gb_bytes *out) {
  out->data = out->block;
  out->size = 0;
  out->failed = false;
}

void gb_bytes_drop_front(gb_bytes *out, size_t size) {
  out->size -= size;
  out->data = out->size > 0 ? out->data + size : out->block;
}

/* The content moves to the front of the block when it is no larger than what has left there, so that a byte
 * moves once on average; else the block doubles, even if all would fit in it then. So it is at most four
 * times as large as its content was, and less than twice when nothing was dropped. */
static bool make_room(gb_bytes *out, size_t size) {
  size_t gone = (size_t)(out->data - out->block), capacity = out->capacity > 0 ? out->capacity : 64;
  bool stays = gone >= out->size && size <= capacity - out->size;
  while ((!stays && capacity == out->capacity) || capacity - out->size < size) {
    if (capacity > SIZE_MAX / 2)
      return false;
    capacity *= 2;
  }
  if (gone > 0)
    memmove(out->block, out->data, out->size);
  unsigned char *block = capacity != out->capacity ? realloc(out->block, capacity) : out->block;
  if (block != NULL) {
    out->block = block;
    out->capacity = capacity;
  }
  out->data = out->block;
  return block != NULL;
}

/* Room for `size` more bytes, or NULL. */
static unsigned char *room(gb_bytes *out, size_t size) {
  size_t behind = out->capacity - out->size - (size_t)(out->data - out->block);
  out->failed = out->failed || (size > behind && !make_room(out, size));
  if (out->failed)
    return NULL;
  out->size += size;
  return out->data + out->size - size;
}

void gb_put(gb_bytes *out, const void *data, size_t size) {
  unsigned char *at = size > 0 ? room(out, size) : NULL;
  if (at != NULL)
    memcpy(at, data, size);
}

static void set_big_endian(unsigned char *at, uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; i++)
    at[i] = (unsigned char)(value >> 8 * (size - 1 - i));
}

void gb_set_u32(unsigned char at[4], uint32_t value) {
  set_big_endian(at, value, 4);
}

static void put_big_endian(gb_bytes *out, uint64_t value, unsigned size) {
  unsigned char *at = room(out, size);
  if (at != NULL)
    set_big_endian(at, value, size);
}

void gb_put_u16(gb_bytes *out, uint16_t value) {
  put_big_endian(out, value, 2);
}

void gb_put_u32(gb_bytes *out, uint32_t value) {
  put_big_endian(out, value, 4);
}

void gb_put_u64(gb_bytes *out, uint64_t value) {
  put_big_endian(out, value, 8);
}

void gb_put_f64(gb_bytes *out, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  gb_put_u64(out, bits);
}

void gb_put_field(gb_bytes *out, const char *text, size_t width) {
  size_t length = strnlen(text, width - 1);
  unsigned char *at = room(out, width);
  if (at == NULL)
    return;
  memcpy(at, text, length);
  memset(at + length, 0, width - length);
}

const unsigned char *gb_get(gb_reader *in, size_t size) {
  const unsigned char *at = in->at;
  if (in->bad || size > in->left) {
    in->bad = true;
    return NULL;
  }
  in->at += size;
  in->left -= size;
  return at;
}

static uint64_t get_big_endian(gb_reader *in, unsigned size) {
  const unsigned char *at = gb_get(in, size);
  uint64_t value = 0;
  for (unsigned i = 0; at != NULL && i < size; i++)
    value = value << 8 | at[i];
  return value;
}

uint16_t gb_get_u16(gb_reader *in) {
  return (uint16_t)get_big_endian(in, 2);
}

uint32_t gb_get_u32(gb_reader *in) {
  return (uint32_t)get_big_endian(in, 4);
}

uint64_t gb_get_u64(gb_reader *in) {
  return get_big_endian(in, 8);
}

double gb_get_f64(gb_reader *in) {
  uint64_t bits = gb_get_u64(in);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

void gb_get_field(gb_reader *in, size_t width, char *out) {
  const unsigned char *at = gb_get(in, width);
  size_t length = at != NULL ? strnlen((const char *)at, width - 1) : 0;
  if (length > 0)
    memcpy(out, at, length);
  out[length] = '\0';
}

gb_view gb_get_rest(gb_reader *in) {
  size_t length = in->bad ? 0 : in->left;
  return (gb_view){(const char *)gb_get(in, length), length};
}
