#include "nws/commands/extract/extract.h"

#include <stdio.h>

/* Whether series are asked for whatever their target. */
static bool any_target(const gb_extract_options *o) {
  return gb_extract_has_target(o->resource) && o->host_count == 1;
}

bool gb_extract_asked(const gb_extract_options *o, int from, int to) {
  if (!gb_extract_has_target(o->resource) || any_target(o))
    return from == to;
  return from != to && (o->all_pairs || from == 0);
}

static void put(gb_bytes *out, const char *text) {
  gb_put(out, text, strlen(text));
}

/* (|(host=a:*)(host=a.*)(host=b:8061)...) */
static void put_hosts(gb_bytes *out, const gb_extract_options *o, const char *attribute, int first,
                      int past) {
  put(out, "(|");
  for (int i = first; i < past; i++) {
    gb_nws_address address;
    char port[8] = "*", term[2 * GB_NWS_ADDRESS_TEXT + 64];
    if (!gb_nws_address_read(gb_view_of(o->host[i]), 0, &address))
      continue;
    if (address.port != 0)
      (void)snprintf(port, sizeof port, "%u", (unsigned)address.port);
    (void)snprintf(term, sizeof term, "(%s=%s:%s)(%s=%s.*:%s)", attribute, address.host, port, attribute,
                   address.host, port);
    put(out, term);
  }
  put(out, ")");
}

void gb_extract_filter(const gb_extract_options *o, gb_bytes *out) {
  bool target = gb_extract_has_target(o->resource) && !any_target(o);
  put(out, "(&(objectclass=nwsSeries)(resource=");
  put(out, o->resource);
  put(out, ")");
  if (o->filter != NULL)
    put(out, o->filter);
  put_hosts(out, o, "host", 0, o->all_pairs || !target ? o->host_count : 1);
  if (target)
    put_hosts(out, o, "target", o->all_pairs ? 0 : 1, o->host_count);
  put(out, ")");
}

/* Whether a registered machine is the host that was asked for. */
static bool is_host(const char *asked, gb_view registered) {
  gb_nws_address a, r;
  if (!gb_nws_address_read(gb_view_of(asked), 0, &a) ||
      !gb_nws_address_read(registered, GB_NWS_SENSOR_PORT, &r) || (a.port != 0 && a.port != r.port))
    return false;
  size_t length = strlen(a.host);
  return strncmp(a.host, r.host, length) == 0 && (r.host[length] == '\0' || r.host[length] == '.');
}

/* The first pair of hosts that is asked for and that the object is between. */
static bool find_pair(const gb_extract_options *o, gb_view host, gb_view target, gb_extract_found *out) {
  bool pairs = gb_extract_has_target(o->resource) && !any_target(o);
  for (out->from = 0; out->from < o->host_count; out->from++) {
    if (!is_host(o->host[out->from], host))
      continue;
    for (out->to = 0; out->to < o->host_count; out->to++)
      if (gb_extract_asked(o, out->from, out->to) && (!pairs || is_host(o->host[out->to], target)))
        return true;
  }
  return false;
}

bool gb_extract_fits(gb_view object, const gb_extract_options *o, uint16_t memory_port,
                     gb_extract_found *out) {
  gb_view class, resource, name, host, memory, target = {"", 0};
  *out = (gb_extract_found){.rank = 0};
  if (!gb_object_get(object, "objectclass", &class) || !gb_object_get(object, "resource", &resource) ||
      !gb_object_get(object, "name", &name) || !gb_object_get(object, "host", &host) ||
      !gb_object_get(object, "memory", &memory))
    return false;
  bool has_target = gb_extract_has_target(o->resource);
  if (has_target && !gb_object_get(object, "target", &target))
    return false;
  return gb_view_is(class, "nwsSeries") && gb_view_is(resource, o->resource) &&
         find_pair(o, host, target, out) && gb_view_copy(name, out->name, sizeof out->name) &&
         gb_view_copy(host, out->source, sizeof out->source) &&
         (!has_target || gb_view_copy(target, out->destination, sizeof out->destination)) &&
         gb_nws_address_read(memory, memory_port, &out->memory);
}

/* machine:port of a host of the command line. */
static bool write_sensor(const char *host, char out[GB_NWS_HOST_MOST + 1]) {
  return gb_nws_address_complete(gb_view_of(host), GB_NWS_SENSOR_PORT, out);
}

bool gb_extract_guess(const gb_extract_options *o, int from, int to, const gb_nws_address *memory,
                      gb_extract_found *out) {
  bool target = gb_extract_has_target(o->resource);
  const char *options = "";
  if (strcmp(o->resource, GB_NWS_BANDWIDTH) == 0)
    options = ".32.16.64"; /* buffer, message and size in kB */
  else if (strcmp(o->resource, "availableCpu") == 0 || strcmp(o->resource, "currentCpu") == 0)
    options = ".0"; /* nice */
  *out = (gb_extract_found){.memory = *memory, .from = from, .to = to};
  if (!write_sensor(o->host[from], out->source) || (target && !write_sensor(o->host[to], out->destination)))
    return false;
  int length = snprintf(out->name, sizeof out->name, "%s.%s%s%s%s", out->source, o->resource, options,
                        target ? "." : "", out->destination);
  return length > 0 && (size_t)length < sizeof out->name;
}

int gb_extract_order(const gb_extract_found *a, const gb_extract_found *b) {
  int order = (a->from > b->from) - (a->from < b->from);
  if (order == 0)
    order = (a->to > b->to) - (a->to < b->to);
  if (order == 0)
    order = strcmp(a->name, b->name);
  return order != 0 ? order : (a->rank < b->rank) - (a->rank > b->rank);
}
