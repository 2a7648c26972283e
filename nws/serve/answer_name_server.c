#include "nws/serve/answer.h"
#include "nws/wire/wire.h"

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

void gb_session_search_begin(gb_session *s, gb_view filter, bool unregister) {
  struct gb_session_search *search = &s->search;
  search->on = true;
  search->unregister = unregister;
  search->failed = false;
  search->room = 0;
  gb_bytes_clear(&search->filter);
  gb_bytes_clear(&search->found);
  gb_put(&search->filter, filter.at, filter.length);
}

/* For what is found and for the answer, in buffers of up to twice the size of their content. */
size_t gb_session_search_room(const gb_session *s) {
  const gb_service *service = s->service;
  size_t room = s->search.unregister ? 1 : 1 + 4 * (service->store->registry.bytes + service->own.length);
  return service->held + room <= service->held_most ? room : 0;
}

static void start(gb_session *s, gb_view filter) {
  struct gb_session_search *search = &s->search;
  search->room = gb_session_search_room(s);
  search->next = 0;
  search->end = s->service->store->registry.index.next_number;
  if (!search->unregister && gb_filter_matches(filter, s->service->own))
    gb_put(&search->found, s->service->own.at, s->service->own.length);
}

static void finish(gb_session *s) {
  struct gb_session_search *search = &s->search;
  search->on = false;
  search->room = 0;
  gb_nws_message m = {.number = search->unregister ? GB_NWS_NS_UNREGISTERED : GB_NWS_NS_SEARCHED,
                      .text = {(const char *)search->found.data, search->found.size}};
  if (search->failed || search->filter.failed || search->found.failed)
    m = (gb_nws_message){.number = GB_NWS_NS_FAILED};
  gb_session_say(s, &m);
  gb_bytes_clear(&search->found);
}

static void take(gb_session *s, const gb_registered *object) {
  struct gb_session_search *search = &s->search;
  if (search->unregister) {
    search->failed = !gb_store_unregister(s->service->store, object);
    s->service->spent += GB_REQUEST_COST;
  } else {
    gb_put(&search->found, object->text, object->indexed.key.length);
  }
}

void gb_session_search_step(gb_session *s, double now) {
  struct gb_session_search *search = &s->search;
  gb_view filter = {(const char *)search->filter.data, search->filter.size};
  if (search->room == 0)
    start(s, filter);
  do {
    const gb_registered *object = gb_nws_registry_from(&s->service->store->registry, search->next, now);
    if (object == NULL || object->indexed.number >= search->end || search->failed || search->found.failed) {
      finish(s);
      return;
    }
    search->next = object->indexed.number + 1;
    s->service->spent += (filter.length + 16) * object->indexed.key.length;
    if (gb_filter_matches(filter, object->indexed.key))
      take(s, object);
  } while (s->service->spent < GB_ITERATION_COST);
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
    gb_session_search_begin(s, request->text, request->number == GB_NWS_NS_UNREGISTER);
    return true;
  default:
    return false;
  }
}
