/* What is copied: its data, and whether it changes. */
#define _GNU_SOURCE /* tdestroy(), SEEK_DATA */
#include "tools/cp/source.h"
#include "platform/text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <search.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int compare_entries(const FTSENT **left, const FTSENT **right) {
  return strcmp((*left)->fts_name, (*right)->fts_name);
}

int gb_cp_cannot_read(const char *path, int error, gbcast_error *err) {
  return gb_fail(err, GBCAST_EINPUT, "cannot read '%s': %s", path, strerror(error));
}

static int open_walk(gb_cp_source *source, gbcast_error *err) {
  const int links = source->follow ? FTS_LOGICAL : FTS_PHYSICAL | FTS_COMFOLLOW;
  source->fts = fts_open((char *[]){source->path, NULL}, links | FTS_NOCHDIR, compare_entries);
  return source->fts != NULL ? GBCAST_OK : gb_cp_cannot_read(source->path, errno, err);
}

int gb_cp_source_open(gb_cp_source *source, const char *path, bool follow, gbcast_error *err) {
  *source = (gb_cp_source){.path = strdup(path), .follow = follow, .fd = -1};
  if (source->path == NULL)
    return gb_no_memory(err);
  for (size_t length = strlen(source->path); length > 1 && source->path[length - 1] == '/'; length--)
    source->path[length - 1] = '\0';
  struct stat about;
  if (stat(source->path, &about) != 0)
    return gb_cp_cannot_read(path, errno, err);
  source->totals =
      (gb_cp_totals){.folder = S_ISDIR(about.st_mode), .device = about.st_dev, .inode = about.st_ino};
  if (!S_ISDIR(about.st_mode) && !S_ISREG(about.st_mode))
    return gb_fail(err, GBCAST_EINPUT, "'%s' is neither a file nor a folder", path);
  return open_walk(source, err);
}

/* The path of a file, in `path`. */
static const char *full_path(const gb_cp_source *source, const gb_cp_entry *entry,
                             char path[2 * GB_CP_PATH_MOST]) {
  const bool below_root = source->path[strlen(source->path) - 1] == '/';
  (void)snprintf(path, 2 * (size_t)GB_CP_PATH_MOST, "%s%s%s", source->path,
                 entry->path[0] != '\0' && !below_root ? "/" : "", entry->path);
  return path;
}

static void add_blocks(gb_cp_source *source, const gb_cp_entry *entry, uint64_t from, uint64_t to) {
  for (uint64_t b = from / GB_CP_BLOCK; b < gb_cp_blocks(to); b++) {
    const uint64_t rest = entry->size - b * GB_CP_BLOCK;
    if (!gb_cp_in(source->data, entry->first + b))
      source->totals.bytes += rest < GB_CP_BLOCK ? rest : GB_CP_BLOCK;
    gb_cp_add(source->data, entry->first + b);
  }
}

/* Adds the blocks of a file with holes that are not in them. */
static int find_data(gb_cp_source *source, const gb_cp_entry *entry, gbcast_error *err) {
  char path[2 * GB_CP_PATH_MOST];
  const int fd = open(full_path(source, entry, path), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return gb_cp_cannot_read(path, errno, err);
  const off_t size = (off_t)entry->size;
  for (off_t from = 0, to; from < size; from = to) {
    const off_t found = lseek(fd, from, SEEK_DATA);
    to = found >= 0 ? lseek(fd, found, SEEK_HOLE) : -1;
    if (found < 0 && errno == ENXIO)
      break; /* a hole to the end */
    if (found < 0 || to <= found || to > size) {
      to = size; /* a file system without holes, or the file changes: all of it */
      add_blocks(source, entry, (uint64_t)from, (uint64_t)size);
    } else {
      add_blocks(source, entry, (uint64_t)found, (uint64_t)to);
    }
  }
  (void)close(fd);
  return GBCAST_OK;
}

int gb_cp_source_find_data(gb_cp_source *source, const gb_cp_batch *batch, gbcast_error *err) {
  free(source->data);
  source->data = calloc(1, gb_cp_set_bytes(batch->blocks));
  if (source->data == NULL)
    return gb_no_memory(err);
  int status = GBCAST_OK;
  for (size_t i = 0; status == GBCAST_OK && i < batch->count; i++) {
    const gb_cp_entry *entry = &batch->entry[i];
    if (entry->kind == GB_CP_FILE && source->seen[i].has_holes)
      status = find_data(source, entry, err);
    else if (entry->kind == GB_CP_FILE)
      add_blocks(source, entry, 0, entry->size);
  }
  return status;
}

void gb_cp_source_close_file(gb_cp_source *source) {
  if (source->fd >= 0)
    (void)close(source->fd);
  source->fd = -1;
}

static bool has_changed(const gb_cp_source *source, const gb_cp_batch *batch, size_t entry,
                        const struct stat *about) {
  const gb_cp_seen *seen = &source->seen[entry];
  const gb_cp_entry *file = &batch->entry[entry];
  return about->st_dev != seen->device || about->st_ino != seen->inode ||
         (uint64_t)about->st_size != file->size || about->st_mtim.tv_sec != file->time.tv_sec ||
         about->st_mtim.tv_nsec != file->time.tv_nsec || about->st_ctim.tv_sec != seen->changed.tv_sec ||
         about->st_ctim.tv_nsec != seen->changed.tv_nsec;
}

static int fail_changed(const char *path, gbcast_error *err) {
  return gb_fail(err, GBCAST_EINPUT, "'%s' changes while it is copied; copy it when nobody writes to it",
                 path);
}

int gb_cp_source_read(gb_cp_source *source, const gb_cp_batch *batch, const gb_cp_place *place,
                      unsigned char *data, gbcast_error *err) {
  char path[2 * GB_CP_PATH_MOST];
  (void)full_path(source, &batch->entry[place->entry], path);
  if (source->fd < 0 || source->entry != place->entry) {
    gb_cp_source_close_file(source);
    source->fd = open(path, O_RDONLY | O_CLOEXEC);
    source->entry = place->entry;
    struct stat about;
    if (source->fd < 0 || fstat(source->fd, &about) != 0)
      return gb_cp_cannot_read(path, errno, err);
    if (has_changed(source, batch, place->entry, &about))
      return fail_changed(path, err);
  }
  for (size_t done = 0; done < place->length;) {
    const ssize_t got = pread(source->fd, data + done, place->length - done, (off_t)(place->offset + done));
    if (got == 0)
      return fail_changed(path, err);
    if (got < 0 && errno != EINTR)
      return gb_cp_cannot_read(path, errno, err);
    done += got > 0 ? (size_t)got : 0;
  }
  return GBCAST_OK;
}

int gb_cp_source_check(const gb_cp_source *source, const gb_cp_batch *batch, gbcast_error *err) {
  for (size_t i = 0; i < batch->count; i++) {
    if (batch->entry[i].kind != GB_CP_FILE)
      continue;
    char path[2 * GB_CP_PATH_MOST];
    struct stat about;
    if (stat(full_path(source, &batch->entry[i], path), &about) != 0)
      return gb_cp_cannot_read(path, errno, err);
    if (has_changed(source, batch, i, &about))
      return fail_changed(path, err);
  }
  return GBCAST_OK;
}

void gb_cp_source_close(gb_cp_source *source) {
  gb_cp_source_close_file(source);
  if (source->fts != NULL)
    (void)fts_close(source->fts);
  tdestroy(source->links, free);
  free(source->seen);
  free(source->data);
  free(source->path);
  *source = (gb_cp_source){.fd = -1};
}
