#include "nws/serve/session.h"

#define OBJECT_COST 2000u /* to find the next one */

/* Of matching a filter. Filters made to take long take 0.9 to 7.3 ns a step on a Xeon at 2.8 GHz. */
#define STEP_COST 80u

/* Registers the object, with exactly the TABs behind it that end an object in a set. */
static bool add(gb_session *s, gb_view text, uint32_t seconds, double now) {
  char object[GB_REGISTRY_TEXT_MOST];
  while (text.length > 0 && text.at[text.length - 1] == '\t')
    text.length--;
  if (text.length + 2 > sizeof object)
    return false;
  memcpy(object, text.at, text.length);
  object[text.length] = object[text.length + 1] = '\t';
  text = (gb_view){object, text.length + 2};
  return gb_nws_registry_is_object(text) && gb_store_register(s->service->store, text, seconds, now);
}

static void begin_search(gb_session *s, gb_view filter, bool unregister) {
  struct gb_session_search *search = &s->search;
  search->on = true;
  search->unregister = unregister;
  search->failed = false;
  search->room = 0;
  gb_bytes_clear(&search->filter);
  gb_bytes_clear(&search->found);
  gb_put(&search->filter, filter.at, filter.length);
}

/* For what is found and for the answer: a buffer from which nothing is dropped is up to twice as large as
 * its content. */
size_t gb_session_search_room(const gb_session *s) {
  const gb_service *service = s->service;
  size_t room = s->search.unregister ? 1 : 1 + 4 * (service->store->registry.bytes + service->own.length);
  return service->held + room <= service->held_most ? room : 0;
}

static void start(gb_session *s) {
  struct gb_session_search *search = &s->search;
  search->room = gb_session_search_room(s);
  search->next = search->unregister ? 1 : 0;
  search->end = s->service->store->registry.index.next_number;
  search->matching = false;
}

static void finish(gb_session *s) {
  struct gb_session_search *search = &s->search;
  search->on = false;
  search->room = 0;
  gb_nws_message m = {.number = search->unregister ? GB_NWS_NS_UNREGISTERED : GB_NWS_NS_SEARCHED,
                      .text = gb_bytes_view(&search->found)};
  if (search->failed || search->filter.failed || search->found.failed)
    m = (gb_nws_message){.number = GB_NWS_NS_FAILED};
  gb_session_say(s, &m);
  s->service->spent += GB_BYTE_COST * m.text.length;
  gb_bytes_clear(&search->found);
  gb_bytes_clear(&search->filter);
}

/* Goes on with matching the object. True: it is found. */
static bool finds(gb_session *s, uint64_t number, gb_view text) {
  struct gb_session_search *search = &s->search;
  gb_service *service = s->service;
  size_t steps = 0, most = service->spent < service->most ? (service->most - service->spent) / STEP_COST : 0;
  if (!search->matching || number != search->next) /* not if the one that was being matched is gone */
    gb_filter_start(&search->match, gb_bytes_view(&search->filter));
  bool done = gb_filter_continue(&search->match, text, most + 1, &steps);
  search->matching = !done;
  search->next = number + done;
  service->spent += OBJECT_COST + STEP_COST * steps;
  return done && search->match.found;
}

static void take(gb_session *s, gb_view text) {
  gb_put(&s->search.found, text.at, text.length);
  s->service->spent += GB_BYTE_COST * text.length;
}

static void unregister(gb_session *s, const gb_registered *object) {
  s->search.failed = !gb_store_unregister(s->service->store, object);
  s->service->spent += GB_REQUEST_COST;
}

/* Looks at the next object, or at as much of the filter as the turn allows. False: no object is left. */
static bool look(gb_session *s, double now) {
  struct gb_session_search *search = &s->search;
  if (search->next == 0) {
    if (finds(s, 0, s->service->own))
      take(s, s->service->own);
    return true;
  }
  const gb_registered *object = gb_nws_registry_from(&s->service->store->registry, search->next, now);
  if (object == NULL || object->indexed.number >= search->end || search->failed || search->found.failed)
    return false;
  if (!finds(s, object->indexed.number, object->indexed.key))
    return true;
  if (search->unregister)
    unregister(s, object);
  else
    take(s, object->indexed.key);
  return true;
}

void gb_session_search_step(gb_session *s, double now) {
  if (s->search.room == 0)
    start(s);
  while (look(s, now))
    if (s->service->spent >= s->service->most)
      return;
  finish(s);
}

bool gb_answer_name_server(gb_session *s, const gb_nws_message *request, double now) {
  bool done;
  switch (request->number) {
  case GB_NWS_NS_REGISTER:
    done = add(s, request->registration.object, request->registration.seconds, now);
    gb_say_number(s, done ? GB_NWS_NS_REGISTERED : GB_NWS_NS_FAILED);
    return true;
  case GB_NWS_NS_SEARCH:
  case GB_NWS_NS_UNREGISTER:
    begin_search(s, request->text, request->number == GB_NWS_NS_UNREGISTER);
    return true;
  default:
    return false;
  }
}
