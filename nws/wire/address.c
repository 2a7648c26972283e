#include "nws/wire/address.h"

#include <stdio.h>

bool gb_nws_port_read(gb_view text, uint16_t *out) {
  uint32_t port = 0;
  for (size_t i = 0; i < text.length; i++) {
    if (text.at[i] < '0' || text.at[i] > '9' || port > UINT16_MAX)
      return false;
    port = 10 * port + (uint32_t)(text.at[i] - '0');
  }
  if (port == 0 || port > UINT16_MAX)
    return false;
  *out = (uint16_t)port;
  return true;
}

/* A letter of a host's name, lower-case in every locale; 0 when it is none. */
static char host_letter(char c) {
  if (c >= 'A' && c <= 'Z')
    return (char)(c - 'A' + 'a');
  bool good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  return (char)(good ? c : '\0');
}

bool gb_nws_address_read(gb_view text, uint16_t default_port, gb_nws_address *out) {
  gb_view port, host = gb_view_before(text, ':', &port);
  if (host.length == 0 || host.length > GB_MAX_NAME)
    return false;
  *out = (gb_nws_address){.port = default_port};
  for (size_t i = 0; i < host.length; i++) {
    out->host[i] = host_letter(host.at[i]);
    if (out->host[i] == '\0')
      return false;
  }
  return host.length == text.length || gb_nws_port_read(port, &out->port);
}

void gb_nws_address_write(const gb_nws_address *address, char out[GB_NWS_ADDRESS_TEXT]) {
  (void)snprintf(out, GB_NWS_ADDRESS_TEXT, "%s:%u", address->host, (unsigned)address->port);
}

bool gb_nws_address_complete(gb_view text, uint16_t default_port, char out[GB_NWS_HOST_MOST + 1]) {
  gb_nws_address address;
  char written[GB_NWS_ADDRESS_TEXT];
  if (!gb_nws_address_read(text, default_port, &address))
    return false;
  gb_nws_address_write(&address, written);
  return gb_view_copy(gb_view_of(written), out, GB_NWS_HOST_MOST + 1);
}

bool gb_nws_address_same(const gb_nws_address *a, const gb_nws_address *b) {
  return a->port == b->port && strcmp(a->host, b->host) == 0;
}
