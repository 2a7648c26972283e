#ifndef GB_PLAN_SHOW_UTF8_H
#define GB_PLAN_SHOW_UTF8_H

#include <stddef.h>

/* Length of the valid UTF-8 sequence at `s`, or 0. */
size_t gb_utf8_length(const char *s);

#endif
