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

/* A batch ends with the entry that makes it longer than this: 1 MiB of names, or 16 GiB of data, or one file
 * that is larger. */
enum { TEXT_MOST = 1 << 20, BLOCKS_MOST = 1 << 16 };

typedef struct several_names {
  uint64_t device, inode;
  char path[]; /* the first that was met */
} several_names;

static int compare_inodes(const void *left, const void *right) {
  const several_names *a = left, *b = right;
  if (a->device != b->device)
    return a->device < b->device ? -1 : 1;
  return (a->inode > b->inode) - (a->inode < b->inode);
}

static int compare_entries(const FTSENT **left, const FTSENT **right) {
  return strcmp((*left)->fts_name, (*right)->fts_name);
}

static int cannot_read(const char *path, int error, gbcast_error *err) {
  return gb_fail(err, GBCAST_EINPUT, "cannot read '%s': %s", path, strerror(error));
}

static int open_walk(gb_cp_source *source, gbcast_error *err) {
  const int links = source->follow ? FTS_LOGICAL : FTS_PHYSICAL | FTS_COMFOLLOW;
  source->fts = fts_open((char *[]){source->path, NULL}, links | FTS_NOCHDIR, compare_entries);
  return source->fts != NULL ? GBCAST_OK : cannot_read(source->path, errno, err);
}

int gb_cp_source_open(gb_cp_source *source, const char *path, bool follow, gbcast_error *err) {
  *source = (gb_cp_source){.path = strdup(path), .follow = follow, .fd = -1};
  if (source->path == NULL)
    return gb_no_memory(err);
  for (size_t length = strlen(source->path); length > 1 && source->path[length - 1] == '/'; length--)
    source->path[length - 1] = '\0';
  struct stat about;
  if (stat(source->path, &about) != 0)
    return cannot_read(path, errno, err);
  source->totals =
      (gb_cp_totals){.folder = S_ISDIR(about.st_mode), .device = about.st_dev, .inode = about.st_ino};
  if (!S_ISDIR(about.st_mode) && !S_ISREG(about.st_mode))
    return gb_fail(err, GBCAST_EINPUT, "'%s' is neither a file nor a folder", path);
  return open_walk(source, err);
}

/* The path of a file that the walk has met, below what is copied. */
static const char *below(const gb_cp_source *source, const char *path) {
  const char *rest = path + strlen(source->path);
  return rest + strspn(rest, "/");
}

/* Adds a file, or if it was met before by another name, a hard link. */
static int add_file(gb_cp_source *source, gb_cp_batch *batch, const FTSENT *at, gb_cp_entry *entry,
                    gbcast_error *err) {
  const struct stat *about = at->fts_statp;
  if (about->st_nlink > 1 && !source->follow) {
    several_names *names = malloc(sizeof *names + strlen(entry->path) + 1);
    if (names == NULL)
      return gb_no_memory(err);
    names->device = about->st_dev;
    names->inode = about->st_ino;
    memcpy(names->path, entry->path, strlen(entry->path) + 1);
    several_names **found = tsearch(names, &source->links, compare_inodes);
    if (found == NULL || *found != names) {
      if (found != NULL) {
        entry->kind = GB_CP_HARD_LINK;
        entry->target = (*found)->path;
      }
      free(names);
    }
    if (found == NULL || (entry->kind == GB_CP_HARD_LINK && !gb_cp_batch_add(batch, entry)))
      return gb_no_memory(err);
    if (entry->kind == GB_CP_HARD_LINK)
      return GBCAST_OK;
  }
  if (faccessat(AT_FDCWD, at->fts_path, R_OK, AT_EACCESS) != 0)
    return cannot_read(at->fts_path, errno, err);
  source->totals.files++;
  return gb_cp_batch_add(batch, entry) ? GBCAST_OK : gb_no_memory(err);
}

static int add_link(gb_cp_batch *batch, const FTSENT *at, gb_cp_entry entry, gbcast_error *err) {
  char target[GB_CP_PATH_MOST + 1];
  const ssize_t length = readlink(at->fts_path, target, sizeof target - 1);
  if (length < 0)
    return cannot_read(at->fts_path, errno, err);
  target[length] = '\0';
  entry.kind = GB_CP_SYMLINK;
  entry.target = target;
  return gb_cp_batch_add(batch, &entry) ? GBCAST_OK : gb_no_memory(err);
}

/* Adds what the walk has met to the batch, if it is copied. */
static int add(gb_cp_source *source, gb_cp_batch *batch, const FTSENT *at, gbcast_error *err) {
  const struct stat *about = at->fts_statp;
  gb_cp_entry entry = {.path = below(source, at->fts_path), .target = ""};
  if (strlen(entry.path) > GB_CP_PATH_MOST)
    return cannot_read(at->fts_path, ENAMETOOLONG, err);
  if (at->fts_info != FTS_DNR && at->fts_info != FTS_ERR && at->fts_info != FTS_NS) {
    /* without owners, setuid and setgid would mean something else */
    entry.mode = about->st_mode & (S_ISREG(about->st_mode) ? 01777 : 07777);
    entry.time = about->st_mtim;
  }
  switch (at->fts_info) {
  case FTS_D:
    entry.kind = GB_CP_DIRECTORY;
    break;
  case FTS_DP:
    entry.kind = GB_CP_END;
    return gb_cp_batch_add(batch, &entry) ? GBCAST_OK : gb_no_memory(err);
  case FTS_F:
    entry.kind = GB_CP_FILE;
    entry.size = (uint64_t)about->st_size;
    source->totals.entries++;
    return add_file(source, batch, at, &entry, err);
  case FTS_SL:
  case FTS_SLNONE:
    source->totals.entries++;
    return add_link(batch, at, entry, err);
  case FTS_DC:
    return gb_fail(err, GBCAST_EINPUT, "'%s' is a folder that contains itself", at->fts_path);
  case FTS_DNR:
  case FTS_ERR:
  case FTS_NS:
    return cannot_read(at->fts_path, at->fts_errno, err);
  default:
    source->totals.skipped++;
    return GBCAST_OK;
  }
  source->totals.entries++;
  return gb_cp_batch_add(batch, &entry) ? GBCAST_OK : gb_no_memory(err);
}

/* Remembers the state of the entry that was added last. */
static int remember(gb_cp_source *source, size_t entry, const struct stat *about, gbcast_error *err) {
  if (entry == source->seen_room) {
    const size_t room = source->seen_room != 0 ? 2 * source->seen_room : 64;
    gb_cp_seen *grown = realloc(source->seen, room * sizeof *grown);
    if (grown == NULL)
      return gb_no_memory(err);
    source->seen = grown;
    source->seen_room = room;
  }
  source->seen[entry] = (gb_cp_seen){.device = about->st_dev,
                                     .inode = about->st_ino,
                                     .changed = about->st_ctim,
                                     .has_holes = about->st_blocks < about->st_size / 512};
  return GBCAST_OK;
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
    return cannot_read(path, errno, err);
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

static int find_all_data(gb_cp_source *source, const gb_cp_batch *batch, gbcast_error *err) {
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

static void close_file(gb_cp_source *source) {
  if (source->fd >= 0)
    (void)close(source->fd);
  source->fd = -1;
}

int gb_cp_source_next(gb_cp_source *source, gb_cp_batch *batch, gbcast_error *err) {
  int status = GBCAST_OK;
  size_t entries = 0;
  uint64_t blocks = 0;
  close_file(source); /* its number means another file now */
  while (status == GBCAST_OK && batch->length < TEXT_MOST && blocks < BLOCKS_MOST) {
    errno = 0;
    const FTSENT *at = fts_read(source->fts);
    if (at == NULL) {
      status = errno == 0 ? GBCAST_OK : cannot_read(source->path, errno, err);
      break;
    }
    const size_t before = batch->length;
    status = add(source, batch, at, err);
    if (status != GBCAST_OK || batch->length == before)
      continue;
    status = remember(source, entries++, at->fts_statp, err);
    if (at->fts_info == FTS_F)
      blocks += gb_cp_blocks((uint64_t)at->fts_statp->st_size);
  }
  if (status == GBCAST_OK)
    status = gb_cp_batch_read(batch, err);
  return status == GBCAST_OK ? find_all_data(source, batch, err) : status;
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
    close_file(source);
    source->fd = open(path, O_RDONLY | O_CLOEXEC);
    source->entry = place->entry;
    struct stat about;
    if (source->fd < 0 || fstat(source->fd, &about) != 0)
      return cannot_read(path, errno, err);
    if (has_changed(source, batch, place->entry, &about))
      return fail_changed(path, err);
  }
  for (size_t done = 0; done < place->length;) {
    const ssize_t got = pread(source->fd, data + done, place->length - done, (off_t)(place->offset + done));
    if (got == 0)
      return fail_changed(path, err);
    if (got < 0 && errno != EINTR)
      return cannot_read(path, errno, err);
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
      return cannot_read(path, errno, err);
    if (has_changed(source, batch, i, &about))
      return fail_changed(path, err);
  }
  return GBCAST_OK;
}

void gb_cp_source_close(gb_cp_source *source) {
  close_file(source);
  if (source->fts != NULL)
    (void)fts_close(source->fts);
  tdestroy(source->links, free);
  free(source->seen);
  free(source->data);
  free(source->path);
  *source = (gb_cp_source){.fd = -1};
}
