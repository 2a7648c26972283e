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

/* Whether `peer` is allowed. This machine always is, from each of its addresses, others when a range contains
 * them. */
bool gb_may_connect(const gb_cidr *allowed, size_t count, uint32_t peer);

#endif
