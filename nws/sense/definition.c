/* What a clique is: its tokens, its members, its definition. */
#include "nws/sense/sense.h"
#include "nws/sense/sensor_clique.h"

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

static bool is_loopback(uint32_t address) {
  return address >> 24 == 127;
}

static bool is_here(const gb_sensor *s, const struct ifaddrs *interfaces, uint32_t address, uint32_t port) {
  return port == s->port && (address == s->outside || gb_is_own_address(interfaces, address));
}

uint32_t gb_clique_self(const gb_token *token, const gb_sensor *s) {
  struct ifaddrs *interfaces = NULL;
  uint32_t i = 0;
  (void)getifaddrs(&interfaces);
  while (i < token->count && !is_here(s, interfaces, token->member[i].address, token->member[i].port))
    i++;
  freeifaddrs(interfaces);
  return i;
}

bool gb_clique_sound(const gb_token *token, const gb_sensor *s) {
  return token->count >= 2 && gb_clique_self(token, s) < token->count && token->period >= 0 &&
         token->period <= GB_PERIOD_MOST;
}

/* `value` in kB, of 1024 bytes; digits alone. */
static bool read_size(gb_view value, uint32_t *out) {
  uint64_t kilobytes = 0;
  for (size_t i = 0; i < value.length; i++) {
    if (value.at[i] < '0' || value.at[i] > '9' || kilobytes > UINT32_MAX / 1024)
      return false;
    kilobytes = 10 * kilobytes + (uint64_t)(value.at[i] - '0');
  }
  if (value.length == 0 || kilobytes > UINT32_MAX / 1024)
    return false;
  *out = (uint32_t)kilobytes * 1024;
  return true;
}

bool gb_clique_sizes(const gb_token *token, gb_experiment *out) {
  gb_view options = gb_view_of(token->options), name, value;
  bool good = true;
  *out = GB_EXPERIMENT_DEFAULT;
  while (gb_object_attribute(&options, &name, &value))
    if (gb_view_is(name, "size"))
      good &= read_size(value, &out->size);
    else if (gb_view_is(name, "buffer"))
      good &= read_size(value, &out->buffer);
    else if (gb_view_is(name, "message"))
      good &= read_size(value, &out->message);
  return good && out->size > 0 && gb_experiment_sound(out); /* size 0 measures no bandwidth */
}

/* Resolves the members' addresses. *self: index of this sensor; count: it is none of them. */
static int look_up(gb_clique_definition *d, gb_sensor *s, const struct ifaddrs *interfaces,
                   const gb_members *members, uint32_t *self, gbcast_error *err) {
  gb_token *t = &d->token;
  t->count = *self = members->count;
  for (uint32_t i = 0; i < members->count; i++) {
    const char *name = members->name[i];
    gb_nws_address at = {.port = 0};
    gb_machine machine = {0};
    bool own = strcmp(name, s->name) == 0;
    bool known = gb_nws_address_read(gb_view_of(name), GB_NWS_SENSOR_PORT, &at) &&
                 gb_machine_look_up(at.host, &machine) == 0;
    if (!known && !own)
      return gb_fail(err, GBCAST_EINPUT, "clique %s: no IPv4 address is known for %s", t->name, name);
    (void)snprintf(d->name[i], GB_MEMBER_NAME, "%s", name);
    t->member[i].address = known ? machine.address : s->machine.address;
    t->member[i].port = at.port;
    if (own && !is_here(s, interfaces, t->member[i].address, at.port))
      s->outside = t->member[i].address;
    if (!own && !is_here(s, interfaces, t->member[i].address, at.port))
      continue;
    if (*self < t->count)
      return gb_fail(err, GBCAST_EINPUT, "clique %s: %s and %s are both this sensor", t->name,
                     members->name[*self], name);
    *self = i;
  }
  return GBCAST_OK;
}

/* The token tells others the addresses, so this machine's must not be that of its loopback, which many
 * machines give their own name. */
static void show_self(gb_clique_definition *d, const gb_sensor *s, uint32_t self) {
  bool far = false;
  for (uint32_t i = 0; i < d->token.count; i++)
    far |= !is_loopback(d->token.member[i].address);
  if (far && is_loopback(d->token.member[self].address))
    d->token.member[self].address = s->machine.address;
}

static int read_definition(gb_clique_definition *d, gb_sensor *s, const struct ifaddrs *interfaces,
                           const gb_members *members, gbcast_error *err) {
  gb_members all = *members;
  const char *why = NULL;
  uint32_t self = 0;
  int status = look_up(d, s, interfaces, &all, &self, err);
  if (status == GBCAST_OK && self == all.count) {
    if (!gb_members_add(&all, gb_view_of(s->name), &why))
      return gb_fail(err, GBCAST_EINPUT,
                     "clique %s: with this sensor there are too many members: expected %s", d->token.name,
                     why);
    status = look_up(d, s, interfaces, &all, &self, err);
  }
  if (status == GBCAST_OK && all.count < 2)
    return gb_fail(err, GBCAST_EINPUT, "clique %s: %s is this sensor, and there is no other member",
                   d->token.name, all.name[0]);
  if (status == GBCAST_OK)
    show_self(d, s, self);
  return status;
}

int gb_clique_definition_read(gb_clique_definition *d, gb_sensor *s, const gb_members *members,
                              gbcast_error *err) {
  struct ifaddrs *interfaces = NULL;
  (void)getifaddrs(&interfaces);
  int status = read_definition(d, s, interfaces, members, err);
  freeifaddrs(interfaces);
  return status;
}
