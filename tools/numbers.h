/* Numbers of the command line. */
#ifndef GB_TOOLS_NUMBERS_H
#define GB_TOOLS_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Plain bytes, or a number with k, M or G. */
bool read_bytes(const char *text, uint64_t *out);

/* 1 to `most`, which is below 2^24. */
bool read_count(const char *text, uint32_t most, uint32_t *out);

#endif
