/* The files, folders and links of a batch. All paths are walked part by part without following symbolic
 * links, so that nothing is written outside of the destination, whatever a host finds there. */
#define _GNU_SOURCE /* fallocate() */
#include "tools/cp/target.h"
#include "platform/text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct path {
  char text[GB_CP_NAME_MOST + GB_CP_PATH_MOST + 2];
} path;

/* TOP/PATH, or TOP. */
static const char *join(path *p, const char *top, const char *below) {
  (void)snprintf(p->text, sizeof p->text, "%s%s%s", top, below[0] != '\0' ? "/" : "", below);
  return p->text;
}

/* The error as the user knows the file: by its place in the destination. */
static int cannot(const gb_cp_target *t, const char *what, const gb_cp_entry *entry, gbcast_error *err) {
  const int error = errno;
  return gb_fail(err, GBCAST_EINPUT, "cannot %s '%.300s/%s%s%.300s': %s", what, t->folder_path, t->name,
                 entry->path[0] != '\0' ? "/" : "", entry->path, strerror(error));
}

/* Opens the folder that holds a path below t->folder, and sets *last to its last part. Kept until the next
 * one is asked for. Returns its descriptor, or -1 with errno set. */
static int parent_of(gb_cp_target *t, const char *full, const char **last) {
  const char *slash = strrchr(full, '/');
  *last = slash != NULL ? slash + 1 : full;
  if (slash == NULL)
    return t->folder;
  const size_t length = (size_t)(slash - full);
  if (t->parent_fd >= 0 && strncmp(t->parent, full, length) == 0 && t->parent[length] == '\0')
    return t->parent_fd;
  if (t->parent_fd >= 0)
    (void)close(t->parent_fd);
  free(t->parent);
  t->parent_fd = -1;
  t->parent = strndup(full, length);
  if (t->parent == NULL)
    return -1;
  int at = t->folder;
  for (char *part = t->parent; part != NULL;) {
    char *end = strchr(part, '/');
    if (end != NULL)
      *end = '\0';
    const int next = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (at != t->folder)
      (void)close(at);
    if (end != NULL)
      *end++ = '/';
    if (next < 0)
      return -1;
    at = next;
    part = end;
  }
  return t->parent_fd = at;
}

static int open_below(gb_cp_target *t, const char *full, int flags) {
  const char *last;
  const int parent = parent_of(t, full, &last);
  return parent >= 0 ? openat(parent, last, flags | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
}

/* How many names a regular file has; 0: there is none. */
static nlink_t file_names(gb_cp_target *t, const char *full) {
  const char *last;
  struct stat about;
  const int parent = parent_of(t, full, &last);
  const bool is_file =
      parent >= 0 && fstatat(parent, last, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode);
  return is_file ? about.st_nlink : 0;
}

/* The folder that holds a path, in a descriptor that stays open and is to be closed; -1 with errno set. */
static int keep_parent(gb_cp_target *t, const char *full, const char **last) {
  const int parent = parent_of(t, full, last);
  return parent >= 0 ? dup(parent) : -1;
}

/* Moves a file of a part to where it is written now. */
static bool move_from_part(gb_cp_target *t, const gb_cp_entry *entry, const char *to) {
  char part[GB_CP_NAME_MOST + 1];
  for (unsigned i = t->parts; i > 0; i--) {
    path from;
    gb_cp_part_name(t, i, part);
    (void)join(&from, part, entry->path);
    if (file_names(t, from.text) != 1) /* what has two names here may be two files now */
      continue;
    const char *last_from, *last_to;
    const int parent = keep_parent(t, from.text, &last_from);
    const int target = parent_of(t, to, &last_to);
    const bool moved = parent >= 0 && target >= 0 && renameat(parent, last_from, target, last_to) == 0;
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

/* Closes a file after an error. */
static int close_after(const gb_cp_target *t, int fd, const gb_cp_entry *entry, gbcast_error *err) {
  const int status = cannot(t, "write", entry, err);
  (void)close(fd);
  return status;
}

static int make_file(gb_cp_target *t, const gb_cp_entry *entry, const unsigned char *data,
                     unsigned char *origin, gbcast_error *err) {
  path to, old;
  (void)join(&to, t->temporary, entry->path);
  *origin = GB_CP_NOWHERE;
  if (t->resume && entry->size > 0 && move_from_part(t, entry, to.text))
    *origin = GB_CP_PART;
  if (*origin == GB_CP_PART && entry->path[0] == '\0') { /* it has replaced the file that was locked */
    const int status = gb_cp_target_lock(t, err);
    if (status != GBCAST_OK)
      return status;
  }
  if (*origin == GB_CP_NOWHERE && t->resume && t->exists &&
      file_names(t, join(&old, t->name, entry->path)) > 0)
    *origin = GB_CP_REPLACED;
  int fd = open_below(t, to.text, O_WRONLY | O_CREAT);
  if (fd >= 0 && *origin == GB_CP_PART && !clear_holes(fd, entry, data)) {
    *origin = GB_CP_NOWHERE; /* no holes can be made here: an empty file has them */
    if (ftruncate(fd, 0) != 0)
      return close_after(t, fd, entry, err);
  }
  const bool good = fd >= 0 && (fchmod(fd, 0600) == 0) && ftruncate(fd, (off_t)entry->size) == 0;
  const int status = good ? GBCAST_OK : cannot(t, "write", entry, err);
  if (fd >= 0 && close(fd) != 0 && good)
    return cannot(t, "write", entry, err);
  return status;
}

static int make_hard_link(gb_cp_target *t, const gb_cp_entry *entry, const char *full, gbcast_error *err) {
  path first;
  const char *last_first, *last;
  const int from = keep_parent(t, join(&first, t->temporary, entry->target), &last_first);
  const int parent = parent_of(t, full, &last);
  const bool made = from >= 0 && parent >= 0 && linkat(from, last_first, parent, last, 0) == 0;
  const int status = made ? GBCAST_OK : cannot(t, "link", entry, err);
  if (from >= 0)
    (void)close(from);
  return status;
}

static int make(gb_cp_target *t, const gb_cp_entry *entry, const unsigned char *data, unsigned char *origin,
                gbcast_error *err) {
  path full;
  const char *last;
  (void)join(&full, t->temporary, entry->path);
  if (entry->kind == GB_CP_FILE)
    return make_file(t, entry, data, origin, err);
  if (entry->kind == GB_CP_HARD_LINK)
    return make_hard_link(t, entry, full.text, err);
  if (entry->kind == GB_CP_END || entry->path[0] == '\0')
    return GBCAST_OK;
  const int parent = parent_of(t, full.text, &last);
  const bool made =
      parent >= 0 && (entry->kind == GB_CP_DIRECTORY ? mkdirat(parent, last, 0700)
                                                     : symlinkat(entry->target, parent, last)) == 0;
  return made ? GBCAST_OK : cannot(t, "make", entry, err);
}

/* Closes the file that is open. On some file systems only that tells that the disk is full. */
static int close_file(gb_cp_target *t, const gb_cp_batch *batch, gbcast_error *err) {
  const int fd = t->fd;
  t->fd = -1;
  return fd < 0 || close(fd) == 0 ? GBCAST_OK : cannot(t, "write", &batch->entry[t->entry], err);
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

int gb_cp_target_read(gb_cp_target *t, const gb_cp_batch *batch, const gb_cp_place *place, bool replaced,
                      unsigned char *data, gbcast_error *err) {
  const gb_cp_entry *entry = &batch->entry[place->entry];
  path full;
  const int fd = open_below(t, join(&full, replaced ? t->name : t->temporary, entry->path), O_RDONLY);
  ssize_t got = -1;
  if (fd >= 0) {
    got = pread(fd, data, place->length, (off_t)place->offset);
    const int error = errno;
    (void)close(fd);
    errno = error;
  }
  if (got < 0)
    return cannot(t, "read", entry, err);
  memset(data + got, 0, place->length - (size_t)got); /* behind the end of a file that was shorter */
  return GBCAST_OK;
}

int gb_cp_target_write(gb_cp_target *t, const gb_cp_batch *batch, const gb_cp_place *place,
                       const unsigned char *data, gbcast_error *err) {
  const gb_cp_entry *entry = &batch->entry[place->entry];
  if (t->fd < 0 || t->entry != place->entry) {
    path full;
    const int status = close_file(t, batch, err);
    if (status != GBCAST_OK)
      return status;
    t->fd = open_below(t, join(&full, t->temporary, entry->path), O_WRONLY);
    t->entry = place->entry;
    if (t->fd < 0)
      return cannot(t, "write", entry, err);
  }
  for (size_t done = 0; done < place->length;) {
    const ssize_t put = pwrite(t->fd, data + done, place->length - done, (off_t)(place->offset + done));
    if (put < 0 && errno != EINTR)
      return cannot(t, "write", entry, err);
    done += put > 0 ? (size_t)put : 0;
  }
  return GBCAST_OK;
}

int gb_cp_target_flush(gb_cp_target *t, const gb_cp_batch *batch, gbcast_error *err) {
  const int closed = close_file(t, batch, err);
  if (closed != GBCAST_OK)
    return closed;
  for (size_t i = 0; i < batch->count; i++) {
    const gb_cp_entry *entry = &batch->entry[i];
    if (entry->kind != GB_CP_FILE || entry->size == 0)
      continue;
    path full;
    const int fd = open_below(t, join(&full, t->temporary, entry->path), O_RDONLY);
    const bool good = fd >= 0 && fdatasync(fd) == 0;
    const int status = good ? GBCAST_OK : cannot(t, "write", entry, err);
    if (good)
      (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); /* advice: reading is right without it, too */
    if (fd >= 0)
      (void)close(fd);
    if (!good)
      return status;
  }
  return GBCAST_OK;
}

static int finish(gb_cp_target *t, const gb_cp_entry *entry, gbcast_error *err) {
  const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, entry->time};
  path full;
  (void)join(&full, t->temporary, entry->path);
  if (entry->kind == GB_CP_SYMLINK) {
    const char *last;
    const int parent = parent_of(t, full.text, &last);
    const bool good = parent >= 0 && utimensat(parent, last, times, AT_SYMLINK_NOFOLLOW) == 0;
    return good ? GBCAST_OK : cannot(t, "set the time of", entry, err);
  }
  if (entry->kind != GB_CP_FILE && entry->kind != GB_CP_END)
    return GBCAST_OK;
  const int fd = open_below(t, full.text, O_RDONLY);
  const bool good = fd >= 0 && fchmod(fd, entry->mode) == 0 && futimens(fd, times) == 0;
  const int status = good ? GBCAST_OK : cannot(t, "set mode and time of", entry, err);
  if (fd >= 0)
    (void)close(fd);
  return status;
}

int gb_cp_target_finish(gb_cp_target *t, const gb_cp_batch *batch, gbcast_error *err) {
  int status = close_file(t, batch, err);
  for (size_t i = 0; status == GBCAST_OK && i < batch->count; i++)
    status = finish(t, &batch->entry[i], err);
  return status;
}
