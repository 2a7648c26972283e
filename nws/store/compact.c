/* Log compaction. The log grows with every change. When it is several times as large as the live data, the
 * live data is copied to a new file, and the earlier files are deleted. This takes many small steps, and
 * changes are logged to the new file in between:
 *
 *      4.log  ...old entries...
 *      5.log  copy of A | store to B | copy of B | store to A | copy of C
 *
 * Entries say which records of a series they hold, so both orders are right, and an entry may say what
 * another one has said. Until the last copy is on disk, all files together are the log. */
#include "nws/store/store.h"

#define STEP (256u << 10) /* bytes */

bool gb_store_compact_begin(gb_store *s) {
  if (!gb_log_next(&s->log))
    return false;
  s->compaction = (struct gb_compaction){
      .on = true, .object_end = s->registry.index.next_number, .series_end = s->memory.index.next_number};
  return true;
}

/* Encodes the next object in s->entry. False: none is left. */
static bool next_object(gb_store *s, double now) {
  struct gb_compaction *c = &s->compaction;
  const gb_registered *object = gb_nws_registry_from(&s->registry, c->object, now);
  if (object == NULL || object->indexed.number >= c->object_end)
    return false;
  gb_log_entry_object(&s->entry, object->indexed.key, object->expires, object->indexed.number);
  c->object = object->indexed.number;
  return true;
}

static bool next_series(gb_store *s) {
  struct gb_compaction *c = &s->compaction;
  const gb_stored_series *series = gb_nws_memory_from(&s->memory, c->series);
  if (series == NULL || series->indexed.number >= c->series_end)
    return false;
  gb_log_entry_series(&s->entry, series);
  c->series = series->indexed.number;
  return true;
}

bool gb_store_compact_step(gb_store *s, double now) {
  struct gb_compaction *c = &s->compaction;
  uint64_t stop = s->log.size + STEP;
  while (s->log.size < stop) {
    bool is_object = next_object(s, now);
    if (!is_object && !next_series(s)) {
      c->copied = gb_log_sync(&s->log);
      c->on = !c->copied || !gb_log_retire(&s->log);
      return !c->on;
    }
    bool written = gb_log_append(&s->log, &s->entry);
    gb_bytes_clear(&s->entry);
    if (!written)
      return false;
    if (is_object)
      c->object++;
    else
      c->series++;
  }
  return true;
}
