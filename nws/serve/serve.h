/* The server: a name server and a memory in one event loop. Answers are sent only after the changes that they
 * acknowledge are on disk.
 *
 *      iteration:  read and answer into buffers | commit the log, once for all | send
 */
#ifndef GB_NWS_SERVE_SERVE_H
#define GB_NWS_SERVE_SERVE_H

#include "nws/serve/access.h"
#include "nws/store/store.h"

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
