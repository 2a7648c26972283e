/* Where a host writes, and whether it may. */
#define _XOPEN_SOURCE 700 /* realpath(), fstatat() */
#include "platform/text/text.h"
#include "tools/cp/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_folders(char *path, gbcast_error *err) {
  for (char *end = path; *end != '\0';) {
    end += 1 + strcspn(end + 1, "/");
    const char kept = *end;
    *end = '\0';
    struct stat about;
    const bool there = mkdir(path, 0777) == 0 || (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
    const int status = there ? GBCAST_OK : gb_cp_cannot_path("make the folder", path, errno, err);
    *end = kept;
    if (!there)
      return status;
  }
  return GBCAST_OK;
}

/* Sets folder and name from a path that names what is written. */
static int split(gb_cp_target *t, char *path, gbcast_error *err) {
  char top[] = "/", here[] = ".";
  char *real = realpath(path, NULL); /* of a symbolic link, unless it is dangling: then it is replaced */
  char *full = real != NULL ? real : path;
  char *slash = strrchr(full, '/');
  const char *name = slash != NULL ? slash + 1 : full;
  int status = GBCAST_OK;
  if (name[0] == '\0') /* a link to the root */
    status = gb_fail(err, GBCAST_EINPUT, "'%s' is the root of the file system", path);
  else if (strlen(name) > GB_CP_NAME_MOST)
    status = gb_cp_cannot_path("write", path, ENAMETOOLONG, err);
  else
    memcpy(t->name, name, strlen(name) + 1);
  if (slash == full)
    full = top;
  else if (slash != NULL)
    *slash = '\0';
  else
    full = here;
  if (status == GBCAST_OK && real == NULL)
    status = make_folders(full, err);
  if (status == GBCAST_OK) {
    t->folder_path = realpath(full, NULL);
    t->folder = t->folder_path != NULL ? open(t->folder_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (t->folder < 0)
      status = gb_cp_cannot_path("open the folder", full, errno, err);
  }
  free(real);
  return status;
}

/* Checks that what is there already may be replaced. */
static int look_at_old(gb_cp_target *t, const gb_cp_request *request, gbcast_error *err) {
  struct stat about;
  if (fstat(t->folder, &about) != 0)
    return gb_cp_cannot_path("read", t->folder_path, errno, err);
  t->device = about.st_dev;
  t->inode = about.st_ino;
  if (fstatat(t->folder, t->name, &about, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? GBCAST_OK : gb_cp_cannot_path("read", request->destination, errno, err);
  t->exists = true;
  t->same_as_source = request->on_host_of_source && request->source_device == about.st_dev &&
                      request->source_inode == about.st_ino;
  if (t->same_as_source)
    return GBCAST_OK;
  if (S_ISDIR(about.st_mode) && !t->is_folder)
    return gb_fail(err, GBCAST_EINPUT, "'%s' is a folder; give '%s/' to copy a file into it",
                   request->destination, request->destination);
  if (S_ISDIR(about.st_mode) && !t->replace)
    return gb_fail(err, GBCAST_EINPUT,
                   "the folder '%s' is there already; --replace replaces it and all that is in it",
                   request->destination);
  if (!S_ISDIR(about.st_mode) && t->is_folder)
    return gb_fail(err, GBCAST_EINPUT, "'%s' is no folder, and is not replaced by one", request->destination);
  if (!S_ISDIR(about.st_mode) && !S_ISREG(about.st_mode) && !S_ISLNK(about.st_mode))
    return gb_fail(err, GBCAST_EINPUT, "'%s' is neither a file nor a folder", request->destination);
  return GBCAST_OK;
}

/* The last part of a path. */
static const char *last_part(const char *path, size_t *length) {
  size_t end = strlen(path);
  while (end > 1 && path[end - 1] == '/')
    end--;
  size_t begin = end;
  while (begin > 0 && path[begin - 1] != '/')
    begin--;
  *length = end - begin;
  return path + begin;
}

/* The path that is written: DESTINATION, or if that ends with a slash, SOURCE's name in it. To be given to
 * free(); NULL: no memory. */
static char *full_destination(const char *source, const char *destination) {
  size_t added = 0;
  const size_t length = strlen(destination);
  const bool into = length > 0 && destination[length - 1] == '/';
  const char *last = into ? last_part(source, &added) : "";
  char *path = malloc(length + added + 1);
  if (path != NULL)
    (void)sprintf(path, "%s%.*s", destination, (int)added, last);
  return path;
}

static bool is_below(const char *path, const char *top) {
  const size_t length = strcmp(top, "/") == 0 ? 0 : strlen(top);
  return strncmp(path, top, length) == 0 && path[length] == '/';
}

int gb_cp_check_outside(const char *from, const char *to, bool is_folder, gbcast_error *err) {
  char *source = realpath(from, NULL), *above = full_destination(from, to), *real = NULL;
  bool there = true; /* and not only what is above it */
  while (above != NULL && (real = realpath(above, NULL)) == NULL && strcmp(above, ".") != 0) {
    char *slash = strrchr(above, '/');
    if (slash == NULL || slash == above)
      memcpy(above, slash == NULL ? "." : "/", 2);
    else
      *slash = '\0';
    there = false;
  }
  int status = GBCAST_OK;
  if (source == NULL || real == NULL)
    status = gb_fail(err, GBCAST_EINPUT, "cannot find '%s': %s", source == NULL ? from : to, strerror(errno));
  else if (is_folder && (is_below(real, source) || (!there && strcmp(real, source) == 0)))
    status = gb_fail(err, GBCAST_EINPUT, "'%s' is inside of '%s'", to, from);
  else if (there && is_below(source, real))
    status = gb_fail(err, GBCAST_EINPUT, "'%s' contains '%s', and would be replaced", to, from);
  free(source);
  free(above);
  free(real);
  return status;
}

/* Refuses "." and "..", which --replace would replace with all that is in them, and "/". */
static int check_name(const char *path, gbcast_error *err) {
  size_t length;
  const char *name = last_part(path, &length);
  if (length <= 2 && strspn(name, "./") >= length)
    return gb_fail(err, GBCAST_EINPUT, "'%s' does not name a copy; give a name other than . or ..", path);
  return GBCAST_OK;
}

int gb_cp_target_find(gb_cp_target *t, const gb_cp_request *request, gbcast_error *err) {
  *t = GB_CP_NO_TARGET;
  t->is_folder = request->is_folder;
  t->resume = request->resume;
  t->replace = request->replace;
  char *path = full_destination(request->source, request->destination);
  if (path == NULL)
    return gb_no_memory(err);
  int status = check_name(path, err);
  if (status == GBCAST_OK)
    status = split(t, path, err);
  free(path);
  if (status == GBCAST_OK)
    status = look_at_old(t, request, err);
  return status;
}
