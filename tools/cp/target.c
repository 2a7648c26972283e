/* Blocks, and what is done when all blocks of a batch are there. */
#define _XOPEN_SOURCE 700 /* pwrite(), futimens() */
#include "platform/text/text.h"
#include "tools/cp/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Closes the file that is open. */
static int close_file(gb_cp_target *t, const gb_cp_batch *batch, gbcast_error *err) {
  const int fd = t->fd;
  t->fd = -1;
  return fd >= 0 ? gb_cp_done(t, fd, true, "write", &batch->entry[t->entry], err) : GBCAST_OK;
}

int gb_cp_target_read(gb_cp_target *t, const gb_cp_batch *batch, const gb_cp_place *place, bool replaced,
                      unsigned char *data, gbcast_error *err) {
  const gb_cp_entry *entry = &batch->entry[place->entry];
  gb_cp_path full;
  const int fd = gb_cp_open(t, gb_cp_join(&full, replaced ? t->name : t->temporary, entry->path), O_RDONLY);
  const ssize_t got = fd >= 0 ? pread(fd, data, place->length, (off_t)place->offset) : -1;
  if (got >= 0) /* behind the end of a file that was shorter */
    memset(data + got, 0, place->length - (size_t)got);
  return gb_cp_done(t, fd, got >= 0, "read", entry, err);
}

int gb_cp_target_write(gb_cp_target *t, const gb_cp_batch *batch, const gb_cp_place *place,
                       const unsigned char *data, gbcast_error *err) {
  const gb_cp_entry *entry = &batch->entry[place->entry];
  if (t->fd < 0 || t->entry != place->entry) {
    gb_cp_path full;
    const int status = close_file(t, batch, err);
    if (status != GBCAST_OK)
      return status;
    t->fd = gb_cp_open(t, gb_cp_join(&full, t->temporary, entry->path), O_WRONLY);
    t->entry = place->entry;
    if (t->fd < 0)
      return gb_cp_cannot(t, "write", entry, err);
  }
  for (size_t done = 0; done < place->length;) {
    const ssize_t put = pwrite(t->fd, data + done, place->length - done, (off_t)(place->offset + done));
    if (put < 0 && errno != EINTR)
      return gb_cp_cannot(t, "write", entry, err);
    done += put > 0 ? (size_t)put : 0;
  }
  return GBCAST_OK;
}

int gb_cp_target_flush(gb_cp_target *t, const gb_cp_batch *batch, gbcast_error *err) {
  int status = close_file(t, batch, err);
  for (size_t i = 0; status == GBCAST_OK && i < batch->count; i++) {
    const gb_cp_entry *entry = &batch->entry[i];
    if (entry->kind != GB_CP_FILE || entry->size == 0)
      continue;
    gb_cp_path full;
    const int fd = gb_cp_open(t, gb_cp_join(&full, t->temporary, entry->path), O_RDONLY);
    const bool good = fd >= 0 && fdatasync(fd) == 0;
    if (good)
      (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); /* advice: reading is right without it, too */
    status = gb_cp_done(t, fd, good, "write", entry, err);
  }
  return status;
}

static int finish(gb_cp_target *t, const gb_cp_entry *entry, gbcast_error *err) {
  const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, entry->time};
  gb_cp_path full;
  (void)gb_cp_join(&full, t->temporary, entry->path);
  if (entry->kind == GB_CP_SYMLINK) {
    const char *last;
    const int parent = gb_cp_parent(t, full.text, &last);
    const bool good = parent >= 0 && utimensat(parent, last, times, AT_SYMLINK_NOFOLLOW) == 0;
    return good ? GBCAST_OK : gb_cp_cannot(t, "set the time of", entry, err);
  }
  if (entry->kind != GB_CP_FILE && entry->kind != GB_CP_END)
    return GBCAST_OK;
  const int fd = gb_cp_open(t, full.text, O_RDONLY);
  const bool good = fd >= 0 && fchmod(fd, entry->mode) == 0 && futimens(fd, times) == 0;
  return gb_cp_done(t, fd, good, "set mode and time of", entry, err);
}

int gb_cp_target_finish(gb_cp_target *t, const gb_cp_batch *batch, gbcast_error *err) {
  int status = close_file(t, batch, err);
  for (size_t i = 0; status == GBCAST_OK && i < batch->count; i++)
    status = finish(t, &batch->entry[i], err);
  return status;
}
