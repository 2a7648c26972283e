/* What a harness is: it gets an input, and ends the program when something that must hold does not. */
#ifndef GB_TESTS_FUZZ_H
#define GB_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

__attribute__((visibility("default"))) int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must(bool holds) {
  if (!holds)
    abort();
}

#endif
