#include "nws/store/store.h"

#include <errno.h>
#include <string.h>

#define PAUSE 10.0        /* s until a failed compaction is tried again */
#define STEP (256u << 10) /* bytes of a compaction at once */

static enum gb_apply apply(void *context, gb_view body) {
  gb_store *s = context;
  return gb_log_entry_apply(body, &s->registry, &s->memory);
}

/* Log compaction. The log grows with every change. When it is several times as large as the live data, the
 * live data is copied to a new file, and the earlier files are deleted. This takes many small steps, and
 * changes are logged to the new file in between:
 *
 *      4.log  ...old entries...
 *      5.log  copy of A | store to B | copy of B | store to A | copy of C
 *
 * Entries say which records of a series they hold, so both orders are right, and an entry may say what
 * another one has said. Until the last copy is on disk, all files together are the log. */
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

/* Copies all data to a new file at once. False, with errno. */
static bool rewrite_all(gb_store *s, double now) {
  bool done = gb_store_compact_begin(s);
  while (done && s->compaction.on)
    done = gb_store_compact_step(s, now) && gb_log_sync(&s->log);
  return done;
}

int gb_store_open(gb_store *s, const char *path, const gb_store_limits *limits, double now, FILE *report,
                  gbcast_error *err) {
  bool rewrite = false;
  *s = (gb_store){.log_floor = limits->log_floor, .report = report, .memory.ring = limits->ring};
  int status = gb_log_open(&s->log, path, err);
  if (status == GBCAST_OK)
    status = gb_log_read(&s->log, apply, s, &rewrite, report, err); /* without limits: nothing is dropped */
  gb_nws_registry_expire(&s->registry, now);
  s->registry.count_most = limits->objects;
  s->registry.bytes_most = limits->object_bytes;
  s->memory.count_most = limits->series;
  s->memory.bytes_most = limits->series_bytes;
  if (status == GBCAST_OK && rewrite && !rewrite_all(s, now)) {
    status = gb_fail(err, GBCAST_EINPUT, "%s: cannot write what was read from the log to a new file: %s",
                     path, strerror(errno));
    if (s->compaction.on && !s->compaction.copied)
      gb_log_drop_last(&s->log);
  }
  if (status != GBCAST_OK)
    gb_store_close(s);
  return status;
}

void gb_store_close(gb_store *s) {
  if (s->log.lost) /* some data is in no file any more */
    (void)rewrite_all(s, 0);
  s->log.lost = false;
  gb_log_close(&s->log);
  gb_nws_registry_release(&s->registry);
  gb_nws_memory_release(&s->memory);
  gb_bytes_release(&s->entry);
}

/* Says once that changes cannot be kept, for the reason in errno, and once that they can be kept again. */
static void tell(gb_store *s, bool kept) {
  int why = errno;
  if (!kept && !s->refusing)
    fprintf(s->report, "gbcast-nws: %s: %s; stores and registrations are refused until this is mended\n",
            s->log.path, strerror(why));
  if (kept && s->refusing)
    fprintf(s->report, "gbcast-nws: %s: storing again\n", s->log.path);
  s->refusing = !kept;
  errno = why;
}

bool gb_store_log(gb_store *s) {
  bool written = gb_log_append(&s->log, &s->entry);
  gb_bytes_clear(&s->entry);
  if (!written)
    tell(s, false);
  return written;
}

bool gb_store_register(gb_store *s, gb_view object, uint32_t seconds, double now) {
  uint64_t number = gb_nws_registry_number(&s->registry, object, now);
  double expires = seconds > 0 ? now + seconds : 0;
  if (number > GB_INDEX_LAST || !gb_nws_registry_has_room(&s->registry, object))
    return false;
  gb_log_entry_object(&s->entry, object, expires, number);
  if (!gb_store_log(s))
    return false;
  return gb_nws_registry_put(&s->registry, object, expires, number) || gb_log_break(&s->log, ENOMEM);
}

bool gb_store_unregister(gb_store *s, const gb_registered *object) {
  gb_log_entry_forget(&s->entry, object->indexed.key);
  bool logged = gb_store_log(s);
  if (logged)
    gb_nws_registry_forget(&s->registry, object->indexed.key);
  return logged;
}

bool gb_store_put(gb_store *s, gb_batch *batch, double now) {
  gb_record_place place;
  if (!gb_nws_memory_has_room(&s->memory, batch) || !gb_nws_memory_next(&s->memory, batch->id, &place))
    return false;
  batch->times.arrived = now;
  batch->times.sequence = gb_nws_memory_sequence(&s->memory, batch->id, batch->times.sequence, now);
  gb_log_entry_records(&s->entry, place, batch);
  if (!gb_store_log(s))
    return false;
  return gb_nws_memory_store(&s->memory, batch) || gb_log_break(&s->log, ENOMEM);
}

bool gb_store_clean(gb_store *s, double last) {
  if (gb_nws_memory_clean(&s->memory, last, true) == 0)
    return true;
  gb_log_entry_clean(&s->entry, last);
  bool logged = gb_store_log(s);
  if (logged)
    (void)gb_nws_memory_clean(&s->memory, last, false);
  return logged;
}

static uint64_t live_bytes(const gb_store *s) {
  return s->registry.bytes + s->memory.bytes + 64 * (s->registry.index.count + s->memory.index.count);
}

static bool has_grown(const gb_store *s) {
  return s->log.earlier > 0 || s->log.size > s->log_floor + 3 * live_bytes(s);
}

/* After a compaction that failed; the clock may have been set back since. */
static bool is_resting(const gb_store *s, double now) {
  return now < s->compaction.resume && s->compaction.resume <= now + PAUSE;
}

bool gb_store_commit(gb_store *s, double now) {
  bool changed = s->log.dirty, kept = gb_log_sync(&s->log), going = true;
  if (changed)
    tell(s, kept);
  bool wanted = s->compaction.on || s->log.broken || has_grown(s);
  if (!wanted || is_resting(s, now))
    return kept;
  if (!s->compaction.on || s->log.broken) {
    going = gb_store_compact_begin(s);
    if (going && s->log.lost)
      fprintf(s->report,
              "gbcast-nws: %s: files were removed or changed by another program; all data is written again\n",
              s->log.path);
  }
  if (going && gb_store_compact_step(s, now) && gb_log_sync(&s->log))
    return kept;
  s->compaction.resume = now + PAUSE;
  return kept;
}

bool gb_store_is_busy(const gb_store *s, double now) {
  return s->compaction.on && !is_resting(s, now);
}
