/* Files that other programs see only when they are complete: each is written beside its place, and renamed.
 *
 *   hosts.txt.4711   ->   hosts.txt
 */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "platform/text/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 }; /* names that others, or a process that was killed, may have left */

/* Pipes and devices are written directly, not replaced. */
static bool is_special(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

/* Makes a new file beside `place`, and sets *name to its name, which is to be given to free(). Returns its
 * descriptor, or -1 with errno set. */
static int open_beside(const char *place, char **name) {
  const size_t room = strlen(place) + 48;
  int fd = -1;
  *name = malloc(room);
  for (int i = 0; *name != NULL && fd < 0 && i < TRIES; i++) {
    (void)snprintf(*name, room, i == 0 ? "%s.%ld" : "%s.%ld.%d", place, (long)getpid(), i);
    fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST)
      break;
  }
  return fd;
}

/* Closes the file, too. Returns 0 or an errno. */
static int write_out(int fd, gb_file_writer *writer, void *context) {
  FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (out == NULL) {
    const int why = errno;
    if (fd >= 0)
      (void)close(fd);
    return why;
  }
  gb_plain_locale plain;
  (void)gb_plain_locale_set(&plain);
  errno = 0;
  const int rc = writer(out, context);
  gb_plain_locale_end(&plain);
  const bool failed = ferror(out) != 0;
  const int why = errno;
  errno = 0;
  if (fclose(out) != 0 || failed)
    return errno != 0 ? errno : why != 0 ? why : EIO;
  return rc;
}

/* The file that a symbolic link points to, or the path itself; to be given to free(). */
static char *place_of(const char *path) {
  char *place = realpath(path, NULL);
  return place != NULL ? place : strdup(path);
}

int gb_write_file(const char *path, gb_file_writer *writer, void *context) {
  if (is_special(path))
    return write_out(open(path, O_WRONLY | O_CLOEXEC), writer, context);
  char *name = NULL, *place = place_of(path);
  if (place == NULL)
    return ENOMEM;
  struct stat old;
  const int fd = open_beside(place, &name);
  if (fd >= 0 && stat(place, &old) == 0) /* it may be somebody else's: then the new one has its own */
    (void)fchmod(fd, old.st_mode & 0777);
  int rc = write_out(fd, writer, context);
  if (rc == 0 && rename(name, place) != 0)
    rc = errno;
  if (rc != 0 && fd >= 0)
    (void)unlink(name);
  free(name);
  free(place);
  return rc;
}

int gb_try_file(const char *path) {
  if (is_special(path))
    return access(path, W_OK) == 0 ? 0 : errno;
  char *name = NULL, *place = place_of(path);
  const int fd = place != NULL ? open_beside(place, &name) : -1;
  const int rc = fd >= 0 ? 0 : errno;
  if (fd >= 0) {
    (void)close(fd);
    (void)unlink(name);
  }
  free(name);
  free(place);
  return rc;
}
