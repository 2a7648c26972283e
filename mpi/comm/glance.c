/* A file that is looked at now and then, without ever waiting for it. */
#include "mpi/comm/glance.h"
#include "platform/platform.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_same(const gb_glance *a, const gb_glance *b) {
  return a->device == b->device && a->inode == b->inode && a->size == b->size &&
         a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

static int fail(const char *path, int problem, gbcast_error *err) {
  char reason[128];
  if (strerror_r(problem, reason, sizeof reason) != 0)
    (void)snprintf(reason, sizeof reason, "error %d", problem);
  return gb_fail(err, GBCAST_EINPUT, "%s: cannot read: %s", path, reason);
}

static int read_all(int fd, const char *path, char *text, size_t size, size_t *length, gbcast_error *err) {
  for (*length = 0; *length < size;) {
    ssize_t n = read(fd, text + *length, size - *length);
    if (n < 0 && errno != EINTR)
      return fail(path, errno, err);
    if (n == 0)
      break;
    *length += n > 0 ? (size_t)n : 0;
  }
  return GBCAST_OK;
}

static int look(int fd, const char *path, size_t most, gb_glance *last, char **text, size_t *length,
                gbcast_error *err) {
  struct stat found;
  if (fstat(fd, &found) != 0)
    return fail(path, errno, err);
  if (!S_ISREG(found.st_mode))
    return gb_fail(err, GBCAST_EINPUT, "%s: found no regular file", path);
  if (found.st_size < 0 || (uintmax_t)found.st_size > most)
    return gb_fail(err, GBCAST_EINPUT, "%s: found %lld bytes, expected at most %zu", path,
                   (long long)found.st_size, most);
  gb_glance now = {found.st_dev, found.st_ino, found.st_size, found.st_mtim};
  if (is_same(&now, last))
    return GBCAST_OK;
  *last = now;
  *text = malloc((size_t)found.st_size + 1);
  return *text == NULL ? gb_no_memory(err) : read_all(fd, path, *text, (size_t)found.st_size, length, err);
}

int gb_glance_at(const char *path, size_t most, gb_glance *last, char **text, size_t *length,
                 gbcast_error *err) {
  *text = NULL;
  int fd =
      open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY); /* a pipe without a writer opens at once */
  if (fd < 0)
    return fail(path, errno, err);
  int status = look(fd, path, most, last, text, length, err);
  (void)close(fd);
  if (status != GBCAST_OK) {
    free(*text);
    *text = NULL;
  }
  return status;
}
