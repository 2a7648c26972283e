/* Where a daemon listens, and how it is called by others. */
#ifndef GB_NWS_CLIENT_LISTEN_H
#define GB_NWS_CLIENT_LISTEN_H

#include "nws/wire/wire.h"
#include "platform/platform.h"

typedef struct gb_machine {
  uint32_t listen;  /* address to listen at, 0: all; host byte order */
  uint32_t address; /* one at which others reach it */
  char name[64];    /* without a port; as in registrations */
} gb_machine;

/* What `text`, an IPv4 address or a name of this machine, stands for. */
int gb_machine_find(const char *text, gb_machine *out, gbcast_error *err);

/* A socket that listens; *port 0 becomes the one that the system chose. Messages name `option`. Negative:
 * failed. */
int gb_listen(const gb_machine *machine, uint16_t *port, const char *option, gbcast_error *err);

/* Appends the object that a daemon registers for itself: `name` is its machine:port, `type` what NWS calls a
 * daemon of its kind, "memory" or "sensor". */
void gb_host_object(gb_bytes *out, const char *type, const char *name, const gb_machine *machine,
                    uint16_t port);

/* "machine:port" */
void gb_host_name(char out[GB_NWS_HOST_MOST + 1], const gb_machine *machine, uint16_t port);

#endif
