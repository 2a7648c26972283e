#define _XOPEN_SOURCE 700 /* strndup(), openat() */
#include "tools/cp/inside.h"
#include "platform/text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

const char *gb_cp_join(gb_cp_path *path, const char *top, const char *below) {
  (void)snprintf(path->text, sizeof path->text, "%s%s%s", top, below[0] != '\0' ? "/" : "", below);
  return path->text;
}

int gb_cp_parent(gb_cp_target *t, const char *path, const char **last) {
  const char *slash = strrchr(path, '/');
  *last = slash != NULL ? slash + 1 : path;
  if (slash == NULL)
    return t->folder;
  const size_t length = (size_t)(slash - path);
  if (t->parent_fd >= 0 && strncmp(t->parent, path, length) == 0 && t->parent[length] == '\0')
    return t->parent_fd;
  if (t->parent_fd >= 0)
    (void)close(t->parent_fd);
  free(t->parent);
  t->parent_fd = -1;
  t->parent = strndup(path, length);
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

int gb_cp_keep_parent(gb_cp_target *t, const char *path, const char **last) {
  const int parent = gb_cp_parent(t, path, last);
  return parent >= 0 ? dup(parent) : -1;
}

int gb_cp_open(gb_cp_target *t, const char *path, int flags) {
  const char *last;
  const int parent = gb_cp_parent(t, path, &last);
  return parent >= 0 ? openat(parent, last, flags | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
}

int gb_cp_cannot_path(const char *what, const char *path, int error, gbcast_error *err) {
  return gb_fail(err, GBCAST_EINPUT, "cannot %s '%s': %s", what, path, strerror(error));
}

int gb_cp_cannot(const gb_cp_target *t, const char *what, const gb_cp_entry *entry, gbcast_error *err) {
  const int error = errno;
  return gb_fail(err, GBCAST_EINPUT, "cannot %s '%.300s/%s%s%.300s': %s", what, t->folder_path, t->name,
                 entry->path[0] != '\0' ? "/" : "", entry->path, strerror(error));
}

int gb_cp_done(const gb_cp_target *t, int fd, bool good, const char *what, const gb_cp_entry *entry,
               gbcast_error *err) {
  const int status = good ? GBCAST_OK : gb_cp_cannot(t, what, entry, err);
  const bool closed = fd < 0 || close(fd) == 0;
  return good && !closed ? gb_cp_cannot(t, what, entry, err) : status;
}
