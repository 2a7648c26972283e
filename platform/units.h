/* Numbers with units, read and written. Callers have set a locale whose decimal point is '.'. */
#ifndef GB_PLATFORM_UNITS_H
#define GB_PLATFORM_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bounds that keep every later sum, product and quotient finite. */
#define GB_LEAST_TIME 1e-15
#define GB_MOST_TIME 1e9
#define GB_LEAST_RATE 1e-3
#define GB_MOST_RATE 1e18

#define GB_UNIT_TEXT 48 /* room for any value that is written */

/* All read the whole of `text` and return false, with a reason for the message, when it is not such a value.
 * Values are those of the decimal number as written, rounded once. */
bool gb_read_time(const char *text, size_t length, double *seconds, const char **why); /* 0 is read as 0 */
bool gb_read_rate(const char *text, size_t length, double *bytes_a_second, const char **why);
bool gb_read_size(const char *text, size_t length, uint64_t *bytes, const char **why);
bool gb_read_count(const char *text, size_t length, uint32_t *count, const char **why);

bool gb_read_part(const char *text, size_t length, double *part, const char **why); /* of 1; 0 to 100 */

/* A number without a unit, of 10^exponent; nan and inf are read, as what is not finite. */
bool gb_read_number(const char *text, size_t length, int exponent, double *value, const char **why);

/* Text that reads back as the same bits, in the unit that suits. */
void gb_write_time(char text[GB_UNIT_TEXT], double seconds);
void gb_write_rate(char text[GB_UNIT_TEXT], double bytes_a_second);
void gb_write_part(char text[GB_UNIT_TEXT], double part);
void gb_write_size(char text[GB_UNIT_TEXT], uint64_t bytes);

#endif
