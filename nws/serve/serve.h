/* The server: a name server and a memory in one event loop. Answers are sent only after the changes that they
 * acknowledge are on disk.
 *
 *      iteration:  read and answer into buffers | commit the log, once for all | send
 */
#ifndef GB_NWS_SERVE_SERVE_H
#define GB_NWS_SERVE_SERVE_H

#include "nws/store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Access control: IPv4 address ranges in CIDR notation (RFC 4632). */

typedef struct gb_cidr { /* in host byte order */
  uint32_t address, mask;
} gb_cidr;

/* Reads "10.1.0.0/16" or a single address. False, with a reason, for anything else, including an address with
 * bits set behind the prefix. */
bool gb_cidr_read(const char *text, gb_cidr *out, const char **why);

/* Whether `peer` is allowed. This machine always is, from each of its addresses, others when a range contains
 * them. */
bool gb_may_connect(const gb_cidr *allowed, size_t count, uint32_t peer);

typedef struct gb_serve_options {
  const char *listen, *folder;
  uint16_t name_server_port, memory_port; /* 0: the system chooses */
  gb_cidr *allowed;
  size_t allowed_count;
  gb_store_limits limits;
} gb_serve_options;

/* Serves until SIGINT or SIGTERM. Prints one line to `out` when it listens, and messages to `report`. */
int gb_serve(const gb_serve_options *options, FILE *out, FILE *report, gbcast_error *err);

#endif
