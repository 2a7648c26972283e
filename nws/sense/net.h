/* IPv4 addresses of machines. */
#ifndef GB_NWS_SENSE_NET_H
#define GB_NWS_SENSE_NET_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

/* Waits for the resolver. False: no such machine. */
bool gb_net_resolve(const char *host, uint16_t port, struct sockaddr_in *out);

/* Whether the address is one of this machine's. */
bool gb_net_is_local(struct in_addr address);

/* A port at `address` that is unused now; 0: none. */
uint16_t gb_net_free_port(struct in_addr address);

#endif
