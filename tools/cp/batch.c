/* An entry as it is sent, numbers with the lowest byte first:
 *
 *   kind 1   mode 4   size 8   seconds 8   nanoseconds 4   path, 0   target, 0
 */
#include "tools/cp/batch.h"
#include "platform/text/text.h"
#include "tools/cp/bytes.h"

#include <stdlib.h>

enum { FIXED = 1 + 4 + 8 + 8 + 4 };
enum { NANOSECONDS = 1000000000 };

bool gb_cp_batch_add(gb_cp_batch *batch, const gb_cp_entry *entry) {
  const size_t path = strlen(entry->path) + 1, target = strlen(entry->target) + 1;
  const size_t needed = batch->length + FIXED + path + target;
  if (needed > batch->room) {
    const size_t room = needed > 2 * batch->room ? needed : 2 * batch->room;
    unsigned char *text = realloc(batch->text, room);
    if (text == NULL)
      return false;
    batch->text = text;
    batch->room = room;
  }
  unsigned char *at = batch->text + batch->length;
  gb_cp_put(at, (uint64_t)entry->kind, 1);
  gb_cp_put(at + 1, entry->mode, 4);
  gb_cp_put(at + 5, entry->size, 8);
  gb_cp_put(at + 13, (uint64_t)entry->time.tv_sec, 8);
  gb_cp_put(at + 21, (uint64_t)entry->time.tv_nsec, 4);
  memcpy(at + FIXED, entry->path, path);
  memcpy(at + FIXED + path, entry->target, target);
  batch->length = needed;
  return true;
}

/* Whether a path stays below where it begins: "a/b", not "/a", "a//b", "a/./b", "../a". */
static bool stays_inside(const char *path) {
  if (path[0] == '\0')
    return true;
  for (const char *part = path;; part++) {
    const size_t length = strcspn(part, "/");
    if (length == 0 || (length <= 2 && strspn(part, ".") >= length))
      return false;
    part += length;
    if (*part == '\0')
      return part - path <= GB_CP_PATH_MOST;
  }
}

/* Reads one entry, and moves *at behind it. */
static int read_entry(const unsigned char **at, const unsigned char *end, gb_cp_entry *entry,
                      gbcast_error *err) {
  const unsigned char *fixed = *at;
  if (end - fixed < FIXED)
    return gb_fail(err, GBCAST_EINPUT, "a description is cut off");
  const char *path = (const char *)fixed + FIXED;
  const char *target = memchr(path, '\0', (size_t)((const char *)end - path));
  const char *behind =
      target != NULL ? memchr(target + 1, '\0', (size_t)((const char *)end - target - 1)) : NULL;
  if (behind == NULL)
    return gb_fail(err, GBCAST_EINPUT, "a description is cut off");
  const uint64_t kind = gb_cp_get(fixed, 1), nanoseconds = gb_cp_get(fixed + 21, 4),
                 size = gb_cp_get(fixed + 5, 8);
  *entry = (gb_cp_entry){.kind = (enum gb_cp_kind)kind,
                         .mode = (uint32_t)gb_cp_get(fixed + 1, 4),
                         .size = size,
                         .time = {.tv_sec = (time_t)gb_cp_get(fixed + 13, 8), .tv_nsec = (long)nanoseconds},
                         .path = path,
                         .target = target + 1};
  *at = (const unsigned char *)behind + 1;
  if (kind >= GB_CP_KINDS || nanoseconds >= NANOSECONDS || size > INT64_MAX || entry->mode > 07777)
    return gb_fail(err, GBCAST_EINPUT, "the description of '%s' is damaged", path);
  if (!stays_inside(path) || (kind == GB_CP_HARD_LINK && !stays_inside(entry->target)))
    return gb_fail(err, GBCAST_EINPUT, "the path '%s' leads out of the destination", path);
  return GBCAST_OK;
}

int gb_cp_batch_read(gb_cp_batch *batch, gbcast_error *err) {
  const unsigned char *at = batch->text, *end = at + batch->length;
  size_t room = 0;
  while (at != end) {
    if (batch->count == room) {
      room = room != 0 ? 2 * room : 64;
      gb_cp_entry *grown = realloc(batch->entry, room * sizeof *grown);
      if (grown == NULL)
        return gb_no_memory(err);
      batch->entry = grown;
    }
    gb_cp_entry *entry = &batch->entry[batch->count];
    const int status = read_entry(&at, end, entry, err);
    if (status != GBCAST_OK)
      return status;
    entry->first = batch->blocks;
    if (entry->kind == GB_CP_FILE)
      batch->blocks += gb_cp_blocks(entry->size);
    batch->count++;
  }
  return GBCAST_OK;
}

void gb_cp_batch_free(gb_cp_batch *batch) {
  free(batch->text);
  free(batch->entry);
  *batch = (gb_cp_batch){0};
}

bool gb_cp_walk_next(gb_cp_walk *walk, gb_cp_place *place) {
  const gb_cp_batch *batch = walk->batch;
  while (walk->block < batch->blocks && !gb_cp_in(walk->set, walk->block))
    walk->block += walk->set[walk->block / 8] == 0 ? 8 - walk->block % 8 : 1;
  if (walk->block >= batch->blocks)
    return false;
  const gb_cp_entry *entry = &batch->entry[walk->entry];
  while (entry->kind != GB_CP_FILE || walk->block >= entry->first + gb_cp_blocks(entry->size))
    entry = &batch->entry[++walk->entry];
  const uint64_t offset = (walk->block - entry->first) * GB_CP_BLOCK, rest = entry->size - offset;
  *place = (gb_cp_place){.block = walk->block++,
                         .entry = walk->entry,
                         .offset = offset,
                         .length = rest < GB_CP_BLOCK ? (size_t)rest : GB_CP_BLOCK};
  return true;
}
