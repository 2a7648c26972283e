#include "nws/store/log_entry.h"

#include "nws/store/crc32c.h"

#define SYNC 0x67624e57u /* "gbNW" */
#define HEADER 12u

/* begin() appends an empty header, seal() fills it in when the body is complete. */
static size_t begin(gb_bytes *out, unsigned char kind) {
  size_t start = out->size;
  gb_put_u32(out, SYNC);
  gb_put_u32(out, 0);
  gb_put_u32(out, 0);
  gb_put(out, &kind, 1);
  return start;
}

static void seal(gb_bytes *out, size_t start) {
  if (out->failed)
    return;
  unsigned char *entry = out->data + start;
  size_t length = out->size - start - HEADER;
  gb_set_u32(entry + 4, (uint32_t)length);
  gb_set_u32(entry + 8, gb_crc32c(gb_crc32c(0, entry + 4, 4), entry + HEADER, length));
}

static void put_text(gb_bytes *out, gb_view text) {
  gb_put_u32(out, (uint32_t)text.length);
  gb_put(out, text.at, text.length);
}

static void put_times(gb_bytes *out, gb_record_times times) {
  gb_put_f64(out, times.arrived);
  gb_put_f64(out, times.sequence);
  gb_put_f64(out, times.time_out);
}

void gb_log_entry_object(gb_bytes *out, gb_view object, double expires, uint64_t number) {
  size_t start = begin(out, GB_LOG_ENTRY_OBJECT);
  gb_put_u64(out, number);
  gb_put_f64(out, expires);
  put_text(out, object);
  seal(out, start);
}

void gb_log_entry_forget(gb_bytes *out, gb_view object) {
  size_t start = begin(out, GB_LOG_ENTRY_FORGET);
  put_text(out, object);
  seal(out, start);
}

void gb_log_entry_store(gb_bytes *out, const gb_batch *batch) {
  size_t start = begin(out, GB_LOG_ENTRY_STORE);
  put_text(out, batch->id);
  put_times(out, batch->times);
  gb_put_u32(out, batch->width);
  gb_put_u32(out, batch->count);
  gb_put(out, batch->records, (size_t)batch->width * batch->count);
  seal(out, start);
}

void gb_log_entry_clean(gb_bytes *out, double last) {
  size_t start = begin(out, GB_LOG_ENTRY_CLEAN);
  gb_put_f64(out, last);
  seal(out, start);
}

void gb_log_entry_series(gb_bytes *out, const gb_stored_series *series) {
  size_t start = begin(out, GB_LOG_ENTRY_SERIES);
  put_text(out, series->indexed.key);
  gb_put_u32(out, series->width);
  gb_put_u32(out, series->count);
  for (uint32_t age = series->count; age-- > 0;) {
    uint32_t at = gb_stored_series_slot(series, age);
    put_times(out, series->times[at]);
    gb_put(out, series->record + (size_t)at * series->width, series->width);
  }
  seal(out, start);
}

static bool is_entry(const unsigned char *bytes, size_t size, size_t *length) {
  gb_reader in = {.at = bytes, .left = size};
  uint32_t sync = gb_get_u32(&in), body = gb_get_u32(&in), crc = gb_get_u32(&in);
  if (in.bad || sync != SYNC || body == 0 || body > in.left ||
      crc != gb_crc32c(gb_crc32c(0, bytes + 4, 4), bytes + HEADER, body))
    return false;
  *length = body;
  return true;
}

enum gb_log_scan gb_log_entry_next(const unsigned char *bytes, size_t size, size_t *at, gb_view *body) {
  size_t length;
  if (is_entry(bytes + *at, size - *at, &length)) {
    *body = (gb_view){(const char *)bytes + *at + HEADER, length};
    *at += HEADER + length;
    return GB_LOG_SCAN_ENTRY;
  }
  for (size_t next = *at + 1; next + HEADER < size; next++)
    if (is_entry(bytes + next, size - next, &length)) {
      *at = next;
      return GB_LOG_SCAN_GAP;
    }
  return GB_LOG_SCAN_END;
}

bool gb_log_entry_is_torn(const unsigned char *bytes, size_t size) {
  unsigned char sync[4];
  gb_set_u32(sync, SYNC);
  if (memcmp(bytes, sync, size < 4 ? size : 4) != 0)
    return false;
  gb_reader in = {.at = bytes, .left = size};
  (void)gb_get_u32(&in);
  uint32_t body = gb_get_u32(&in);
  (void)gb_get_u32(&in);
  return in.bad || body > in.left;
}
