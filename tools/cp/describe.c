/* The walk through what is copied, which describes it in batches. */
#define _GNU_SOURCE /* AT_EACCESS */
#include "platform/text/text.h"
#include "tools/cp/source.h"

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

/* The path of a file that the walk has met, below what is copied. */
static const char *below(const gb_cp_source *source, const char *path) {
  const char *rest = path + strlen(source->path);
  return rest + strspn(rest, "/");
}

static int append(gb_cp_batch *batch, const gb_cp_entry *entry, gbcast_error *err) {
  return gb_cp_batch_add(batch, entry) ? GBCAST_OK : gb_no_memory(err);
}

/* The name by which the walk has met this file before, or its own if that is the first. NULL: no memory. */
static const char *first_name(gb_cp_source *source, const char *path, const struct stat *about) {
  several_names *names = malloc(sizeof *names + strlen(path) + 1);
  if (names == NULL)
    return NULL;
  names->device = about->st_dev;
  names->inode = about->st_ino;
  memcpy(names->path, path, strlen(path) + 1);
  several_names **found = tsearch(names, &source->links, compare_inodes);
  if (found != NULL && *found == names)
    return path;
  free(names);
  return found != NULL ? (*found)->path : NULL;
}

/* Adds a file, or if it was met before by another name, a hard link. */
static int add_file(gb_cp_source *source, gb_cp_batch *batch, const FTSENT *at, gb_cp_entry *entry,
                    gbcast_error *err) {
  if (at->fts_statp->st_nlink > 1 && !source->follow) {
    const char *first = first_name(source, entry->path, at->fts_statp);
    if (first == NULL)
      return gb_no_memory(err);
    if (first != entry->path) {
      entry->kind = GB_CP_HARD_LINK;
      entry->target = first;
      return append(batch, entry, err);
    }
  }
  if (faccessat(AT_FDCWD, at->fts_path, R_OK, AT_EACCESS) != 0)
    return gb_cp_cannot_read(at->fts_path, errno, err);
  entry->kind = GB_CP_FILE;
  entry->size = (uint64_t)at->fts_statp->st_size;
  source->totals.files++;
  return append(batch, entry, err);
}

static int add_link(gb_cp_batch *batch, const FTSENT *at, gb_cp_entry entry, gbcast_error *err) {
  char target[GB_CP_PATH_MOST + 1];
  const ssize_t length = readlink(at->fts_path, target, sizeof target - 1);
  if (length < 0)
    return gb_cp_cannot_read(at->fts_path, errno, err);
  target[length] = '\0';
  entry.kind = GB_CP_SYMLINK;
  entry.target = target;
  return append(batch, &entry, err);
}

/* Adds what the walk has met to the batch, if it is copied. */
static int add(gb_cp_source *source, gb_cp_batch *batch, const FTSENT *at, gbcast_error *err) {
  if (at->fts_info == FTS_DNR || at->fts_info == FTS_ERR || at->fts_info == FTS_NS)
    return gb_cp_cannot_read(at->fts_path, at->fts_errno, err);
  const struct stat *about = at->fts_statp;
  /* without owners, setuid and setgid of a file would mean something else */
  gb_cp_entry entry = {.path = below(source, at->fts_path),
                       .target = "",
                       .mode = about->st_mode & (S_ISREG(about->st_mode) ? 01777 : 07777),
                       .time = about->st_mtim};
  if (strlen(entry.path) > GB_CP_PATH_MOST)
    return gb_cp_cannot_read(at->fts_path, ENAMETOOLONG, err);
  switch (at->fts_info) {
  case FTS_D:
    entry.kind = GB_CP_DIRECTORY;
    return append(batch, &entry, err);
  case FTS_DP:
    entry.kind = GB_CP_END;
    return append(batch, &entry, err);
  case FTS_DC:
    return gb_fail(err, GBCAST_EINPUT, "'%s' is a folder that contains itself", at->fts_path);
  case FTS_F:
    return add_file(source, batch, at, &entry, err);
  case FTS_SL:
  case FTS_SLNONE:
    return add_link(batch, at, entry, err);
  default:
    source->totals.skipped++;
    return GBCAST_OK;
  }
}

/* Remembers the state of an entry, to see later whether it has changed. */
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

int gb_cp_source_next(gb_cp_source *source, gb_cp_batch *batch, gbcast_error *err) {
  int status = GBCAST_OK;
  size_t entries = 0;
  uint64_t blocks = 0;
  gb_cp_source_close_file(source); /* its number means another file now */
  while (status == GBCAST_OK && batch->length < TEXT_MOST && blocks < BLOCKS_MOST) {
    errno = 0;
    const FTSENT *at = fts_read(source->fts);
    if (at == NULL) {
      status = errno == 0 ? GBCAST_OK : gb_cp_cannot_read(source->path, errno, err);
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
  return status == GBCAST_OK ? gb_cp_source_find_data(source, batch, err) : status;
}
