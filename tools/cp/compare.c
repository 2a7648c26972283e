/* Compares what is here with the source, block by block, by checksums of 128 bits: XXH3 finds all but one of
 * 2^128 accidental differences. It does not resist an attacker who makes blocks with equal checksums; who can
 * do that can write to the destination already. */
#include "tools/cp/copy.h"

#include <gbcast/gbcast.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { AT_ONCE = 4096 }; /* blocks: 1 GiB, with 64 KiB of checksums in a broadcast */

typedef struct window {
  gb_cp_place place[AT_ONCE];
  XXH128_canonical_t theirs[AT_ONCE], own[AT_ONCE];
  bool here[AT_ONCE];
  size_t count;
} window;

static void checksum(const gb_cp_copy *c, size_t length, XXH128_canonical_t *sum) {
  XXH128_canonicalFromHash(sum, XXH3_128bits(c->block, length));
}

static bool read_own(gb_cp_copy *c, const gb_cp_batch *batch, const gb_cp_place *place, bool old) {
  const enum gb_cp_origin origin = old ? c->target.origin[place->entry] : GB_CP_PART;
  gbcast_error err;
  return origin != GB_CP_NOWHERE &&
         gb_cp_target_read(&c->target, batch, place, origin == GB_CP_REPLACED, c->block, &err) == GBCAST_OK;
}

/* Every rank reads its own at the same time. */
static void take_checksums(gb_cp_copy *c, const gb_cp_batch *batch, window *w, bool old) {
  for (size_t i = 0; i < w->count; i++) {
    const gb_cp_place *place = &w->place[i];
    if (c->rank == 0 && !c->source_failed) {
      c->source_failed = gb_cp_source_read(&c->source, batch, place, c->block, &c->source_error) != GBCAST_OK;
      checksum(c, place->length, &w->theirs[i]);
    }
    w->here[i] = c->writes && read_own(c, batch, place, old);
    if (w->here[i])
      checksum(c, place->length, &w->own[i]);
  }
}

/* Takes over an equal block from the file that will be replaced. */
static bool take_over(gb_cp_copy *c, const gb_cp_batch *batch, const gb_cp_place *place,
                      const XXH128_canonical_t *expected) {
  XXH128_canonical_t sum;
  gbcast_error err;
  if (c->target.origin[place->entry] != GB_CP_REPLACED)
    return true;
  if (!read_own(c, batch, place, true))
    return false;
  checksum(c, place->length, &sum);
  if (memcmp(&sum, expected, sizeof sum) != 0) /* somebody writes to it */
    return false;
  if (gb_cp_target_write(&c->target, batch, place, c->block, &err) != GBCAST_OK)
    gb_cp_fail(c, &err);
  return true;
}

void gb_cp_compare(gb_cp_copy *c, const gb_cp_batch *batch, const unsigned char *set, bool old,
                   unsigned char *lacking) {
  window *w = gb_cp_memory(c, sizeof *w);
  gb_cp_walk walk = {.batch = batch, .set = set};
  for (bool more = true; more;) {
    w->count = 0;
    while (w->count < AT_ONCE && (more = gb_cp_walk_next(&walk, &w->place[w->count])))
      w->count++;
    if (w->count == 0)
      break;
    take_checksums(c, batch, w, old);
    (void)gbcast(w->theirs, w->count * sizeof *w->theirs, 0, c->comm);
    for (size_t i = 0; c->writes && i < w->count; i++) {
      const bool equal = w->here[i] && memcmp(&w->own[i], &w->theirs[i], sizeof w->own[i]) == 0;
      if (!equal || (old && !take_over(c, batch, &w->place[i], &w->theirs[i])))
        gb_cp_add(lacking, w->place[i].block);
      else if (old)
        c->written += w->place[i].length;
    }
  }
  free(w);
}
