/* Looks for the addresses of a host without anybody waiting: getaddrinfo blocks for as long as it likes, so
 * it runs in a detached thread. Whoever of the two, the asker and the thread, is done last frees what they
 * share; a thread that never comes back keeps that much and nothing else, and the end of the process ends it.
 */
#ifndef GB_NWS_CLIENT_RESOLVE_H
#define GB_NWS_CLIENT_RESOLVE_H

#include <netinet/in.h>
#include <stdbool.h>

enum { GB_HOST_ADDRESSES = 4 };

typedef struct gb_host_addresses {
  struct in_addr at[GB_HOST_ADDRESSES];
  unsigned count;
} gb_host_addresses;

/* Takes dotted decimal numbers at their word; false for everything else. */
bool gb_resolve_number(const char *host, gb_host_addresses *out);

typedef struct gb_resolver gb_resolver;

/* NULL: no memory, or no thread to be had. */
gb_resolver *gb_resolver_start(const char *host);

/* False: not yet. No address with *why told: there is none. */
bool gb_resolver_done(gb_resolver *r, gb_host_addresses *out, const char **why);
void gb_resolver_drop(gb_resolver *r);

#endif
