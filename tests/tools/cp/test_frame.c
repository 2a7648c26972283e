/* Frames: a block arrives as it was, or is known to be damaged. */
#include "tests/support/xorshift.h"
#include "tools/cp/frame.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 400, LONGEST = 5000 };

static size_t random_block(uint64_t *seed, unsigned char *data) {
  const size_t length = 1 + xorshift(seed, LONGEST);
  const uint32_t values = 1 + xorshift(seed, 2) * 255; /* constant, or as it comes */
  for (size_t i = 0; i < length; i++)
    data[i] = (unsigned char)xorshift(seed, values);
  return length;
}

Test(frame, arrives_or_is_damaged) {
  uint64_t seed = 1;
  unsigned char data[LONGEST], got[LONGEST], frame[LONGEST + GB_CP_FRAME_HEADER];
  gb_cp_coder coder = {.compress = true};
  for (int round = 0; round < ROUNDS; round++) {
    coder.compress = round % 3 != 0;
    const size_t length = random_block(&seed, data);
    const size_t made = gb_cp_frame_write(&coder, data, length, 0, frame);
    cr_assert_leq(made, GB_CP_FRAME_HEADER + length);
    cr_assert_eq(gb_cp_frame_read(&coder, frame, made, length, got), made);
    cr_assert_arr_eq(got, data, length);
    cr_assert_eq(gb_cp_frame_read(&coder, frame, xorshift(&seed, (uint32_t)made), length, got), 0, "cut off");
    const size_t at = xorshift(&seed, (uint32_t)made);
    frame[at] = (unsigned char)(frame[at] ^ 1u << xorshift(&seed, 8));
    const size_t read = gb_cp_frame_read(&coder, frame, made, length, got);
    cr_assert_eq(read, 0, "byte %zu of %zu", at, made);
  }
  gb_cp_coder_free(&coder);
}

/* What does not shrink, or goes out faster than it can be compressed, is sent as it is, and now and then
 * tried. */
Test(frame, compresses_where_it_pays) {
  enum { BLOCKS = 320 };
  unsigned char *data = calloc(1, GB_CP_BLOCK), *frame = malloc(GB_CP_BLOCK + GB_CP_FRAME_HEADER);
  uint64_t seed = 2;
  gb_cp_coder zeros = {.compress = true}, fast = {.compress = true}, never = {0}, noise = {.compress = true};
  size_t shrunk[3] = {0};
  for (int i = 0; i < BLOCKS; i++) {
    shrunk[0] += gb_cp_frame_write(&zeros, data, GB_CP_BLOCK, 1, frame) < GB_CP_BLOCK;
    shrunk[1] += gb_cp_frame_write(&fast, data, GB_CP_BLOCK, 1e15, frame) < GB_CP_BLOCK;
    shrunk[2] += gb_cp_frame_write(&never, data, GB_CP_BLOCK, 1, frame) < GB_CP_BLOCK;
  }
  cr_assert_eq(shrunk[0], BLOCKS);
  cr_assert_eq(shrunk[1], BLOCKS / 32, "%zu", shrunk[1]);
  cr_assert_eq(shrunk[2], 0);
  for (size_t i = 0; i < GB_CP_BLOCK; i++)
    data[i] = (unsigned char)xorshift(&seed, 256);
  for (int i = 0; i < 40; i++)
    cr_assert_eq(gb_cp_frame_write(&noise, data, GB_CP_BLOCK, 1, frame), GB_CP_BLOCK + GB_CP_FRAME_HEADER);
  cr_assert_lt(noise.passed_over, 8, "the second trial was block 33");
  gb_cp_coder_free(&zeros);
  gb_cp_coder_free(&fast);
  gb_cp_coder_free(&noise);
  free(frame);
  free(data);
}
