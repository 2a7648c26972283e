#include "nws/sense/members.h"

#include "nws/wire/wire.h"

#include <stdio.h>

uint32_t gb_members_find(const gb_members *m, const char *name) {
  uint32_t i = 0;
  while (i < m->count && strcmp(m->name[i], name) != 0)
    i++;
  return i;
}

bool gb_members_add(gb_members *m, gb_view host, const char **why) {
  gb_nws_address address;
  char name[GB_NWS_ADDRESS_TEXT];
  *why = "HOST[:PORT], an IPv4 address or a name of at most 63 characters";
  if (!gb_nws_address_read(host, GB_NWS_SENSOR_PORT, &address) || strlen(address.host) > 63)
    return false;
  gb_nws_address_write(&address, name);
  if (gb_members_find(m, name) < m->count)
    return true;
  *why = "at most 100 members";
  if (m->count == GB_CLIQUE_MOST)
    return false;
  uint32_t at = m->count++;
  for (; at > 0 && strcmp(m->name[at - 1], name) > 0; at--)
    memcpy(m->name[at], m->name[at - 1], GB_MEMBER_NAME);
  (void)snprintf(m->name[at], GB_MEMBER_NAME, "%.*s", GB_MEMBER_NAME - 1, name);
  return true;
}
