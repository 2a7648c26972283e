#include "nws/store/store.h"

#include <errno.h>
#include <string.h>

#define PAUSE 10.0 /* s until a failed compaction is tried again */

static enum gb_apply apply(void *context, gb_view body) {
  gb_store *s = context;
  return gb_log_entry_apply(body, &s->registry, &s->memory);
}

/* Compacts a damaged log before anything else happens, and sets its files aside. */
static int repair(gb_store *s, double now, gbcast_error *err) {
  bool done = gb_store_compact_begin(s);
  s->compaction.set_aside = true;
  while (done && s->compaction.on)
    done = gb_store_compact_step(s, now) && gb_log_sync(&s->log);
  return done ? GBCAST_OK
              : gb_fail(err, GBCAST_EINPUT, "%s: cannot write what was saved from the damaged log: %s",
                        s->log.path, strerror(errno));
}

int gb_store_open(gb_store *s, const char *path, const gb_store_limits *limits, double now, FILE *report,
                  gbcast_error *err) {
  bool damaged = false;
  *s = (gb_store){.log_floor = limits->log_floor, .report = report, .memory.ring = limits->ring};
  int status = gb_log_open(&s->log, path, err);
  if (status == GBCAST_OK)
    status = gb_log_read(&s->log, apply, s, &damaged, report, err); /* without limits: nothing is dropped */
  gb_nws_registry_expire(&s->registry, now);
  s->registry.count_most = limits->objects;
  s->registry.bytes_most = limits->object_bytes;
  s->memory.count_most = limits->series;
  s->memory.bytes_most = limits->series_bytes;
  if (status == GBCAST_OK && damaged)
    status = repair(s, now, err);
  if (status != GBCAST_OK)
    gb_store_close(s);
  return status;
}

void gb_store_close(gb_store *s) {
  gb_log_close(&s->log);
  gb_nws_registry_release(&s->registry);
  gb_nws_memory_release(&s->memory);
  gb_bytes_release(&s->entry);
}

bool gb_store_log(gb_store *s) {
  bool written = gb_log_append(&s->log, &s->entry);
  int why = errno;
  gb_bytes_clear(&s->entry);
  if (!written && !s->refusing)
    fprintf(s->report, "gbcast-nws: %s: %s; stores and registrations are refused until this is mended\n",
            s->log.path, strerror(why));
  if (written && s->refusing)
    fprintf(s->report, "gbcast-nws: %s: storing again\n", s->log.path);
  s->refusing = !written;
  errno = why;
  return written;
}

bool gb_store_register(gb_store *s, gb_view object, uint32_t seconds, double now) {
  uint64_t number = gb_nws_registry_number(&s->registry, object, now);
  double expires = seconds > 0 ? now + seconds : 0;
  if (number > GB_INDEX_LAST || !gb_nws_registry_has_room(&s->registry, object))
    return false;
  gb_log_entry_object(&s->entry, object, expires, number);
  return gb_store_log(s) && gb_nws_registry_put(&s->registry, object, expires, number);
}

bool gb_store_unregister(gb_store *s, const gb_registered *object) {
  gb_log_entry_forget(&s->entry, object->indexed.key);
  bool logged = gb_store_log(s);
  if (logged)
    gb_nws_registry_forget(&s->registry, object->indexed.key);
  return logged;
}

bool gb_store_put(gb_store *s, gb_batch *batch, double now) {
  if (!gb_nws_memory_has_room(&s->memory, batch))
    return false;
  batch->times.arrived = now;
  batch->times.sequence = gb_nws_memory_sequence(&s->memory, batch->id, batch->times.sequence, now);
  gb_log_entry_store(&s->entry, batch);
  return gb_store_log(s) && gb_nws_memory_store(&s->memory, batch);
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

bool gb_store_commit(gb_store *s, double now) {
  bool kept = gb_log_sync(&s->log), going = true;
  if (!kept)
    fprintf(s->report, "gbcast-nws: %s: %s; what came last may be lost\n", s->log.path, strerror(errno));
  bool wanted = s->compaction.on || s->log.broken || has_grown(s);
  if (!wanted || now < s->compaction.resume)
    return kept;
  if (!s->compaction.on || s->log.broken)
    going = gb_store_compact_begin(s);
  if (going && gb_store_compact_step(s, now) && gb_log_sync(&s->log))
    return kept;
  s->compaction.resume = now + PAUSE;
  return kept;
}

bool gb_store_is_busy(const gb_store *s, double now) {
  return s->compaction.on && now >= s->compaction.resume;
}
