/* The entries of the log of gbcast-nws serve: as they are found again in bytes that were cut or damaged. */
#include "nws/store/log_entry.h"
#include "tests/support/nws/naive_store.h"

enum { CHANGES = 40, MOST = 2 * CHANGES };

typedef struct journal {
  gb_bytes bytes;
  size_t entries, end[MOST + 1]; /* of the entries; end[0] = 0 */
} journal;

Test(serve_entry, crc32c) {
  unsigned char bytes[48] = {0};
  cr_assert_eq(gb_crc32c(0, "123456789", 9), 0xE3069283);
  cr_assert_eq(gb_crc32c(gb_crc32c(0, "1234", 4), "56789", 5), 0xE3069283);
  cr_assert_eq(gb_crc32c(0, bytes, 32), 0x8A9136AA); /* these and the next: RFC 3720, B.4, as numbers */
  memset(bytes, 0xFF, 32);
  cr_assert_eq(gb_crc32c(0, bytes, 32), 0x62A8AB43);
  for (unsigned i = 0; i < 32; i++)
    bytes[i] = (unsigned char)i;
  cr_assert_eq(gb_crc32c(0, bytes, 32), 0x46DD794E);
}

static journal make(uint64_t seed) {
  journal j = {0};
  random_change c;
  double now = 1000;
  gb_record_place place;
  gb_nws_memory m = {.ring = 4};
  for (int i = 0; i < CHANGES; i++, now += 0.5) {
    make_random_change(&c, &seed, now);
    if (c.kind == REGISTER)
      gb_log_entry_object(&j.bytes, gb_view_of(c.object), 1e6 + now, (uint64_t)i + 1);
    else if (c.kind == UNREGISTER)
      gb_log_entry_forget(&j.bytes, gb_view_of(c.object));
    else if (c.kind == CLEAN)
      gb_log_entry_clean(&j.bytes, c.last);
    else if (gb_nws_memory_next(&m, c.batch.id, &place) && gb_nws_memory_store(&m, &c.batch) &&
             xorshift(&seed, 5) > 0)
      gb_log_entry_records(&j.bytes, place, &c.batch);
    else
      gb_log_entry_series(&j.bytes, (const gb_stored_series *)gb_index_find(&m.index, c.batch.id));
  }
  gb_nws_memory_release(&m);
  cr_assert_not(j.bytes.failed);
  gb_view body;
  for (size_t at = 0; gb_log_entry_next(j.bytes.data, j.bytes.size, &at, &body) == GB_LOG_SCAN_ENTRY;) {
    cr_assert_lt(j.entries, MOST);
    j.end[++j.entries] = at;
  }
  cr_assert_eq(j.end[j.entries], j.bytes.size);
  cr_assert_geq(j.entries, CHANGES);
  return j;
}

/* What the bytes say, without the entries from `from` to before `to`. */
static char *state_of(const unsigned char *bytes, size_t size, size_t from, size_t to) {
  gb_nws_registry registry = {0};
  gb_nws_memory memory = {.ring = 4};
  gb_view body;
  for (size_t at = 0, next = 0; at < size; at = next) {
    if (at >= from && at < to)
      next = at = to;
    enum gb_log_scan found = gb_log_entry_next(bytes, size, &next, &body);
    if (found == GB_LOG_SCAN_END)
      break;
    if (found == GB_LOG_SCAN_ENTRY)
      cr_assert_eq(gb_log_entry_apply(body, &registry, &memory), GB_APPLIED);
  }
  char *text = real_text(&registry, &memory, 1000);
  gb_nws_registry_release(&registry);
  gb_nws_memory_release(&memory);
  return text;
}

/* Copied to memory of just this size, so that sanitizers see every byte too many that is read. */
static unsigned char *exactly(const unsigned char *bytes, size_t size) {
  unsigned char *copy = malloc(size > 0 ? size : 1);
  memcpy(copy, bytes, size);
  return copy;
}

Test(serve_entry, cut_anywhere) {
  journal j = make(5);
  for (size_t size = 0, whole = 0; size <= j.bytes.size; size++) {
    unsigned char *bytes = exactly(j.bytes.data, size);
    size_t at = 0, entries = 0;
    gb_view body;
    while (gb_log_entry_next(bytes, size, &at, &body) == GB_LOG_SCAN_ENTRY)
      entries++;
    whole += whole < j.entries && size == j.end[whole + 1];
    cr_assert_eq(entries, whole);
    cr_assert_eq(at, j.end[whole]);
    cr_assert(at == size || gb_log_entry_is_torn(bytes + at, size - at), "%zu", size);
    free(bytes);
  }
  gb_bytes_release(&j.bytes);
}

Test(serve_entry, damaged_anywhere) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    journal j = make(seed);
    uint64_t random = seed;
    size_t hit = 0;
    for (size_t i = 0; i < j.bytes.size; i++) {
      unsigned char *bytes = exactly(j.bytes.data, j.bytes.size);
      bytes[i] ^= (unsigned char)(1 + xorshift(&random, 255));
      hit += i == j.end[hit + 1];
      char *want = state_of(j.bytes.data, j.bytes.size, j.end[hit], j.end[hit + 1]);
      char *got = state_of(bytes, j.bytes.size, j.bytes.size, j.bytes.size);
      cr_assert_str_eq(got, want, "byte %zu, of entry %zu", i, hit);
      free(want);
      free(got);
      free(bytes);
    }
    gb_bytes_release(&j.bytes);
  }
}

/* Bodies that have the right checksum and make no sense. */
Test(serve_entry, nonsense) {
  journal j = make(9);
  uint64_t random = 1;
  gb_view body;
  for (int round = 0; round < 20000; round++) {
    gb_nws_registry registry = {0};
    gb_nws_memory memory = {.ring = 4};
    size_t at = j.end[xorshift(&random, (uint32_t)j.entries)];
    cr_assert_eq(gb_log_entry_next(j.bytes.data, j.bytes.size, &at, &body), GB_LOG_SCAN_ENTRY);
    size_t size = xorshift(&random, 3) == 0 ? xorshift(&random, (uint32_t)body.length + 1) : body.length;
    unsigned char *bytes = exactly((const unsigned char *)body.at, size);
    for (uint32_t flips = xorshift(&random, 4); size > 0 && flips > 0; flips--)
      bytes[xorshift(&random, (uint32_t)(size < 64 ? size : 64))] = (unsigned char)xorshift(&random, 256);
    (void)gb_log_entry_apply((gb_view){(const char *)bytes, size}, &registry, &memory);
    free(bytes);
    gb_nws_registry_release(&registry);
    gb_nws_memory_release(&memory);
  }
  gb_bytes_release(&j.bytes);
}
