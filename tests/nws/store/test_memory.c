/* The memory of gbcast-nws serve against one that keeps a plain list; its bounds. */
#include "tests/support/nws/naive_store.h"

static void store_one(gb_nws_memory *m, const char *id, double time, const char *record, bool fits) {
  gb_batch batch = {gb_view_of(id), {time, time, 1e9}, (uint32_t)strlen(record), 1, record};
  cr_assert_eq(gb_nws_memory_has_room(m, &batch), fits, "%s at %f", id, time);
  cr_assert_eq(gb_nws_memory_store(m, &batch), fits, "%s at %f", id, time);
}

static void check_fetch(const naive_store *n, const gb_nws_memory *m, uint64_t *seed, double now) {
  char id[2] = {(char)('a' + xorshift(seed, 9))};
  uint32_t most = xorshift(seed, 12), got = 0;
  double after = xorshift(seed, 3) == 0 ? 0 : now - xorshift(seed, 40), sequence = 0;
  gb_bytes records = {0};
  gb_nws_state state;
  int first = 0, last = 0;
  bool known = gb_nws_memory_fetch(m, gb_view_of(id), most, after, now, &state, &records);
  cr_assert_eq(known, naive_count(n, id, &first, &last) > 0);
  for (int i = n->records - 1; known && i >= 0 && got < most; i--) {
    const naive_record *r = &n->record[i];
    if (strcmp(r->id, id) != 0 || r->times.sequence <= after || r->times.arrived + r->times.time_out <= now)
      continue;
    sequence = got == 0 ? r->times.sequence : sequence;
    cr_assert_lt(got, state.record_count);
    cr_assert_eq(memcmp(state.records.at + (size_t)got++ * state.record_size, r->text, strlen(r->text)), 0);
  }
  if (known) {
    cr_assert_eq(state.record_count, got);
    cr_assert_eq(state.records.length, (size_t)got * state.record_size);
    cr_assert_eq(state.sequence, sequence);
    cr_assert_str_eq(state.id, id);
  }
  gb_bytes_release(&records);
}

Test(serve_memory, as_a_plain_list) {
  static naive_store n;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed * 0x9E3779B97F4A7C15u;
    double now = 1000;
    random_change c;
    gb_nws_memory m = {.ring = 1 + xorshift(&state, 12)};
    gb_nws_registry none = {0};
    n = (naive_store){.ring = m.ring};
    for (int step = 0; step < 300; step++, now += xorshift(&state, 8) * 0.25) {
      make_random_change(&c, &state, now);
      if (c.kind != STORE && c.kind != CLEAN)
        continue;
      naive_change(&n, &c, now);
      if (c.kind == CLEAN)
        (void)gb_nws_memory_clean(&m, c.last, false);
      c.batch.times.sequence = gb_nws_memory_sequence(&m, c.batch.id, c.batch.times.sequence, now);
      cr_assert(c.kind == CLEAN || gb_nws_memory_store(&m, &c.batch));
      assert_same_state(&n, &none, &m, now, "after a change");
      check_fetch(&n, &m, &state, now);
    }
    gb_nws_memory_release(&m);
    cr_assert_eq(m.bytes, 0);
  }
}

/* Whoever asks again and again for what came after the last answer gets each record once. */
Test(serve_memory, polling_misses_nothing) {
  gb_nws_memory m = {.ring = 100};
  gb_bytes records = {0};
  gb_nws_state state;
  uint64_t seed = 7;
  double last = 0;
  int stored = 0, seen = 0;
  for (int step = 0; step < 2000; step++) {
    double now = 1000 + step / 10; /* many in the same second, and clocks that differ */
    char record[16];
    if (xorshift(&seed, 3) > 0) {
      (void)snprintf(record, sizeof record, "%07d", stored++);
      gb_batch batch = {gb_view_of("a"), {now, 0, 1e9}, 7, 1, record};
      batch.times.sequence = gb_nws_memory_sequence(&m, batch.id, now + 3 - (double)xorshift(&seed, 6), now);
      cr_assert(gb_nws_memory_store(&m, &batch));
    } else if (gb_nws_memory_fetch(&m, gb_view_of("a"), 100, last, now, &state, &records) &&
               state.record_count > 0) {
      last = state.sequence;
      seen += (int)state.record_count;
      (void)snprintf(record, sizeof record, "%07d", stored - 1);
      cr_assert_eq(memcmp(state.records.at, record, 7), 0);
      cr_assert_eq(seen, stored);
    }
  }
  cr_assert_gt(seen, 1000);
  gb_bytes_release(&records);
  gb_nws_memory_release(&m);
}

Test(serve_memory, full_of_series) {
  gb_nws_memory m = {.ring = 10, .count_most = 2};
  store_one(&m, "a", 1, "x", true);
  store_one(&m, "b", 1, "x", true);
  store_one(&m, "c", 2, "x", false);
  store_one(&m, "a", 3, "y", true);
  cr_assert_eq(gb_nws_memory_clean(&m, 2, true), 1, "only looks");
  cr_assert_eq(gb_nws_memory_clean(&m, 2, false), 1);
  store_one(&m, "c", 4, "x", true);
  gb_nws_memory_release(&m);
}

/* When the bytes are used up, a series goes on in the room that it has, and loses nobody else's records. */
Test(serve_memory, full_of_bytes) {
  gb_nws_memory m = {.ring = 1000,
                     .bytes_most = gb_stored_series_bytes(1, 8, 32) + gb_stored_series_bytes(1, 16, 32)};
  gb_bytes records = {0};
  gb_nws_state state;
  char record[33];
  store_one(&m, "b", 1, "12345678901234567890123456789012", true);
  for (int i = 1; i <= 40; i++) {
    (void)snprintf(record, sizeof record, "%032d", i);
    store_one(&m, "a", i, record, true);
  }
  cr_assert_leq(m.bytes, m.bytes_most);
  store_one(&m, "c", 50, "x", false);
  store_one(&m, "a", 51, "a record of so many bytes that the others would have to grow too", false);
  cr_assert(gb_nws_memory_fetch(&m, gb_view_of("a"), 1000, 0, 60, &state, &records));
  cr_assert_eq(state.record_count, 16);
  cr_assert_eq(memcmp(state.records.at, "00000000000000000000000000000040", 32), 0);
  cr_assert(gb_nws_memory_fetch(&m, gb_view_of("b"), 1000, 0, 60, &state, &records));
  cr_assert_eq(state.record_count, 1);
  gb_bytes_release(&records);
  gb_nws_memory_release(&m);
}

Test(serve_memory, records_of_other_widths) {
  gb_nws_memory m = {.ring = 3};
  gb_bytes records = {0};
  gb_nws_state state;
  store_one(&m, "a", 1, "1 2", true);
  store_one(&m, "a", 2, "10 20", true);
  store_one(&m, "a", 3, "3 4", true);
  cr_assert(gb_nws_memory_fetch(&m, gb_view_of("a"), 9, 0, 4, &state, &records));
  cr_assert_eq(state.record_size, 5);
  cr_assert_eq(state.records.length, 15);
  cr_assert_eq(memcmp(state.records.at, "3 4  10 201 2  ", 15), 0);
  gb_bytes_release(&records);
  gb_nws_memory_release(&m);
}

static bool restore(gb_nws_memory *m, const char *id, uint64_t series, uint64_t ordinal) {
  const gb_batch record = {
      .id = gb_view_of(id), .times = {1, 1, 1e9}, .width = 1, .count = 1, .records = "x"};
  return gb_nws_memory_restore(m, (gb_record_place){series, ordinal}, &record);
}

/* A series that is dropped because its newest records are lost goes on with its number. */
Test(serve_memory, restored_after_a_drop) {
  gb_nws_memory m = {.ring = 10};
  gb_record_place next;
  cr_assert(restore(&m, "a", 1, 0) && restore(&m, "b", 2, 0) && restore(&m, "c", 3, 0));
  for (int i = 0; i < 3; i++) {
    cr_assert_eq(gb_nws_memory_clean(&m, 1, false), i == 0 ? 3 : 1);
    cr_assert(restore(&m, "b", 2, 50) && restore(&m, "b", 2, 51));
    cr_assert(gb_nws_memory_next(&m, gb_view_of("b"), &next));
    cr_assert(next.series == 2 && next.ordinal == 52);
    cr_assert_eq(gb_nws_memory_from(&m, 0)->count, 2);
  }
  gb_nws_memory_release(&m);
}

/* Records may come from the newest to the oldest, and several times; a full ring takes no older ones. */
Test(serve_memory, restored_backwards) {
  gb_nws_memory m = {.ring = 10};
  for (int round = 0; round < 2; round++)
    for (uint64_t i = 30; i-- > 15;)
      cr_assert(restore(&m, "a", 1, i));
  cr_assert(restore(&m, "a", 1, 30));
  const gb_stored_series *s = gb_nws_memory_from(&m, 0);
  cr_assert(s->count == 10 && s->oldest == 21 && s->next == 31, "%u from %u to %u", (unsigned)s->count,
            (unsigned)s->oldest, (unsigned)s->next);
  gb_nws_memory_release(&m);
}
