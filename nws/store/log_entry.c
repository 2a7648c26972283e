#include "nws/store/log_entry.h"

#define SYNC 0x67624e57u /* "gbNW" */
#define HEADER 12u
#define BODY_MOST                                                                                            \
  (2u << 20) /* a series of 2000 records of 512 bytes, as earlier versions wrote it, has half of it */

/* Four bits at a time: the remainders of 0 to 15 by the reflected polynomial 0x82F63B78. */
uint32_t gb_crc32c(uint32_t before, const void *data, size_t size) {
  static const uint32_t remainder[16] = {
      0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
      0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
  };
  const unsigned char *at = data;
  uint32_t crc = ~before;
  for (size_t i = 0; i < size; i++) {
    crc ^= at[i];
    crc = crc >> 4 ^ remainder[crc & 15];
    crc = crc >> 4 ^ remainder[crc & 15];
  }
  return ~crc;
}

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

void gb_log_entry_clean(gb_bytes *out, double last) {
  size_t start = begin(out, GB_LOG_ENTRY_CLEAN);
  gb_put_f64(out, last);
  seal(out, start);
}

/* `times`: of each record; NULL: those of the batch. */
static void put_records(gb_bytes *out, gb_record_place place, const gb_batch *batch,
                        const gb_record_times *times) {
  size_t start = begin(out, GB_LOG_ENTRY_RECORDS);
  put_text(out, batch->id);
  gb_put_u64(out, place.series);
  gb_put_u64(out, place.ordinal);
  gb_put_u32(out, batch->width);
  gb_put_u32(out, batch->count);
  for (uint32_t i = 0; i < batch->count; i++) {
    put_times(out, times != NULL ? times[i] : batch->times);
    gb_put(out, batch->records + (size_t)i * batch->width, batch->width);
  }
  seal(out, start);
}

/* In an entry. */
static uint32_t records_most(uint32_t width) {
  uint32_t most = GB_LOG_ENTRY_RECORD_BYTES / (GB_LOG_ENTRY_TIMES + width);
  return most > 0 ? most : 1;
}

void gb_log_entry_records(gb_bytes *out, gb_record_place place, const gb_batch *batch) {
  uint32_t most = records_most(batch->width);
  gb_batch part = *batch;
  for (uint32_t done = 0; done < batch->count; done += part.count) {
    uint32_t left = batch->count - done;
    part.count = left < most ? left : most;
    part.records = batch->records + (size_t)done * batch->width;
    put_records(out, (gb_record_place){place.series, place.ordinal + done}, &part, NULL);
  }
}

/* The newest first, so that a reader who has those that were stored since can put each before the last:
 *
 *      r4 r5 r6 | r2 r3     of the ring, with its oldest at r2: the entry r4 to r6, then r2 and r3
 */
void gb_log_entry_series(gb_bytes *out, const gb_stored_series *s) {
  gb_batch batch = {.id = s->indexed.key, .width = s->width};
  uint32_t most = records_most(s->width);
  for (uint32_t left = s->count; left > 0; left -= batch.count) {
    uint32_t end = (s->first + left - 1) % s->capacity + 1; /* slot behind the newest that is left */
    batch.count = left < most ? left : most;
    batch.count = batch.count < end ? batch.count : end;
    batch.records = s->record + (size_t)(end - batch.count) * s->width;
    gb_record_place place = {s->indexed.number, s->next - s->count + left - batch.count};
    put_records(out, place, &batch, s->times + end - batch.count);
  }
}

static bool is_entry(const unsigned char *bytes, size_t size, size_t *length) {
  gb_reader in = {.at = bytes, .left = size};
  uint32_t sync = gb_get_u32(&in), body = gb_get_u32(&in), crc = gb_get_u32(&in);
  if (in.bad || sync != SYNC || body == 0 || body > BODY_MOST || body > in.left ||
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

bool gb_log_entry_names(const unsigned char *bytes, size_t size, gb_view *id) {
  gb_reader in = {.at = bytes, .left = size};
  (void)gb_get(&in, HEADER);
  const unsigned char *kind = gb_get(&in, 1);
  uint32_t length = gb_get_u32(&in);
  const unsigned char *text = gb_get(&in, length);
  *id = (gb_view){(const char *)text, length};
  return text != NULL && length > 0 && length <= GB_NWS_NAME_MOST &&
         (*kind == GB_LOG_ENTRY_OLD_STORE || *kind == GB_LOG_ENTRY_OLD_SERIES ||
          *kind == GB_LOG_ENTRY_RECORDS);
}
