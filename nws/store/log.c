#include "nws/store/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot(const gb_log *log, gbcast_error *err, const char *what) {
  return gb_fail(err, GBCAST_EINPUT, "%s: cannot %s: %s", log->path, what, strerror(errno));
}

static struct flock whole_file(void) {
  return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

/* So that a new folder is still there after a power failure. Not every system can do it. */
static void sync_parent(int folder) {
  int parent = openat(folder, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent < 0)
    return;
  (void)fsync(parent);
  (void)close(parent);
}

/* Opens the folder and locks it. False, with errno; *what names what cannot be done. */
static bool open_folder(gb_log *log, const char **what) {
  struct flock lock = whole_file();
  *what = "make this folder";
  bool made = mkdir(log->path, 0755) == 0;
  if (!made && errno != EEXIST)
    return false;
  *what = "open this folder";
  log->folder = open(log->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (log->folder < 0)
    return false;
  if (made)
    sync_parent(log->folder);
  *what = "write in this folder";
  log->lock = openat(log->folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (log->lock < 0)
    return false;
  *what = "lock this folder";
  return fcntl(log->lock, F_SETLK, &lock) == 0;
}

int gb_log_open(gb_log *log, const char *path, gbcast_error *err) {
  const char *what;
  *log = (gb_log){.path = path, .folder = -1, .lock = -1, .file = -1};
  if (open_folder(log, &what))
    return GBCAST_OK;
  if (log->lock < 0 || (errno != EACCES && errno != EAGAIN))
    return cannot(log, err, what);
  struct flock holder = whole_file();
  long process = fcntl(log->lock, F_GETLK, &holder) == 0 && holder.l_type != F_UNLCK ? (long)holder.l_pid : 0;
  return gb_fail(err, GBCAST_EINPUT, "%s: in use by another server (process %ld); give each its own --dir",
                 log->path, process);
}

static void close_one(int *file) {
  if (*file >= 0)
    (void)close(*file);
  *file = -1;
}

void gb_log_close(gb_log *log) {
  close_one(&log->file);
  close_one(&log->folder);
  close_one(&log->lock); /* last: then another server may start */
}

void gb_log_name(char name[GB_LOG_NAME], uint64_t number, const char *ending) {
  (void)snprintf(name, GB_LOG_NAME, "%08" PRIu64 ".%s", number, ending);
}

/* Whether this name in the folder is still our file. */
static bool is_same(int folder, const char *name, int file, struct stat *own) {
  struct stat there;
  return fstat(file, own) == 0 && fstatat(folder, name, &there, 0) == 0 && own->st_dev == there.st_dev &&
         own->st_ino == there.st_ino;
}

static bool is_folder_in_place(const gb_log *log) {
  struct stat own;
  return is_same(AT_FDCWD, log->path, log->folder, &own) && is_same(log->folder, "lock", log->lock, &own);
}

static bool is_in_place(const gb_log *log) {
  char name[GB_LOG_NAME];
  struct stat own;
  gb_log_name(name, log->number, "log");
  return is_folder_in_place(log) && is_same(log->folder, name, log->file, &own) &&
         (uint64_t)own.st_size == log->size;
}

static bool renew_folder(gb_log *log) {
  const char *what;
  struct stat own;
  if (!is_same(AT_FDCWD, log->path, log->folder, &own))
    log->set_aside = true; /* what is in another folder is not ours to delete */
  log->lost = true;
  close_one(&log->folder);
  close_one(&log->lock);
  if (open_folder(log, &what))
    return true;
  int why = errno;
  close_one(&log->folder);
  close_one(&log->lock);
  errno = why;
  return false;
}

bool gb_log_break(gb_log *log, int why) {
  log->broken = true;
  log->why = errno = why;
  return false;
}

/* False, with errno: others have removed or changed the file that is written. */
static bool check_in_place(gb_log *log) {
  if (is_in_place(log))
    return true;
  log->lost = true;
  return gb_log_break(log, ENOENT);
}

bool gb_log_next(gb_log *log) {
  if (!is_folder_in_place(log) && !renew_folder(log))
    return false;
  size_t count;
  uint64_t next, *files = gb_log_files(log, &count, &next);
  if (files == NULL)
    return false;
  free(files);
  char name[GB_LOG_NAME];
  gb_log_name(name, next, "log");
  int file = openat(log->folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0)
    return false;
  if (fsync(log->folder) != 0) {
    int why = errno;
    (void)unlinkat(log->folder, name, 0);
    (void)close(file);
    errno = why;
    return false;
  }
  close_one(&log->file);
  log->file = file;
  log->number = next;
  log->earlier += log->size;
  log->size = 0;
  log->dirty = log->broken = false;
  return true;
}

bool gb_log_append(gb_log *log, const gb_bytes *entries) {
  errno = entries->failed ? ENOMEM : log->why;
  if (entries->failed || log->broken || (!log->dirty && !check_in_place(log)))
    return false;
  for (size_t done = 0; done < entries->size;) {
    ssize_t n = pwrite(log->file, entries->data + done, entries->size - done, (off_t)(log->size + done));
    if (n > 0) {
      done += (size_t)n;
    } else if (n == 0 || errno != EINTR) {
      int why = n == 0 ? ENOSPC : errno;
      if (done > 0 && ftruncate(log->file, (off_t)log->size) != 0)
        return gb_log_break(log, why); /* no entry may follow a partial one */
      errno = why;
      return false;
    }
  }
  log->size += entries->size;
  log->dirty = true;
  return true;
}

bool gb_log_sync(gb_log *log) {
  bool dirty = log->dirty;
  log->dirty = false;
  if (dirty && fdatasync(log->file) != 0)
    return gb_log_break(log, errno); /* the system may have dropped the pages: no second try */
  bool safe = !log->broken && check_in_place(log);
  return safe || !dirty;
}

bool gb_log_retire(gb_log *log) {
  size_t count;
  uint64_t next, *files = gb_log_files(log, &count, &next);
  bool done = files != NULL;
  for (size_t i = 0; done && i < count && files[i] < log->number; i++) {
    char name[GB_LOG_NAME], aside[GB_LOG_NAME];
    gb_log_name(name, files[i], "log");
    gb_log_name(aside, files[i], "damaged");
    done = (log->set_aside ? renameat(log->folder, name, log->folder, aside)
                           : unlinkat(log->folder, name, 0)) == 0;
  }
  free(files);
  if (!done || fsync(log->folder) != 0)
    return false;
  log->earlier = 0;
  log->lost = log->set_aside = false;
  return true;
}

void gb_log_drop_last(gb_log *log) {
  char name[GB_LOG_NAME];
  gb_log_name(name, log->number, "log");
  (void)unlinkat(log->folder, name, 0);
}
