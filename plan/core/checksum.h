/* XXH64, the 64-bit checksum of Yann Collet's xxHash, with seed 0. */
#ifndef GB_PLAN_CORE_CHECKSUM_H
#define GB_PLAN_CORE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* NULL is allowed for no bytes. */
uint64_t gb_checksum(const void *bytes, size_t length);

#endif
