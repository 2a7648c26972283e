/* Resolves the addresses of a host without blocking: getaddrinfo has no timeout, so the C library's threads
 * run it (getaddrinfo_a). A lookup that is dropped while it runs keeps its memory: some 200 bytes, and the
 * addresses that it finds. */
#ifndef GB_NWS_CLIENT_RESOLVE_H
#define GB_NWS_CLIENT_RESOLVE_H

#include <netinet/in.h>
#include <stdbool.h>

enum { GB_HOST_ADDRESSES = 4 };

typedef struct gb_host_addresses {
  struct in_addr at[GB_HOST_ADDRESSES];
  unsigned count;
} gb_host_addresses;

/* Reads dotted decimal numbers; false for everything else. */
bool gb_resolve_number(const char *host, gb_host_addresses *out);

typedef struct gb_resolver gb_resolver;

/* NULL: no resources. */
gb_resolver *gb_resolver_start(const char *host);

/* False: not yet. out->count 0: there is no address, and *why says why. */
bool gb_resolver_done(gb_resolver *r, gb_host_addresses *out, const char **why);
void gb_resolver_drop(gb_resolver *r);

#endif
