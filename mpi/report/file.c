/* Writes a temporary file and renames it, so that nobody reads half a file. */
#include "mpi/report/file.h"
#include "platform/text/text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_as(const char *path, const char *mode, gb_file_writer *writer, void *context) {
  errno = 0;
  FILE *out = fopen(path, mode);
  if (out == NULL)
    return errno;
  gb_plain_locale plain;
  (void)gb_plain_locale_set(&plain);
  const int rc = writer(out, context);
  gb_plain_locale_end(&plain);
  const bool failed = ferror(out) != 0;
  if (fclose(out) != 0 || failed)
    return errno != 0 ? errno : EIO;
  return rc;
}

int gb_file_write(const char *path, gb_file_writer *writer, void *context) {
  const size_t room = strlen(path) + 32;
  struct stat about;
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
    return write_as(path, "w", writer, context);
  char *beside = malloc(room);
  if (beside == NULL)
    return ENOMEM;
  (void)snprintf(beside, room, "%s.%ld", path, (long)getpid());
  int rc = write_as(beside, "wx", writer, context);
  if (rc == 0 && rename(beside, path) != 0)
    rc = errno;
  if (rc != 0 && rc != EEXIST)
    (void)unlink(beside);
  free(beside);
  return rc;
}

char *gb_file_path(const char *value) {
  char *path = NULL, *folder = NULL;
  if (value == NULL)
    return NULL;
  if (value[0] == '/' || (folder = getcwd(NULL, 0)) == NULL)
    return strdup(value);
  const size_t room = strlen(folder) + strlen(value) + 2;
  if ((path = malloc(room)) != NULL)
    (void)snprintf(path, room, "%s/%s", folder, value);
  free(folder);
  return path;
}
