#include "nws/store/log_entry.h"

static gb_view get_text(gb_reader *in) {
  uint32_t length = gb_get_u32(in);
  const unsigned char *at = gb_get(in, length);
  return (gb_view){(const char *)at, at != NULL ? length : 0};
}

static gb_record_times get_times(gb_reader *in) {
  double arrived = gb_get_f64(in), sequence = gb_get_f64(in), time_out = gb_get_f64(in);
  return (gb_record_times){arrived, sequence, time_out};
}

static bool is_done(const gb_reader *in) {
  return !in->bad && in->left == 0;
}

static enum gb_apply applied(bool stored) {
  return stored ? GB_APPLIED : GB_APPLY_NO_MEMORY;
}

static bool is_width(uint32_t width, uint32_t count) {
  return width > 0 && width <= GB_RECORD_MOST && count > 0;
}

/* How many of the records are not newer than what is known of the series. */
static uint32_t not_newer(const gb_nws_memory *memory, gb_view id, gb_record_place place, uint32_t count) {
  gb_record_place next;
  (void)gb_nws_memory_next(memory, id, &next);
  if (next.series != place.series || next.ordinal <= place.ordinal)
    return 0;
  uint64_t known = next.ordinal - place.ordinal;
  return known < count ? (uint32_t)known : count;
}

/* Records with their times, up to the end of the entry. Newer ones are added one after the other, those that
 * are older than all that is known from the last to the first. */
static enum gb_apply records(gb_reader *in, gb_nws_memory *memory, gb_record_place place, gb_batch batch) {
  uint32_t count = batch.count, stride = GB_LOG_ENTRY_TIMES + batch.width;
  if (in->bad || !is_width(batch.width, count) || place.series == 0 || place.series > GB_INDEX_LAST ||
      place.ordinal > GB_INDEX_LAST - count || count != in->left / stride || in->left % stride != 0)
    return GB_APPLY_BAD;
  uint32_t back = not_newer(memory, batch.id, place, count);
  enum gb_apply result = GB_APPLIED;
  batch.count = 1;
  for (uint32_t step = 0; step < count && result == GB_APPLIED; step++) {
    uint32_t i = step < back ? back - 1 - step : step;
    gb_reader one = {.at = in->at + (size_t)i * stride, .left = stride};
    batch.times = get_times(&one);
    batch.records = (const char *)gb_get(&one, batch.width);
    result =
        applied(gb_nws_memory_restore(memory, (gb_record_place){place.series, place.ordinal + i}, &batch));
  }
  return result;
}

static enum gb_apply placed(gb_reader *in, gb_nws_memory *memory) {
  gb_batch batch = {.id = get_text(in)};
  gb_record_place place = {.series = gb_get_u64(in)};
  place.ordinal = gb_get_u64(in);
  batch.width = gb_get_u32(in);
  batch.count = gb_get_u32(in);
  return records(in, memory, place, batch);
}

static enum gb_apply old(enum gb_apply result) {
  return result == GB_APPLIED ? GB_APPLIED_OLD : result;
}

static enum gb_apply old_store(gb_reader *in, gb_nws_memory *memory) {
  gb_batch batch = {.id = get_text(in)};
  batch.times = get_times(in);
  batch.width = gb_get_u32(in);
  batch.count = gb_get_u32(in);
  if (!is_width(batch.width, batch.count) || batch.count != in->left / batch.width)
    return GB_APPLY_BAD;
  batch.records = (const char *)gb_get(in, (size_t)batch.width * batch.count);
  return is_done(in) ? old(applied(gb_nws_memory_store(memory, &batch))) : GB_APPLY_BAD;
}

static enum gb_apply old_series(gb_reader *in, gb_nws_memory *memory) {
  gb_batch batch = {.id = get_text(in)};
  gb_record_place place = {.series = gb_index_next(&memory->index)};
  batch.width = gb_get_u32(in);
  batch.count = gb_get_u32(in);
  return old(records(in, memory, place, batch)); /* a higher number: the series begins again */
}

static enum gb_apply object(gb_reader *in, gb_nws_registry *registry) {
  uint64_t number = gb_get_u64(in);
  double expires = gb_get_f64(in);
  gb_view text = get_text(in);
  if (!is_done(in) || number > GB_INDEX_LAST)
    return GB_APPLY_BAD;
  return applied(gb_nws_registry_put(registry, text, expires, number));
}

enum gb_apply gb_log_entry_apply(gb_view body, gb_nws_registry *registry, gb_nws_memory *memory) {
  gb_reader in = {.at = (const unsigned char *)body.at, .left = body.length};
  const unsigned char *kind = gb_get(&in, 1);
  gb_view text;
  double last;
  switch (kind != NULL ? *kind : 0) {
  case GB_LOG_ENTRY_OBJECT:
    return object(&in, registry);
  case GB_LOG_ENTRY_FORGET:
    text = get_text(&in);
    if (is_done(&in))
      gb_nws_registry_forget(registry, text);
    return is_done(&in) ? GB_APPLIED : GB_APPLY_BAD;
  case GB_LOG_ENTRY_CLEAN:
    last = gb_get_f64(&in);
    if (is_done(&in))
      (void)gb_nws_memory_clean(memory, last, false);
    return is_done(&in) ? GB_APPLIED : GB_APPLY_BAD;
  case GB_LOG_ENTRY_OLD_STORE:
    return old_store(&in, memory);
  case GB_LOG_ENTRY_OLD_SERIES:
    return old_series(&in, memory);
  case GB_LOG_ENTRY_RECORDS:
    return placed(&in, memory);
  default:
    return GB_APPLY_BAD;
  }
}
