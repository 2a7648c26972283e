/* Blocks as they travel: each in a frame, with a checksum of the data, and compressed where that pays. */
#ifndef GB_TOOLS_CP_FRAME_H
#define GB_TOOLS_CP_FRAME_H

#include "tools/cp/batch.h"

enum { GB_CP_FRAME_HEADER = 12 }; /* bytes: length in the frame 4, XXH3 of the data 8 */

typedef struct gb_cp_coder {
  void *zstd_out, *zstd_in; /* ZSTD_CCtx, ZSTD_DCtx; NULL: not needed so far */
  bool compress;            /* where it pays */
  double seconds;           /* that compression has taken, */
  uint64_t raw, packed;     /* of so many bytes, and how many came of it */
  unsigned passed_over;     /* blocks since one was compressed */
} gb_cp_coder;

/* Writes a frame for the block at data[0..length); `frame` holds GB_CP_FRAME_HEADER + length bytes. `rate`:
 * bytes a second that go out; 0: not known yet. Returns the length of the frame. */
size_t gb_cp_frame_write(gb_cp_coder *coder, const unsigned char *data, size_t length, double rate,
                         unsigned char *frame);

/* Reads a block of `length` bytes into `data` from the frame at `frame`, of which `available` bytes are
 * there. Returns the length of the frame; 0: it is damaged, and nobody knows where it ends. */
size_t gb_cp_frame_read(gb_cp_coder *coder, const unsigned char *frame, size_t available, size_t length,
                        unsigned char *data);

void gb_cp_coder_free(gb_cp_coder *coder);

#endif
