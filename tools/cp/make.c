/* Makes the files, folders and links of a batch. With --resume, files come from the parts that runs before
 * have left, newest first. */
#define _GNU_SOURCE /* fallocate() */
#include "platform/text/text.h"
#include "tools/cp/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* How many names a regular file has; 0: there is none. */
static nlink_t file_names(gb_cp_target *t, const char *full) {
  const char *last;
  struct stat about;
  const int parent = gb_cp_parent(t, full, &last);
  const bool is_file =
      parent >= 0 && fstatat(parent, last, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode);
  return is_file ? about.st_nlink : 0;
}

/* Renames a file. The folder it was in may already have its final mode, without write permission. */
static bool move(int from, const char *old, int to, const char *name) {
  return renameat(from, old, to, name) == 0 ||
         (errno == EACCES && fchmod(from, 0700) == 0 && renameat(from, old, to, name) == 0);
}

/* Moves a file of a part to where it is written now. */
static bool move_from_part(gb_cp_target *t, const gb_cp_entry *entry, const char *to) {
  char part[GB_CP_NAME_MOST + 1];
  for (unsigned i = t->parts; i > 0; i--) {
    gb_cp_path from;
    gb_cp_part_name(t, i, part);
    (void)gb_cp_join(&from, part, entry->path);
    if (file_names(t, from.text) != 1) /* what has two names here may be two files now */
      continue;
    const char *last_from, *last_to;
    const int parent = gb_cp_keep_parent(t, from.text, &last_from);
    const int target = gb_cp_parent(t, to, &last_to);
    const bool moved = parent >= 0 && target >= 0 && move(parent, last_from, target, last_to);
    if (moved) /* it may have its mode already, by which it could not be written */
      (void)fchmodat(target, last_to, 0600, 0);
    if (parent >= 0)
      (void)close(parent);
    if (moved)
      return true;
  }
  return false;
}

/* Makes holes where the source has them; a part may have data there. */
static bool clear_holes(int fd, const gb_cp_entry *entry, const unsigned char *data) {
  const uint64_t blocks = gb_cp_blocks(entry->size);
  for (uint64_t from = 0, to; from < blocks; from = to) {
    to = from + 1;
    if (gb_cp_in(data, entry->first + from))
      continue;
    while (to < blocks && !gb_cp_in(data, entry->first + to))
      to++;
    if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(from * GB_CP_BLOCK),
                  (off_t)((to - from) * GB_CP_BLOCK)) != 0)
      return false;
  }
  return true;
}

/* Finds out where blocks of a file may be already. A file of a part is moved to where it is written. */
static enum gb_cp_origin find_old(gb_cp_target *t, const gb_cp_entry *entry, const char *to) {
  gb_cp_path old;
  if (!t->resume || entry->size == 0)
    return GB_CP_NOWHERE;
  if (move_from_part(t, entry, to))
    return GB_CP_PART;
  return t->exists && file_names(t, gb_cp_join(&old, t->name, entry->path)) > 0 ? GB_CP_REPLACED
                                                                                : GB_CP_NOWHERE;
}

static int make_file(gb_cp_target *t, const gb_cp_entry *entry, const unsigned char *data,
                     unsigned char *origin, gbcast_error *err) {
  gb_cp_path to;
  (void)gb_cp_join(&to, t->temporary, entry->path);
  *origin = (unsigned char)find_old(t, entry, to.text);
  if (*origin == GB_CP_PART && entry->path[0] == '\0') { /* it has replaced the file that was locked */
    const int status = gb_cp_target_lock(t, err);
    if (status != GBCAST_OK)
      return status;
  }
  const int fd = gb_cp_open(t, to.text, O_WRONLY | O_CREAT);
  bool good = fd >= 0 && fchmod(fd, 0600) == 0;
  if (good && *origin == GB_CP_PART && !clear_holes(fd, entry, data)) {
    *origin = GB_CP_NOWHERE; /* no holes can be made here: an empty file has them */
    good = ftruncate(fd, 0) == 0;
  }
  good = good && ftruncate(fd, (off_t)entry->size) == 0;
  return gb_cp_done(t, fd, good, "write", entry, err);
}

static int make_hard_link(gb_cp_target *t, const gb_cp_entry *entry, const char *full, gbcast_error *err) {
  gb_cp_path first;
  const char *last_first, *last;
  const int from = gb_cp_keep_parent(t, gb_cp_join(&first, t->temporary, entry->target), &last_first);
  const int parent = gb_cp_parent(t, full, &last);
  const bool made = from >= 0 && parent >= 0 && linkat(from, last_first, parent, last, 0) == 0;
  return gb_cp_done(t, from, made, "link", entry, err);
}

static int make(gb_cp_target *t, const gb_cp_entry *entry, const unsigned char *data, unsigned char *origin,
                gbcast_error *err) {
  gb_cp_path full;
  const char *last;
  (void)gb_cp_join(&full, t->temporary, entry->path);
  if (entry->kind == GB_CP_FILE)
    return make_file(t, entry, data, origin, err);
  if (entry->kind == GB_CP_HARD_LINK)
    return make_hard_link(t, entry, full.text, err);
  if (entry->kind == GB_CP_END || entry->path[0] == '\0')
    return GBCAST_OK;
  const int parent = gb_cp_parent(t, full.text, &last);
  const bool made =
      parent >= 0 && (entry->kind == GB_CP_DIRECTORY ? mkdirat(parent, last, 0700)
                                                     : symlinkat(entry->target, parent, last)) == 0;
  return made ? GBCAST_OK : gb_cp_cannot(t, "make", entry, err);
}

int gb_cp_target_make(gb_cp_target *t, const gb_cp_batch *batch, const unsigned char *data,
                      gbcast_error *err) {
  free(t->origin);
  t->origin = calloc(1, batch->count + 1);
  if (t->origin == NULL)
    return gb_no_memory(err);
  int status = GBCAST_OK;
  for (size_t i = 0; status == GBCAST_OK && i < batch->count; i++)
    status = make(t, &batch->entry[i], data, &t->origin[i], err);
  return status;
}
