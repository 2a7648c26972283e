#include "nws/sense/renewals.h"

#include "nws/wire/wire.h"

#include <math.h>
#include <stdlib.h>

void gb_renewals_release(gb_renewals *r) {
  for (uint32_t i = 0; i < r->count; i++)
    gb_bytes_release(&r->renewal[i].object);
  free(r->renewal);
  *r = (gb_renewals){0};
}

static bool has(const gb_renewals *r, const gb_bytes *object) {
  for (uint32_t i = 0; i < r->count; i++) {
    const gb_bytes *other = &r->renewal[i].object;
    if (other->size == object->size && memcmp(other->data, object->data, object->size) == 0)
      return true;
  }
  return false;
}

bool gb_renewals_add(gb_renewals *r, gb_bytes *object) {
  bool good = !object->failed;
  if (good && r->count == r->capacity && !has(r, object)) {
    uint32_t capacity = r->capacity > 0 ? 2 * r->capacity : 16;
    gb_renewal *more = realloc(r->renewal, capacity * sizeof *more);
    good = more != NULL;
    if (good) {
      r->renewal = more;
      r->capacity = capacity;
    }
  }
  if (!good || has(r, object)) {
    gb_bytes_release(object);
    return good;
  }
  r->renewal[r->count++] = (gb_renewal){*object, -INFINITY, GB_RENEW_FIRST};
  *object = (gb_bytes){0};
  return true;
}

uint32_t gb_renewals_due(const gb_renewals *r, double now, gb_bytes *out, double *next) {
  uint32_t i = 0;
  *next = INFINITY;
  for (; i < r->count && r->renewal[i].due > now; i++)
    *next = fmin(*next, r->renewal[i].due);
  if (i == r->count)
    return i;
  const gb_renewal *it = &r->renewal[i];
  gb_nws_encode(out, &(gb_nws_message){
                         .number = GB_NWS_NS_REGISTER,
                         .registration = {{(const char *)it->object.data, it->object.size}, it->seconds}});
  return i;
}

void gb_renewals_done(gb_renewals *r, uint32_t index, double now) {
  r->renewal[index].due = now + GB_RENEW_FIRST;
  r->renewal[index].seconds = GB_RENEW_AGAIN;
}

void gb_renewals_forgotten(gb_renewals *r) {
  for (uint32_t i = 0; i < r->count; i++)
    r->renewal[i].due = -INFINITY;
}

bool gb_renewals_complete(const gb_renewals *r) {
  for (uint32_t i = 0; i < r->count; i++)
    if (isinf(r->renewal[i].due))
      return false;
  return r->count > 0;
}
