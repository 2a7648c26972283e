/* What a harness is: it gets an input, and ends the program when something that must hold does not. The names
 * are libFuzzer's. */
#ifndef GB_TESTS_FUZZ_H
#define GB_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

__attribute__((visibility("default"))) int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* A harness may have one, which changes an input in place and returns its new size, most `most`. */
__attribute__((visibility("default"), weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                                                            size_t most, unsigned seed);
/* What does so where it has none. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

static inline void must(bool holds) {
  if (!holds)
    abort();
}

#endif
