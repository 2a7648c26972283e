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

static int take_lock(gb_log *log, gbcast_error *err) {
  log->lock = openat(log->folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (log->lock < 0)
    return cannot(log, err, "write in this folder");
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(log->lock, F_SETLK, &lock) == 0)
    return GBCAST_OK;
  if (errno != EACCES && errno != EAGAIN)
    return cannot(log, err, "lock this folder");
  struct flock holder = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  long process = fcntl(log->lock, F_GETLK, &holder) == 0 && holder.l_type != F_UNLCK ? (long)holder.l_pid : 0;
  return gb_fail(err, GBCAST_EINPUT, "%s: in use by another server (process %ld); give each its own --dir",
                 log->path, process);
}

int gb_log_open(gb_log *log, const char *path, gbcast_error *err) {
  *log = (gb_log){.path = path, .folder = -1, .lock = -1, .file = -1};
  if (mkdir(path, 0755) != 0 && errno != EEXIST)
    return cannot(log, err, "make this folder");
  log->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (log->folder < 0)
    return cannot(log, err, "open this folder");
  return take_lock(log, err);
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

bool gb_log_next(gb_log *log) {
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
  errno = entries->failed ? ENOMEM : EIO;
  if (entries->failed || log->broken)
    return false;
  for (size_t done = 0; done < entries->size;) {
    ssize_t n = pwrite(log->file, entries->data + done, entries->size - done, (off_t)(log->size + done));
    if (n > 0) {
      done += (size_t)n;
    } else if (n == 0 || errno != EINTR) {
      int why = n == 0 ? ENOSPC : errno;
      log->broken = ftruncate(log->file, (off_t)log->size) != 0; /* no entry may follow a partial one */
      errno = why;
      return false;
    }
  }
  log->size += entries->size;
  log->dirty = true;
  return true;
}

bool gb_log_sync(gb_log *log) {
  if (!log->dirty)
    return true;
  log->dirty = false;
  log->broken = fdatasync(log->file) != 0; /* the system may have dropped the pages: no second try */
  return !log->broken;
}

bool gb_log_retire(gb_log *log, bool set_aside) {
  size_t count;
  uint64_t next, *files = gb_log_files(log, &count, &next);
  bool done = files != NULL;
  for (size_t i = 0; done && i < count && files[i] < log->number; i++) {
    char name[GB_LOG_NAME], aside[GB_LOG_NAME];
    gb_log_name(name, files[i], "log");
    gb_log_name(aside, files[i], "damaged");
    done =
        (set_aside ? renameat(log->folder, name, log->folder, aside) : unlinkat(log->folder, name, 0)) == 0;
  }
  free(files);
  if (done)
    log->earlier = 0;
  return done && fsync(log->folder) == 0;
}
