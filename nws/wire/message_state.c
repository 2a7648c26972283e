/* Bodies of messages from and to memories: a series' records. */
#include "nws/wire/body.h"

static void put_head(gb_bytes *out, const gb_nws_state *s) {
  gb_put_field(out, s->id, sizeof s->id);
  gb_put_u32(out, s->record_size);
  gb_put_u32(out, s->record_count);
  gb_put_f64(out, s->sequence);
  gb_put_f64(out, s->time_out);
}

/* Records must fill the body exactly, so that readers need not trust the count. */
static bool fits(const gb_nws_state *s, size_t length) {
  return (uint64_t)s->record_size * s->record_count == length && (s->record_count == 0 || length > 0);
}

void gb_nws_put_query(gb_bytes *out, const gb_nws_message *m) {
  put_head(out, &m->state);
}

void gb_nws_put_state(gb_bytes *out, const gb_nws_message *m) {
  put_head(out, &m->state);
  gb_put(out, m->state.records.at, m->state.records.length);
  out->failed = out->failed || !fits(&m->state, m->state.records.length);
}

void gb_nws_get_query(gb_reader *in, gb_nws_message *m) {
  gb_nws_state *s = &m->state;
  gb_get_field(in, sizeof s->id, s->id);
  s->record_size = gb_get_u32(in);
  s->record_count = gb_get_u32(in);
  s->sequence = gb_get_f64(in);
  s->time_out = gb_get_f64(in);
}

void gb_nws_get_state(gb_reader *in, gb_nws_message *m) {
  gb_nws_get_query(in, m);
  m->state.records = gb_get_rest(in);
  in->bad = in->bad || !fits(&m->state, m->state.records.length);
}
