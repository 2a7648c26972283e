/* A name server and memories in simulated time, for tests of what asks several of them. */
#ifndef GB_TESTS_SUPPORT_NWS_WORLD_H
#define GB_TESTS_SUPPORT_NWS_WORLD_H

#include "nws/wire/message.h"
#include "nws/wire/object.h"
#include "tests/support/nws/peer.h"

enum { WORLD_SERIES = 8, WORLD_RECORDS = 64 };

typedef struct world_series {
  const char *name, *memory; /* machine:port */
  gb_measurement record[WORLD_RECORDS];
  uint32_t count;
  bool oldest_first; /* as memories do with batches, from their cache */
} world_series;

typedef struct world {
  gb_bytes objects;
  world_series series[WORLD_SERIES];
  uint32_t count, searches, fetches;
  uint32_t records;   /* that were sent */
  bool refuses;       /* subscriptions */
  bool overtakes;     /* pushes of the first series come before the acknowledgement */
  char followed[512]; /* the list of the last subscription */
} world;

/* Lists a series; `extra` is further attributes "name:value\t", or "". */
static inline world_series *world_add(world *w, const char *name, const char *ends[2], const char *resource,
                                      const char *memory, const char *extra) {
  char text[512];
  int n = snprintf(text, sizeof text,
                   "name:%s\tobjectclass:nwsSeries\thost:%s\tmemory:%s\tresource:%s\ttarget:%s\t%s\t", name,
                   ends[0], memory, resource, ends[1], extra);
  gb_put(&w->objects, text, (size_t)n);
  for (uint32_t i = 0; i < w->count; i++)
    if (strcmp(w->series[i].name, name) == 0 && strcmp(w->series[i].memory, memory) == 0)
      return &w->series[i];
  w->series[w->count] = (world_series){.name = name, .memory = memory};
  return &w->series[w->count++];
}

static inline void world_measure(world_series *s, double time, double value) {
  s->record[s->count++] = (gb_measurement){time, value};
}

static inline world_series *world_find(world *w, const gb_nws_address *memory, const char *name) {
  for (uint32_t i = 0; i < w->count; i++) {
    gb_nws_address at = address(w->series[i].memory);
    if (gb_nws_address_same(&at, memory) && strcmp(w->series[i].name, name) == 0)
      return &w->series[i];
  }
  return NULL;
}

/* STATE_FETCHED with the records above the sequence, which is their time; returns how many. */
static inline uint32_t world_state(const world_series *s, const char *name, double above, gb_bytes *out) {
  gb_nws_message m = {.number = GB_NWS_STATE_FETCHED};
  char text[WORLD_RECORDS][GB_NWS_RECORD_BYTES];
  (void)snprintf(m.state.id, sizeof m.state.id, "%s", name);
  m.state.time_out = 315360000;
  for (uint32_t i = 0; i < s->count; i++) {
    const gb_measurement *r = &s->record[s->oldest_first ? i : s->count - 1 - i];
    if (r->time <= above)
      continue;
    cr_assert(gb_record_write(*r, text[m.state.record_count++]));
    m.state.sequence = fmax(m.state.sequence, r->time);
  }
  m.state.record_size = m.state.record_count > 0 ? GB_NWS_RECORD_BYTES : 0;
  m.state.records = (gb_view){text[0], m.state.record_count * GB_NWS_RECORD_BYTES};
  gb_nws_encode(out, &m);
  return m.state.record_count;
}

static inline void world_search(world *w, gb_view filter, gb_bytes *out) {
  gb_bytes found = {0};
  gb_view set = gb_bytes_view(&w->objects), object;
  while (gb_object_next(&set, &object))
    if (gb_filter_matches(filter, object))
      gb_put(&found, object.at, object.length);
  gb_nws_encode(out, &(gb_nws_message){.number = GB_NWS_NS_SEARCHED,
                                       .text = {found.size > 0 ? (const char *)found.data : "", found.size}});
  gb_bytes_release(&found);
  w->searches++;
}

static inline void world_reply(peer *p, const gb_nws_address *to, const gb_nws_message *request,
                               gb_bytes *out) {
  world *w = p->context;
  if (request->number == GB_NWS_NS_SEARCH) {
    world_search(w, request->text, out);
  } else if (request->number == GB_NWS_FETCH_STATE) {
    const world_series *s = world_find(w, to, request->state.id);
    w->fetches++;
    if (s != NULL)
      w->records += world_state(s, request->state.id, request->state.sequence, out);
    else
      gb_nws_encode(out, &(gb_nws_message){.number = GB_NWS_MEMORY_FAILED});
  } else if (request->number == GB_NWS_AUTOFETCH_BEGIN) {
    if (w->overtakes)
      (void)world_state(&w->series[0], w->series[0].name, 0, out);
    (void)snprintf(w->followed, sizeof w->followed, "%.*s", (int)request->text.length, request->text.at);
    gb_nws_encode(out, &(gb_nws_message){.number = w->refuses ? GB_NWS_MEMORY_FAILED : GB_NWS_AUTOFETCH_ACK});
  }
}

static inline peer world_peer(world *w) {
  peer p = new_peer(world_reply);
  p.context = w;
  return p;
}

#endif
