/* Random messages through their bytes and back, in random pieces and damaged. */
#include "tests/nws/wire/random_message.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Takes the whole messages off the front of what has come; each must encode to the bytes that were sent. */
static size_t take_messages(gb_bytes *came, const gb_bytes *sent, size_t *taken) {
  size_t count = 0, size = 0;
  while (gb_nws_frame(came->data, came->size, SIZE_MAX, &size) == GB_NWS_WHOLE) {
    gb_nws_message m;
    gb_bytes again = {0};
    cr_assert(gb_nws_decode(came->data, size, &m));
    gb_nws_encode(&again, &m);
    cr_assert(!again.failed && again.size == size, "%u", m.number);
    cr_assert_arr_eq(again.data, sent->data + *taken, size, "%u", m.number);
    gb_bytes_release(&again);
    *taken += size;
    came->size -= size;
    memmove(came->data, came->data + size, came->size);
    count++;
  }
  cr_assert_gt(size, came->size);
  return count;
}

Test(nws_stream, random_ones_in_random_pieces) {
  uint64_t seed = 20240501;
  random_message *m = malloc(sizeof *m);
  cr_assert_not_null(m);
  for (unsigned round = 0; round < 300; round++) {
    gb_bytes sent = {0}, came = {0};
    unsigned count = 1 + xorshift(&seed, 8);
    for (unsigned i = 0; i < count; i++) {
      random_message_fill(&seed, m);
      gb_nws_encode(&sent, &m->message);
      cr_assert(!sent.failed, "%u", m->message.number);
    }
    uint32_t longest = round % 3 == 0 ? 1 : 1 + xorshift(&seed, 600);
    size_t taken = 0, messages = 0;
    for (size_t at = 0; at < sent.size;) {
      size_t piece = 1 + xorshift(&seed, longest);
      if (piece > sent.size - at)
        piece = sent.size - at;
      gb_put(&came, sent.data + at, piece);
      at += piece;
      messages += take_messages(&came, &sent, &taken);
    }
    cr_assert_eq(messages, count);
    cr_assert_eq(taken, sent.size);
    gb_bytes_release(&sent);
    gb_bytes_release(&came);
  }
  free(m);
}

/* Whatever a byte is changed into: the answer is a message that encodes to what decodes alike, or none. */
Test(nws_stream, damaged_ones) {
  uint64_t seed = 99;
  random_message *m = malloc(sizeof *m);
  cr_assert_not_null(m);
  for (unsigned round = 0; round < 20000; round++) {
    gb_bytes sent = {0}, again = {0}, third = {0};
    gb_nws_message other;
    random_message_fill(&seed, m);
    gb_nws_encode(&sent, &m->message);
    for (unsigned i = 1 + xorshift(&seed, 3); i > 0; i--)
      sent.data[xorshift(&seed, (uint32_t)sent.size)] = (unsigned char)xorshift(&seed, 256);
    if (gb_nws_decode(sent.data, sent.size, &other)) {
      gb_nws_encode(&again, &other);
      cr_assert(!again.failed && gb_nws_decode(again.data, again.size, &other));
      gb_nws_encode(&third, &other);
      cr_assert(third.size == again.size && memcmp(third.data, again.data, again.size) == 0);
    }
    gb_bytes_release(&sent);
    gb_bytes_release(&again);
    gb_bytes_release(&third);
  }
  free(m);
}
