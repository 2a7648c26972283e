#include "nws/serve/answer.h"

#include <math.h>
#include <stdlib.h>

#define SERIES_COST 500u /* to look at one */

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
    gb_push(s->service, &pushed);
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

static void subscribe(gb_session *s, gb_view names) {
  bool done = gb_subscribe(s, names);
  gb_say_number(s, done ? GB_NWS_AUTOFETCH_ACK : GB_NWS_MEMORY_FAILED);
}

static void clean(gb_session *s, uint32_t idle, double now) {
  s->service->spent += SERIES_COST * s->service->store->memory.index.count;
  bool done = gb_store_clean(s->service->store, now - idle);
  gb_say_number(s, done ? GB_NWS_MEMORY_CLEANED : GB_NWS_MEMORY_FAILED);
}

bool gb_answer_memory(gb_session *s, const gb_nws_message *request, double now) {
  switch (request->number) {
  case GB_NWS_STORE_STATE:
    store(s, &request->state, now);
    return true;
  case GB_NWS_FETCH_STATE:
    fetch(s, &request->state, now);
    return true;
  case GB_NWS_AUTOFETCH_BEGIN:
    subscribe(s, request->text);
    return true;
  case GB_NWS_MEMORY_CLEAN:
    clean(s, request->word, now);
    return true;
  default:
    return false;
  }
}
