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

static enum gb_apply object(gb_reader *in, gb_nws_registry *registry) {
  uint64_t number = gb_get_u64(in);
  double expires = gb_get_f64(in);
  gb_view text = get_text(in);
  if (!is_done(in) || number > GB_INDEX_LAST)
    return GB_APPLY_BAD;
  return applied(gb_nws_registry_put(registry, text, expires, number));
}

static enum gb_apply forget(gb_reader *in, gb_nws_registry *registry) {
  gb_view text = get_text(in);
  if (!is_done(in))
    return GB_APPLY_BAD;
  gb_nws_registry_forget(registry, text);
  return GB_APPLIED;
}

static bool is_width(uint32_t width, uint32_t count) {
  return width > 0 && width <= GB_RECORD_MOST && count > 0;
}

static enum gb_apply store(gb_reader *in, gb_nws_memory *memory) {
  gb_batch batch = {.id = get_text(in), .times = get_times(in)};
  batch.width = gb_get_u32(in);
  batch.count = gb_get_u32(in);
  if (!is_width(batch.width, batch.count) || batch.count != in->left / batch.width)
    return GB_APPLY_BAD;
  batch.records = (const char *)gb_get(in, (size_t)batch.width * batch.count);
  return is_done(in) ? applied(gb_nws_memory_store(memory, &batch)) : GB_APPLY_BAD;
}

static enum gb_apply clean(gb_reader *in, gb_nws_memory *memory) {
  double last = gb_get_f64(in);
  if (!is_done(in))
    return GB_APPLY_BAD;
  (void)gb_nws_memory_clean(memory, last, false);
  return GB_APPLIED;
}

static enum gb_apply series(gb_reader *in, gb_nws_memory *memory) {
  gb_batch batch = {.id = get_text(in)};
  batch.width = gb_get_u32(in);
  uint32_t count = gb_get_u32(in);
  if (in->bad || !is_width(batch.width, count) || count != in->left / (24 + batch.width) ||
      in->left % (24 + batch.width) != 0)
    return GB_APPLY_BAD;
  gb_nws_memory_forget(memory, batch.id);
  enum gb_apply result = GB_APPLIED;
  batch.count = 1;
  for (; count > 0 && result == GB_APPLIED; count--) {
    batch.times = get_times(in);
    batch.records = (const char *)gb_get(in, batch.width);
    result = applied(gb_nws_memory_store(memory, &batch));
  }
  return result;
}

enum gb_apply gb_log_entry_apply(gb_view body, gb_nws_registry *registry, gb_nws_memory *memory) {
  gb_reader in = {.at = (const unsigned char *)body.at, .left = body.length};
  const unsigned char *kind = gb_get(&in, 1);
  switch (kind != NULL ? *kind : 0) {
  case GB_LOG_ENTRY_OBJECT:
    return object(&in, registry);
  case GB_LOG_ENTRY_FORGET:
    return forget(&in, registry);
  case GB_LOG_ENTRY_STORE:
    return store(&in, memory);
  case GB_LOG_ENTRY_CLEAN:
    return clean(&in, memory);
  case GB_LOG_ENTRY_SERIES:
    return series(&in, memory);
  default:
    return GB_APPLY_BAD;
  }
}
