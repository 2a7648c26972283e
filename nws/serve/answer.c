/* Answers of the memory, and those that both daemons give. */
#include "nws/serve/session.h"

#include <math.h>
#include <stdlib.h>

#define NAMES_MOST 20000u     /* of a subscription; as many series as serve keeps */
#define NAME_COST 2000u       /* of sorting it among as many */
#define SUBSCRIBER_COST 5000u /* to look for a name among those of a subscription */
#define SERIES_COST 500u      /* to look at one */

/* ---- Autofetch ----
 *
 * A series is pushed to subscribers that named it exactly; NWS 2.0.5 also pushes series whose name is a
 * substring of the list. */

static int by_text(const void *a, const void *b) {
  const gb_view *x = a, *y = b;
  return gb_view_compare(*x, *y);
}

void gb_unsubscribe(gb_session *s) {
  struct gb_subscription *own = &s->subscription;
  if (own->count > 0)
    LIST_REMOVE(s, subscription.others);
  free(own->text);
  free(own->name);
  *own = (struct gb_subscription){0};
}

/* The names that TABs separate; without `name` counts them only. */
static size_t split(gb_view list, gb_view *name) {
  size_t count = 0;
  while (list.length > 0) {
    gb_view next = gb_view_before(list, '\t', &list);
    if (next.length > 0 && name != NULL)
      name[count] = next;
    count += next.length > 0;
  }
  return count;
}

/* `names` are separated by TABs; an empty list ends the subscription. False: too many names, or out of
 * memory; nothing has changed. */
static bool begin_autofetch(gb_session *s, gb_view names) {
  size_t count = split(names, NULL);
  if (count == 0) {
    gb_unsubscribe(s);
    return true;
  }
  if (count > NAMES_MOST)
    return false;
  s->service->spent += NAME_COST * count;
  char *text = malloc(names.length);
  gb_view *name = malloc(count * sizeof *name);
  if (text == NULL || name == NULL) {
    free(text);
    free(name);
    return false;
  }
  memcpy(text, names.at, names.length);
  (void)split((gb_view){text, names.length}, name);
  qsort(name, count, sizeof *name, by_text);
  gb_unsubscribe(s);
  s->subscription = (struct gb_subscription){text, name, count, names.length + count * sizeof *name, {0}};
  LIST_INSERT_HEAD(&s->service->subscribers, s, subscription.others);
  return true;
}

static bool wants(const gb_session *s, gb_view id) {
  const struct gb_subscription *own = &s->subscription;
  return bsearch(&id, own->name, own->count, sizeof id, by_text) != NULL;
}

/* Sends the state to all subscribers of its series. */
static void push(gb_service *service, const gb_nws_state *state) {
  gb_nws_message m = {.number = GB_NWS_STATE_FETCHED, .state = *state};
  gb_view id = gb_view_of(state->id);
  for (gb_session *s = LIST_FIRST(&service->subscribers); s != NULL; s = LIST_NEXT(s, subscription.others)) {
    service->spent += SUBSCRIBER_COST;
    if (s->closing || !wants(s, id))
      continue;
    gb_session_say(s, &m);
    service->spent += GB_BYTE_COST * state->records.length;
    if (gb_session_output(s).length > GB_SESSION_PUSH_MOST)
      s->closing = true;
  }
}

/* ---- The memory ---- */

/* Records of more than GB_RECORD_MOST bytes are cut to that, as NWS does. Returns the copy that was needed,
 * for the caller to free; *failed: out of memory. */
static char *shorten(gb_batch *batch, bool *failed) {
  uint32_t width = batch->width;
  if (width <= GB_RECORD_MOST)
    return NULL;
  char *records = malloc((size_t)batch->count * GB_RECORD_MOST);
  *failed = records == NULL;
  for (uint32_t i = 0; records != NULL && i < batch->count; i++)
    memcpy(records + (size_t)i * GB_RECORD_MOST, batch->records + (size_t)i * width, GB_RECORD_MOST);
  batch->records = records;
  batch->width = GB_RECORD_MOST;
  return records;
}

/* Of more records than a series has, only the newest are kept. */
static void leave_out_oldest(gb_batch *batch, uint32_t ring) {
  if (batch->count <= ring)
    return;
  batch->records += (size_t)(batch->count - ring) * batch->width;
  batch->count = ring;
}

/* Keeps what the state holds; *sequence is then that of the store. */
static bool keep(gb_session *s, const gb_nws_state *state, double now, double *sequence) {
  gb_batch batch = {.id = gb_view_of(state->id),
                    .times = {.sequence = state->sequence, .time_out = state->time_out},
                    .width = state->record_size,
                    .count = state->record_count,
                    .records = state->records.at};
  leave_out_oldest(&batch, s->service->store->memory.ring);
  bool failed = batch.id.length == 0 || !isfinite(state->time_out);
  char *copy = failed ? NULL : shorten(&batch, &failed);
  bool kept = !failed && gb_store_put(s->service->store, &batch, now);
  *sequence = batch.times.sequence;
  free(copy);
  return kept;
}

static void store(gb_session *s, const gb_nws_state *state, double now) {
  gb_nws_state pushed = *state;
  bool kept = state->record_count == 0 || keep(s, state, now, &pushed.sequence);
  gb_say_number(s, kept ? GB_NWS_STATE_STORED : GB_NWS_MEMORY_FAILED);
  if (kept && state->record_count > 0)
    push(s->service, &pushed);
}

static void fetch(gb_session *s, const gb_nws_state *state, double now) {
  gb_bytes records = {0};
  gb_nws_message m = {.number = GB_NWS_STATE_FETCHED};
  uint32_t most = state->record_count <= INT32_MAX ? state->record_count : 0; /* it is signed on the wire */
  double after = state->sequence > 0 ? state->sequence : 0;
  if (!gb_nws_memory_fetch(&s->service->store->memory, gb_view_of(state->id), most, after, now, &m.state,
                           &records) ||
      records.failed)
    m = (gb_nws_message){.number = GB_NWS_MEMORY_FAILED};
  gb_session_say(s, &m);
  gb_bytes_release(&records);
}

static void clean(gb_session *s, uint32_t idle, double now) {
  s->service->spent += SERIES_COST * s->service->store->memory.index.count;
  bool done = gb_store_clean(s->service->store, now - idle);
  gb_say_number(s, done ? GB_NWS_MEMORY_CLEANED : GB_NWS_MEMORY_FAILED);
}

static bool answer_memory(gb_session *s, const gb_nws_message *request, double now) {
  switch (request->number) {
  case GB_NWS_STORE_STATE:
    store(s, &request->state, now);
    return true;
  case GB_NWS_FETCH_STATE:
    fetch(s, &request->state, now);
    return true;
  case GB_NWS_AUTOFETCH_BEGIN:
    gb_say_number(s, begin_autofetch(s, request->text) ? GB_NWS_AUTOFETCH_ACK : GB_NWS_MEMORY_FAILED);
    return true;
  case GB_NWS_MEMORY_CLEAN:
    clean(s, request->word, now);
    return true;
  default:
    return false;
  }
}

/* ---- Both daemons ---- */

void gb_say_number(gb_session *s, uint32_t number) {
  gb_session_say(s, &(gb_nws_message){.number = number});
}

static void say_who(gb_session *s) {
  const gb_service *service = s->service;
  gb_nws_message m = {.number = GB_NWS_HOST_TEST_RESULT};
  memcpy(m.host.name, s->is_memory ? service->memory : service->name_server, sizeof m.host.name);
  memcpy(m.host.name_server, service->name_server, sizeof m.host.name_server);
  m.host.type = s->is_memory ? GB_NWS_MEMORY : GB_NWS_NAME_SERVER;
  m.host.healthy = true; /* the memory is always registered here */
  gb_session_say(s, &m);
}

bool gb_answer(gb_session *s, const gb_nws_message *request, double now) {
  switch (request->number) {
  case GB_NWS_HOST_TEST:
    say_who(s);
    return true;
  case GB_NWS_HOST_DIAGNOSTICS: /* there are no streams to switch on or off */
    gb_say_number(s, GB_NWS_HOST_DIAGNOSTICS_ACK);
    return true;
  case GB_NWS_HOST_DIE:      /* ended by a signal, not by whoever can connect */
  case GB_NWS_HOST_REGISTER: /* this memory and this name server stay together */
    gb_say_number(s, GB_NWS_HOST_REFUSED);
    return true;
  default:
    return s->is_memory ? answer_memory(s, request, now) : gb_answer_name_server(s, request, now);
  }
}
