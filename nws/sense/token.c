/* What sensors tell each other of a clique: its members, its tokens. */
#include "nws/sense/clique.h"

#include <math.h>
#include <stdio.h>

static int order(double a, double b) {
  return (a > b) - (a < b);
}

int gb_token_compare(const gb_token_id *a, const gb_token_id *b) {
  int generated = order(a->generated, b->generated), instance = order(a->instance, b->instance);
  return generated != 0 ? generated : instance != 0 ? instance : order(a->leader, b->leader);
}

uint32_t gb_token_find(const gb_token *token, uint32_t address, uint32_t port) {
  uint32_t i = 0;
  while (i < token->count && (token->member[i].address != address || token->member[i].port != port))
    i++;
  return i;
}

bool gb_token_same_clique(const gb_token *a, const gb_token *b) {
  bool same = a->count == b->count && order(a->period, b->period) == 0 && strcmp(a->skill, b->skill) == 0 &&
              strcmp(a->options, b->options) == 0;
  for (uint32_t i = 0; i < a->count && same; i++)
    same = gb_token_find(b, a->member[i].address, a->member[i].port) < b->count &&
           gb_token_find(a, b->member[i].address, b->member[i].port) < a->count;
  return same;
}

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
