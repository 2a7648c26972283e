/* The listening socket of a daemon, and the name under which it registers. */
#ifndef GB_NWS_CLIENT_LISTEN_H
#define GB_NWS_CLIENT_LISTEN_H

#include "nws/wire/wire.h"
#include "platform/platform.h"

#include <ifaddrs.h>

typedef struct gb_machine {
  uint32_t listen;  /* address to listen at, 0: all; host byte order */
  uint32_t address; /* address at which others reach it; host byte order */
  char name[64];    /* as in registrations, without a port */
} gb_machine;

/* The first IPv4 address of a name, and its full name, in lower case, as daemons register it. 0, or what
 * getaddrinfo() returns. */
int gb_machine_look_up(const char *name, gb_machine *out);

/* Resolves `text`, an IPv4 address or a name of this machine. GBCAST_EINPUT: it is none at which a program
 * can listen. */
int gb_machine_find(const char *text, gb_machine *out, gbcast_error *err);

/* Whether the address (host byte order) is one of this machine: of 127.0.0.0/8, or of an interface in this
 * list of getifaddrs(), which may be NULL. */
bool gb_is_own_address(const struct ifaddrs *interfaces, uint32_t address);

/* Opens a listening socket, which does not block; *port 0 is replaced by the port that the system chose.
 * Error messages name `option`. Negative: failed. */
int gb_listen(const gb_machine *machine, uint16_t *port, const char *option, gbcast_error *err);

/* Appends the object that a daemon registers for itself: `name` is its machine:port, `type` its hostType,
 * "memory" or "sensor". */
void gb_host_object(gb_bytes *out, const char *type, const char *name, const gb_machine *machine,
                    uint16_t port);

/* "machine:port" */
void gb_host_name(char out[GB_NWS_HOST_MOST + 1], const gb_machine *machine, uint16_t port);

#endif
