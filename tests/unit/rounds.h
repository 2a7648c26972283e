/* How often tests try. */
#ifndef GB_TESTS_ROUNDS_H
#define GB_TESTS_ROUNDS_H

/* Rounds of a property test. Under the sanitizers, which look for other things and take ten times as long, a
 * third. */
#ifdef __has_feature /* clang */
#define GB_HAS_ADDRESS __has_feature(address_sanitizer)
#else
#define GB_HAS_ADDRESS 0
#endif
#if GB_HAS_ADDRESS || defined __SANITIZE_ADDRESS__
#define ROUNDS(count) ((count) / 3)
#else
#define ROUNDS(count) (count)
#endif

#endif
