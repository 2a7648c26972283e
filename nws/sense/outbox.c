#include "nws/sense/outbox.h"

#include "platform/text/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP_SECONDS 315360000.0 /* ten years, as NWS's sensors say */

static void drop_first(gb_outbox *box) {
  box->first = (box->first + 1) % GB_OUTBOX_MOST;
  box->count--;
}

bool gb_outbox_put(gb_outbox *box, const char *series, double time, double value) {
  gb_measurement measurement = {floor(time), value};
  char text[GB_NWS_RECORD_BYTES];
  if (!gb_record_write(measurement, text))
    return false;
  if (box->count == GB_OUTBOX_MOST) {
    drop_first(box);
    box->lost++;
  }
  /* The wall clock may be set back; sequence numbers must increase. */
  box->last_sequence = fmax(time, box->last_sequence + 1e-6);
  gb_sample *sample = &box->sample[(box->first + box->count++) % GB_OUTBOX_MOST];
  *sample = (gb_sample){.measurement = measurement, .sequence = box->last_sequence};
  (void)snprintf(sample->series, sizeof sample->series, "%s", series);
  return true;
}

const gb_sample *gb_outbox_first(const gb_outbox *box) {
  return box->count > 0 ? &box->sample[box->first] : NULL;
}

void gb_outbox_acknowledged(gb_outbox *box, double sequence) {
  const gb_sample *first = gb_outbox_first(box);
  if (first != NULL && first->sequence <= sequence)
    drop_first(box);
  else
    box->lost--;
}

void gb_sample_tell(const gb_sample *sample, gb_nws_message *out, gb_bytes *text) {
  char record[GB_NWS_RECORD_BYTES];
  (void)gb_record_write(sample->measurement, record); /* checked by gb_outbox_put */
  gb_bytes_clear(text);
  gb_put(text, record, sizeof record);
  *out = (gb_nws_message){.number = GB_NWS_STORE_STATE,
                          .state = {.record_size = sizeof record,
                                    .record_count = 1,
                                    .sequence = sample->sequence,
                                    .time_out = KEEP_SECONDS,
                                    .records = gb_bytes_view(text)}};
  (void)snprintf(out->state.id, sizeof out->state.id, "%s", sample->series);
}

void gb_renewals_release(gb_renewals *r) {
  for (uint32_t i = 0; i < r->count; i++)
    gb_bytes_release(&r->renewal[i].object);
  free(r->renewal);
  *r = (gb_renewals){0};
}

/* Whether it is there already; then it stays. */
static bool has(gb_renewals *r, const gb_bytes *object) {
  for (uint32_t i = 0; i < r->count; i++) {
    gb_renewal *it = &r->renewal[i];
    if (it->object.size != object->size || memcmp(it->object.data, object->data, object->size) != 0)
      continue;
    if (it->withdrawn)
      *it = (gb_renewal){it->object, -INFINITY, GB_RENEW_FIRST, false};
    return true;
  }
  return false;
}

static gb_view object_of(const gb_renewal *it) {
  return gb_bytes_view(&it->object);
}

static bool says(gb_view object, const char *attribute, const char *value) {
  gb_view found;
  return gb_object_get(object, attribute, &found) && gb_view_is(found, value);
}

void gb_renewals_withdraw(gb_renewals *r, const char *class, const char *name) {
  for (uint32_t i = 0; i < r->count; i++) {
    gb_renewal *it = &r->renewal[i];
    if (!says(object_of(it), "objectclass", class) || !says(object_of(it), "name", name))
      continue;
    it->withdrawn = true;
    it->due = -INFINITY;
  }
}

/* Appends `(name=value)`; what a filter cannot say becomes a wildcard. */
static void put_term(gb_bytes *out, gb_view object, const char *attribute) {
  gb_view value;
  if (!gb_object_get(object, attribute, &value))
    return;
  gb_put(out, "(", 1);
  gb_put(out, attribute, strlen(attribute));
  gb_put(out, "=", 1);
  for (size_t i = 0; i < value.length; i++)
    gb_put(out, strchr(" )", value.at[i]) != NULL ? "*" : &value.at[i], 1);
  gb_put(out, ")", 1);
}

/* What others have registered under the same name stays. */
static void put_filter(gb_bytes *out, gb_view object) {
  gb_bytes_clear(out);
  gb_put(out, "(&", 2);
  put_term(out, object, "objectclass");
  put_term(out, object, "name");
  put_term(out, object, "host");
  gb_put(out, ")", 1);
}

bool gb_renewals_add(gb_renewals *r, gb_bytes *object) {
  bool known = !object->failed && has(r, object);
  void *more =
      object->failed || known ? NULL : gb_grow(r->renewal, r->count, &r->capacity, sizeof *r->renewal);
  if (more == NULL) {
    gb_bytes_release(object);
    return known;
  }
  r->renewal = more;
  r->renewal[r->count++] = (gb_renewal){*object, -INFINITY, GB_RENEW_FIRST, false};
  *object = (gb_bytes){0};
  return true;
}

uint32_t gb_renewals_due(const gb_renewals *r, double now, gb_nws_message *out, gb_bytes *text,
                         double *next) {
  uint32_t i = r->count;
  *next = INFINITY;
  for (uint32_t k = 0; k < r->count; k++)
    if (r->renewal[k].due > now)
      *next = fmin(*next, r->renewal[k].due);
    else if (i == r->count || (r->renewal[k].withdrawn && !r->renewal[i].withdrawn))
      i = k; /* withdrawals first: one may be about another object of the same name */
  if (i == r->count)
    return i;
  const gb_renewal *it = &r->renewal[i];
  if (it->withdrawn) {
    put_filter(text, object_of(it));
    *out = (gb_nws_message){.number = GB_NWS_NS_UNREGISTER, .text = gb_bytes_view(text)};
  } else {
    *out = (gb_nws_message){.number = GB_NWS_NS_REGISTER, .registration = {object_of(it), it->seconds}};
  }
  return i;
}

void gb_renewals_done(gb_renewals *r, uint32_t index, bool withdrawn, double now) {
  if (r->renewal[index].withdrawn != withdrawn)
    return; /* it has changed since it was sent, and is still due */
  if (withdrawn) {
    gb_bytes_release(&r->renewal[index].object);
    r->renewal[index] = r->renewal[--r->count];
    return;
  }
  r->renewal[index].due = now + GB_RENEW_FIRST;
  r->renewal[index].seconds = GB_RENEW_AGAIN;
}

void gb_renewals_forgotten(gb_renewals *r) {
  for (uint32_t i = 0; i < r->count; i++)
    r->renewal[i].due = -INFINITY;
}

bool gb_renewals_complete(const gb_renewals *r) {
  for (uint32_t i = 0; i < r->count; i++)
    if (isinf(r->renewal[i].due))
      return false;
  return r->count > 0;
}
