/* The log grows with every change. Once it is several times what lives, what lives is copied to a new file,
 * and the files before that go. This takes many small steps, and changes are logged to the new file in
 * between:
 *
 *      4.log  ...old entries...
 *      5.log  copy of A | store to B | copy of B | store to A | copy of C
 *
 * A copy of a series stands for all that was before it in the log, so that both orders are right. Until the
 * last copy is on the disk, all files together are the log. */
#include "nws/store/store.h"

#define STEP (256u << 10) /* bytes */

bool gb_depot_copy_begin(gb_depot *d) {
  if (!gb_log_next(&d->log))
    return false;
  d->copying = (struct gb_copying){.on = true,
                                   .set_aside = d->copying.on && d->copying.set_aside,
                                   .object_end = d->registry.shelf.next_number,
                                   .series_end = d->memory.shelf.next_number};
  return true;
}

/* The next one to d->entry; false when all are there. */
static bool next_object(gb_depot *d, double now) {
  struct gb_copying *c = &d->copying;
  const gb_registered *object = gb_registry_from(&d->registry, c->object, now);
  if (object == NULL || object->shelved.number >= c->object_end)
    return false;
  gb_entry_object(&d->entry, object->shelved.key, object->expires, object->shelved.number);
  c->object = object->shelved.number;
  return true;
}

static bool next_series(gb_depot *d) {
  struct gb_copying *c = &d->copying;
  const gb_series *series = gb_memory_from(&d->memory, c->series);
  if (series == NULL || series->shelved.number >= c->series_end)
    return false;
  gb_entry_series(&d->entry, series);
  c->series = series->shelved.number;
  return true;
}

bool gb_depot_copy_step(gb_depot *d, double now) {
  struct gb_copying *c = &d->copying;
  uint64_t stop = d->log.size + STEP;
  while (d->log.size < stop) {
    bool is_object = next_object(d, now);
    if (!is_object && !next_series(d)) {
      c->on = !gb_log_sync(&d->log) || !gb_log_retire(&d->log, c->set_aside);
      return !c->on;
    }
    if (!gb_depot_log(d))
      return false;
    if (is_object)
      c->object++;
    else
      c->series++;
  }
  return true;
}
