/* The address of a daemon: `machine[:port]`, where machine is an IPv4 address or a name. */
#ifndef GB_NWS_WIRE_ADDRESS_H
#define GB_NWS_WIRE_ADDRESS_H

#include "nws/wire/message.h"
#include "platform/text/text.h"

enum { GB_NWS_NAME_SERVER_PORT = 8090, GB_NWS_MEMORY_PORT = 8050 };
enum { GB_NWS_FORECASTER_PORT = 8070, GB_NWS_SENSOR_PORT = 8060 };

typedef struct gb_nws_address {
  char host[GB_MAX_NAME + 1];
  uint16_t port;
} gb_nws_address;

#define GB_NWS_ADDRESS_TEXT (GB_MAX_NAME + 7u) /* size of the buffer of gb_nws_address_write */

/* False: invalid; NWS has no IPv6. Letters become lower-case, as in registrations. */
bool gb_nws_address_read(gb_view text, uint16_t default_port, gb_nws_address *out);

/* "machine:port" */
void gb_nws_address_write(const gb_nws_address *address, char out[GB_NWS_ADDRESS_TEXT]);

/* Reads an address and writes it as "machine:port". False: no address, or too long. */
bool gb_nws_address_complete(gb_view text, uint16_t default_port, char out[GB_NWS_HOST_MOST + 1]);

bool gb_nws_address_same(const gb_nws_address *a, const gb_nws_address *b);

/* A port: digits alone, 1 to 65535. */
bool gb_nws_port_read(gb_view text, uint16_t *out);

#endif
