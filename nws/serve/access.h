/* Who may connect: IPv4 addresses in CIDR notation (RFC 4632). */
#ifndef GB_NWS_SERVE_ACCESS_H
#define GB_NWS_SERVE_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gb_cidr { /* in host byte order */
  uint32_t address, mask;
} gb_cidr;

/* "10.1.0.0/16", or one address. False, with a reason: something else, also when bits are set behind the
 * prefix, where it is not clear what was meant. */
bool gb_cidr_read(const char *text, gb_cidr *out, const char **why);

/* Whether `peer`, which came to our address `own`, may: this machine always (127.0.0.0/8, or from the very
 * address it came to), others when one of the ranges holds them. */
bool gb_may_connect(const gb_cidr *allowed, size_t count, uint32_t peer, uint32_t own);

#endif
