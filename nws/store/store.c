#include "nws/store/store.h"

#include <errno.h>
#include <string.h>

#define PAUSE 10.0 /* s until a copy that failed is tried again */

static enum gb_apply apply(void *context, gb_text body) {
  gb_depot *d = context;
  return gb_entry_apply(body, &d->registry, &d->memory);
}

/* What was damaged is written anew before anything else happens, and set aside. */
static int repair(gb_depot *d, double now, gbcast_error *err) {
  bool done = gb_depot_copy_begin(d);
  d->copying.set_aside = true;
  while (done && d->copying.on)
    done = gb_depot_copy_step(d, now) && gb_log_sync(&d->log);
  return done ? GBCAST_OK
              : gb_fail(err, GBCAST_EINPUT, "%s: cannot write what was saved from the damaged log: %s",
                        d->log.path, strerror(errno));
}

int gb_depot_open(gb_depot *d, const char *path, const gb_depot_limits *limits, double now, FILE *report,
                  gbcast_error *err) {
  bool damaged = false;
  *d = (gb_depot){.log_floor = limits->log_floor, .report = report, .memory.ring = limits->ring};
  int status = gb_log_open(&d->log, path, err);
  if (status == GBCAST_OK)
    status = gb_log_read(&d->log, apply, d, &damaged, report, err); /* without bounds: nothing is dropped */
  gb_registry_expire(&d->registry, now);
  d->registry.count_most = limits->objects;
  d->registry.bytes_most = limits->object_bytes;
  d->memory.count_most = limits->series;
  d->memory.bytes_most = limits->series_bytes;
  if (status == GBCAST_OK && damaged)
    status = repair(d, now, err);
  if (status != GBCAST_OK)
    gb_depot_close(d);
  return status;
}

void gb_depot_close(gb_depot *d) {
  gb_log_close(&d->log);
  gb_registry_release(&d->registry);
  gb_memory_release(&d->memory);
  gb_bytes_release(&d->entry);
}

bool gb_depot_log(gb_depot *d) {
  bool written = gb_log_append(&d->log, &d->entry);
  int why = errno;
  gb_bytes_clear(&d->entry);
  if (!written && !d->refusing)
    fprintf(d->report, "gbcast-nws: %s: %s; stores and registrations are refused until this is mended\n",
            d->log.path, strerror(why));
  if (written && d->refusing)
    fprintf(d->report, "gbcast-nws: %s: storing again\n", d->log.path);
  d->refusing = !written;
  errno = why;
  return written;
}

bool gb_depot_register(gb_depot *d, gb_text object, uint32_t seconds, double now) {
  uint64_t number = gb_registry_number(&d->registry, object, now);
  double expires = seconds > 0 ? now + seconds : 0;
  if (number > GB_SHELF_LAST || !gb_registry_has_room(&d->registry, object))
    return false;
  gb_entry_object(&d->entry, object, expires, number);
  return gb_depot_log(d) && gb_registry_put(&d->registry, object, expires, number);
}

bool gb_depot_unregister(gb_depot *d, const gb_registered *object) {
  gb_entry_forget(&d->entry, object->shelved.key);
  bool logged = gb_depot_log(d);
  if (logged)
    gb_registry_forget(&d->registry, object->shelved.key);
  return logged;
}

bool gb_depot_store(gb_depot *d, gb_batch *batch, double now) {
  if (!gb_memory_has_room(&d->memory, batch))
    return false;
  batch->slot.arrived = now;
  batch->slot.sequence = gb_memory_sequence(&d->memory, batch->id, batch->slot.sequence, now);
  gb_entry_store(&d->entry, batch);
  return gb_depot_log(d) && gb_memory_store(&d->memory, batch);
}

bool gb_depot_clean(gb_depot *d, double last) {
  if (gb_memory_clean(&d->memory, last, true) == 0)
    return true;
  gb_entry_clean(&d->entry, last);
  bool logged = gb_depot_log(d);
  if (logged)
    (void)gb_memory_clean(&d->memory, last, false);
  return logged;
}

static uint64_t live_bytes(const gb_depot *d) {
  return d->registry.bytes + d->memory.bytes + 64 * (d->registry.shelf.count + d->memory.shelf.count);
}

static bool has_grown(const gb_depot *d) {
  return d->log.earlier > 0 || d->log.size > d->log_floor + 3 * live_bytes(d);
}

bool gb_depot_commit(gb_depot *d, double now) {
  bool kept = gb_log_sync(&d->log), going = true;
  if (!kept)
    fprintf(d->report, "gbcast-nws: %s: %s; what came last may be lost\n", d->log.path, strerror(errno));
  bool wanted = d->copying.on || d->log.broken || has_grown(d);
  if (!wanted || now < d->copying.resume)
    return kept;
  if (!d->copying.on || d->log.broken)
    going = gb_depot_copy_begin(d);
  if (going && gb_depot_copy_step(d, now) && gb_log_sync(&d->log))
    return kept;
  d->copying.resume = now + PAUSE;
  return kept;
}

bool gb_depot_is_busy(const gb_depot *d, double now) {
  return d->copying.on && now >= d->copying.resume;
}
