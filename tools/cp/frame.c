/* Compression pays if it is faster than what goes out, and makes the data smaller. With w bytes a second on
 * the way out, c bytes a second compressed and r bytes left of each, a byte takes max(1 / c, r / w) seconds
 * in place of 1 / w, for the two overlap. So it pays if c > w and r < 1; LEAST_GAIN is asked for, so that
 * data that do not compress cost the receivers nothing. One block in TRY_EACH is compressed in any case, to
 * see whether the data have changed: 3 % of the time if it does not pay. */
#include "tools/cp/frame.h"
#include "tools/cp/bytes.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>
#include <zstd.h>

enum { LEVEL = 1, TRY_EACH = 32 };
#define LEAST_GAIN 0.05
#define FORGET 0.5 /* at each trial, so that the newest half counts as much as all before */

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool pays(gb_cp_coder *coder, double rate) {
  if (!coder->compress)
    return false;
  if (coder->raw == 0 || ++coder->passed_over >= TRY_EACH)
    return true;
  const double speed = coder->seconds > 0 ? (double)coder->raw / coder->seconds : 0;
  return (rate <= 0 || speed > rate) && (double)coder->packed < (1 - LEAST_GAIN) * (double)coder->raw;
}

/* The length after compression; `length`: it would not be less. */
static size_t compress(gb_cp_coder *coder, const unsigned char *data, size_t length, unsigned char *out) {
  if (coder->zstd_out == NULL)
    coder->zstd_out = ZSTD_createCCtx();
  if (coder->zstd_out == NULL)
    return length;
  const double began = now();
  /* one byte less than the block has room, so that what does not shrink is an error, and sent as it is */
  const size_t made = ZSTD_compressCCtx(coder->zstd_out, out, length - 1, data, length, LEVEL);
  const size_t packed = ZSTD_isError(made) ? length : made;
  coder->seconds = FORGET * coder->seconds + now() - began;
  coder->raw = (uint64_t)(FORGET * (double)coder->raw) + length;
  coder->packed = (uint64_t)(FORGET * (double)coder->packed) + packed;
  coder->passed_over = 0;
  return packed;
}

size_t gb_cp_frame_write(gb_cp_coder *coder, const unsigned char *data, size_t length, double rate,
                         unsigned char *frame) {
  unsigned char *body = frame + GB_CP_FRAME_HEADER;
  size_t stored = pays(coder, rate) ? compress(coder, data, length, body) : length;
  if (stored == length)
    memcpy(body, data, length);
  gb_cp_put(frame, stored, 4);
  gb_cp_put(frame + 4, XXH3_64bits(data, length), 8);
  return GB_CP_FRAME_HEADER + stored;
}

size_t gb_cp_frame_read(gb_cp_coder *coder, const unsigned char *frame, size_t available, size_t length,
                        unsigned char *data) {
  if (available < GB_CP_FRAME_HEADER)
    return 0;
  const size_t stored = (size_t)gb_cp_get(frame, 4);
  const unsigned char *body = frame + GB_CP_FRAME_HEADER;
  if (stored > length || stored > available - GB_CP_FRAME_HEADER)
    return 0;
  if (stored == length) {
    memcpy(data, body, length);
  } else {
    if (coder->zstd_in == NULL)
      coder->zstd_in = ZSTD_createDCtx();
    if (coder->zstd_in == NULL || ZSTD_decompressDCtx(coder->zstd_in, data, length, body, stored) != length)
      return 0;
  }
  return XXH3_64bits(data, length) == gb_cp_get(frame + 4, 8) ? GB_CP_FRAME_HEADER + stored : 0;
}

void gb_cp_coder_free(gb_cp_coder *coder) {
  (void)ZSTD_freeCCtx(coder->zstd_out);
  (void)ZSTD_freeDCtx(coder->zstd_in);
  coder->zstd_out = coder->zstd_in = NULL;
}
