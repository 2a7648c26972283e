/* Access control: IPv4 address ranges in CIDR notation (RFC 4632). */
#ifndef GB_NWS_SERVE_ACCESS_H
#define GB_NWS_SERVE_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gb_cidr { /* in host byte order */
  uint32_t address, mask;
} gb_cidr;

/* Reads "10.1.0.0/16" or a single address. False, with a reason, for anything else, including an address with
 * bits set behind the prefix. */
bool gb_cidr_read(const char *text, gb_cidr *out, const char **why);

/* Whether `peer`, which connected to our address `own`, is allowed. This machine always is (127.0.0.0/8, or
 * the same address), others when a range contains them. */
bool gb_may_connect(const gb_cidr *allowed, size_t count, uint32_t peer, uint32_t own);

#endif
