/* What a name server and a memory keep, kept in the plainest way: lists that are searched from the front. */
#ifndef GB_TESTS_SUPPORT_NWS_NAIVE_STORE_H
#define GB_TESTS_SUPPORT_NWS_NAIVE_STORE_H

#include "nws/store/store.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { NAIVE_MOST = 4000 };

typedef struct naive_object {
  char text[80];
  double expires;
} naive_object;

typedef struct naive_record {
  char id[8];
  gb_record_times times;
  char text[33];
} naive_record;

typedef struct naive_store {
  uint32_t ring;
  naive_object object[NAIVE_MOST];
  int objects;
  naive_record record[NAIVE_MOST]; /* of all series, as they came */
  int records;
} naive_store;

static inline void naive_unregister(naive_store *n, const char *text) {
  for (int i = 0; i < n->objects; i++)
    if (strcmp(n->object[i].text, text) == 0) {
      memmove(&n->object[i], &n->object[i + 1], (size_t)(--n->objects - i) * sizeof *n->object);
      return;
    }
}

static inline void naive_expire(naive_store *n, double now) {
  for (int i = n->objects - 1; i >= 0; i--)
    if (n->object[i].expires > 0 && n->object[i].expires <= now)
      naive_unregister(n, n->object[i].text);
}

static inline void naive_register(naive_store *n, const char *text, uint32_t seconds, double now) {
  int i = 0;
  while (i < n->objects && strcmp(n->object[i].text, text) != 0)
    i++;
  cr_assert(i < NAIVE_MOST);
  (void)snprintf(n->object[i].text, sizeof n->object[i].text, "%s", text);
  n->object[i].expires = seconds > 0 ? now + seconds : 0;
  n->objects += i == n->objects;
}

static inline void naive_drop_record(naive_store *n, int i) {
  memmove(&n->record[i], &n->record[i + 1], (size_t)(--n->records - i) * sizeof *n->record);
}

static inline int naive_count(const naive_store *n, const char *id, int *first, int *last) {
  int count = 0;
  for (int i = n->records - 1; i >= 0; i--)
    if (strcmp(n->record[i].id, id) == 0) {
      *first = i;
      *last = count++ == 0 ? i : *last;
    }
  return count;
}

static inline void naive_put(naive_store *n, const gb_batch *b) {
  for (uint32_t i = 0; i < b->count; i++) {
    int first = 0, last = 0;
    if (naive_count(n, b->id.at, &first, &last) == (int)n->ring)
      naive_drop_record(n, first);
    cr_assert(n->records < NAIVE_MOST);
    naive_record *r = &n->record[n->records++];
    *r = (naive_record){.times = b->times};
    (void)snprintf(r->id, sizeof r->id, "%s", b->id.at);
    memcpy(r->text, b->records + (size_t)i * b->width, b->width);
  }
}

static inline double naive_sequence(const naive_store *n, const char *id, double wanted, double now) {
  int first = 0, last = 0;
  double sequence = isfinite(wanted) && wanted > 0 && wanted < now ? wanted : now;
  if (naive_count(n, id, &first, &last) > 0 && sequence <= n->record[last].times.sequence)
    sequence = nextafter(n->record[last].times.sequence, 1e300);
  return sequence;
}

static inline void naive_clean(naive_store *n, double last_time) {
  int first = 0, last = 0;
  for (char id[2] = "a"; *id <= 'h'; ++*id)
    if (naive_count(n, id, &first, &last) > 0 && n->record[last].times.arrived <= last_time)
      while (naive_count(n, id, &first, &last) > 0)
        naive_drop_record(n, first);
}

/* All that can be asked, as text; of both, to be compared. */
static inline void naive_dump(const naive_store *n, double now, FILE *out) {
  for (int i = 0; i < n->objects; i++)
    if (n->object[i].expires == 0 || n->object[i].expires > now)
      fprintf(out, "%s until %.3f\n", n->object[i].text, n->object[i].expires);
  for (char id[2] = "a"; *id <= 'h'; ++*id) {
    int first = 0, last = 0;
    if (naive_count(n, id, &first, &last) == 0)
      continue;
    fprintf(out, "%s\n", id);
    for (int i = n->records - 1; i >= 0; i--) {
      const naive_record *r = &n->record[i];
      if (strcmp(r->id, id) == 0 && r->times.arrived + r->times.time_out > now)
        fprintf(out, "  %s\n", r->text);
    }
  }
}

static inline void real_dump(const gb_nws_registry *registry, const gb_nws_memory *memory, double now,
                             FILE *out) {
  const gb_registered *object;
  for (uint64_t next = 0; (object = gb_nws_registry_from(registry, next, now)) != NULL;
       next = object->indexed.number + 1)
    fprintf(out, "%.*s until %.3f\n", (int)object->indexed.key.length, object->text, object->expires);
  gb_bytes records = {0};
  gb_nws_state state;
  for (char id[2] = "a"; *id <= 'h'; ++*id) {
    if (!gb_nws_memory_fetch(memory, gb_view_of(id), NAIVE_MOST, 0, now, &state, &records))
      continue;
    fprintf(out, "%s\n", id);
    for (uint32_t i = 0; i < state.record_count; i++) {
      const char *text = state.records.at + (size_t)i * state.record_size;
      size_t length = state.record_size;
      while (length > 0 && text[length - 1] == ' ') /* what narrower ones are filled up with */
        length--;
      fprintf(out, "  %.*s\n", (int)length, text);
    }
  }
  gb_bytes_release(&records);
}

static inline char *naive_text(const naive_store *n, double now) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  naive_dump(n, now, out);
  (void)fclose(out);
  return text;
}

static inline char *real_text(const gb_nws_registry *registry, const gb_nws_memory *memory, double now) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  real_dump(registry, memory, now, out);
  (void)fclose(out);
  return text;
}

static inline void assert_same_state(const naive_store *n, const gb_nws_registry *registry,
                                     const gb_nws_memory *memory, double now, const char *when) {
  char *want = naive_text(n, now), *got = real_text(registry, memory, now);
  cr_assert_str_eq(got, want, "%s", when);
  free(want);
  free(got);
}

/* A change at random. */
typedef struct random_change {
  enum { REGISTER, UNREGISTER, STORE, CLEAN } kind;
  char object[80];
  uint32_t seconds;
  gb_batch batch;
  char id[2], records[4 * 33];
  double last;
} random_change;

static inline void make_random_change(random_change *c, uint64_t *seed, double now) {
  static const uint32_t widths[] = {9, 14, 32}, seconds[] = {0, 5, 60};
  uint32_t kind = xorshift(seed, 100), of = xorshift(seed, 20);
  *c = (random_change){.kind = kind < 25 ? REGISTER : kind < 32 ? UNREGISTER : kind < 98 ? STORE : CLEAN};
  (void)snprintf(c->object, sizeof c->object, "name:n%u\tkind:%u\t\t", of % 7, of % 3);
  c->seconds = seconds[xorshift(seed, 3)];
  c->last = now - xorshift(seed, 60);
  c->id[0] = (char)('a' + xorshift(seed, 8));
  c->batch =
      (gb_batch){.id = gb_view_of(c->id), .width = widths[xorshift(seed, 3)], .count = 1 + xorshift(seed, 4)};
  c->batch.times =
      (gb_record_times){now, now - 10 + xorshift(seed, 40) * 0.5, xorshift(seed, 8) == 0 ? 4 : 1e9};
  if (xorshift(seed, 10) == 0)
    c->batch.times.sequence = xorshift(seed, 2) == 0 ? NAN : -1;
  for (uint32_t i = 0; i < c->batch.count; i++) /* the width's bytes, no blank at the end */
    (void)snprintf(c->records + i * c->batch.width, sizeof c->records - (size_t)i * c->batch.width, "%0*u",
                   (int)c->batch.width, (unsigned)xorshift(seed, 1000000));
  c->batch.records = c->records;
}

static inline void naive_change(naive_store *n, const random_change *c, double now) {
  gb_batch batch = c->batch;
  naive_expire(n, now);
  switch (c->kind) {
  case REGISTER:
    naive_register(n, c->object, c->seconds, now);
    break;
  case UNREGISTER:
    naive_unregister(n, c->object);
    break;
  case STORE:
    batch.times.sequence = naive_sequence(n, c->id, batch.times.sequence, now);
    naive_put(n, &batch);
    break;
  case CLEAN:
    naive_clean(n, c->last);
    break;
  }
}

#endif
