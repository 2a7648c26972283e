/* How often tests try. */
#ifndef GB_TESTS_SUPPORT_ROUNDS_H
#define GB_TESTS_SUPPORT_ROUNDS_H

#include <stdlib.h>

/* Rounds of a property test that is to have `count` under `scripts/test --full`; a third otherwise. Under the
 * sanitizers, which look for other things and take ten times as long, a third of either: GB_ROUNDS_PART alone
 * is for rounds that are few already, or whose outcomes are counted. */
#ifdef __has_feature /* clang */
#define GB_HAS_ADDRESS __has_feature(address_sanitizer)
#else
#define GB_HAS_ADDRESS 0
#endif
#if GB_HAS_ADDRESS || defined __SANITIZE_ADDRESS__
#define GB_ROUNDS_PART 3
#else
#define GB_ROUNDS_PART 1
#endif
#define ROUNDS(count) ((count) / GB_ROUNDS_PART / (getenv("GB_TEST_FULL") == NULL ? 3 : 1))

#endif
