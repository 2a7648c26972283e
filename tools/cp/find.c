/* Where a host writes, under which names, and how what is complete gets its name. */
#define _GNU_SOURCE /* renameat2(), syncfs() */
#include "platform/text/text.h"
#include "tools/cp/target.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static int cannot(const char *what, const char *path, int error, gbcast_error *err) {
  return gb_fail(err, GBCAST_EINPUT, "cannot %s '%s': %s", what, path, strerror(error));
}

/* Removes a file, or a folder with all that is in it but for what is mounted there, below the folder of the
 * target. */
static void remove_all(const gb_cp_target *t, const char *name) {
  char *path = malloc(strlen(t->folder_path) + strlen(name) + 2);
  if (path == NULL)
    return;
  (void)sprintf(path, "%s/%s", t->folder_path, name);
  FTS *walk = fts_open((char *[]){path, NULL}, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
  for (const FTSENT *at; walk != NULL && (at = fts_read(walk)) != NULL;)
    if (at->fts_info == FTS_D)
      (void)chmod(at->fts_accpath, 0700); /* so that what is in it can be removed */
    else if (at->fts_info == FTS_DP)
      (void)rmdir(at->fts_accpath);
    else
      (void)unlink(at->fts_accpath);
  if (walk != NULL)
    (void)fts_close(walk);
  free(path);
}

static int make_folders(char *path, gbcast_error *err) {
  for (char *end = path; *end != '\0';) {
    end += 1 + strcspn(end + 1, "/");
    const char kept = *end;
    *end = '\0';
    struct stat about;
    const bool there = mkdir(path, 0777) == 0 || (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
    const int status = there ? GBCAST_OK : cannot("make the folder", path, errno, err);
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
    status = cannot("write", path, ENAMETOOLONG, err);
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
      status = cannot("open the folder", full, errno, err);
  }
  free(real);
  return status;
}

/* Checks that what is there already may be replaced. */
static int look_at_old(gb_cp_target *t, const gb_cp_wish *wish, gbcast_error *err) {
  struct stat about;
  if (fstat(t->folder, &about) != 0)
    return cannot("read", t->folder_path, errno, err);
  t->device = about.st_dev;
  t->inode = about.st_ino;
  if (fstatat(t->folder, t->name, &about, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? GBCAST_OK : cannot("read", wish->destination, errno, err);
  t->exists = true;
  t->same_as_source =
      wish->on_host_of_source && wish->source_device == about.st_dev && wish->source_inode == about.st_ino;
  if (t->same_as_source)
    return GBCAST_OK;
  if (S_ISDIR(about.st_mode) && !t->is_folder)
    return gb_fail(err, GBCAST_EINPUT, "'%s' is a folder; give '%s/' to copy a file into it",
                   wish->destination, wish->destination);
  if (S_ISDIR(about.st_mode) && !t->replace)
    return gb_fail(err, GBCAST_EINPUT,
                   "the folder '%s' is there already; --replace replaces it and all that is in it",
                   wish->destination);
  if (!S_ISDIR(about.st_mode) && t->is_folder)
    return gb_fail(err, GBCAST_EINPUT, "'%s' is no folder, and is not replaced by one", wish->destination);
  if (!S_ISDIR(about.st_mode) && !S_ISREG(about.st_mode) && !S_ISLNK(about.st_mode))
    return gb_fail(err, GBCAST_EINPUT, "'%s' is neither a file nor a folder", wish->destination);
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

char *gb_cp_destination(const char *source, const char *destination) {
  size_t added = 0;
  const size_t length = strlen(destination);
  const bool into = length > 0 && destination[length - 1] == '/';
  const char *last = into ? last_part(source, &added) : "";
  char *path = malloc(length + added + 1);
  if (path != NULL)
    (void)sprintf(path, "%s%.*s", destination, (int)added, last);
  return path;
}

/* Refuses "." and "..", which --replace would replace with all that is in them, and "/". */
static int check_name(const char *path, gbcast_error *err) {
  size_t length;
  const char *name = last_part(path, &length);
  if (length <= 2 && strspn(name, "./") >= length)
    return gb_fail(err, GBCAST_EINPUT, "'%s' does not name a copy; give a name other than . or ..", path);
  return GBCAST_OK;
}

int gb_cp_target_find(gb_cp_target *t, const gb_cp_wish *wish, gbcast_error *err) {
  *t = (gb_cp_target){.folder = -1,
                      .lock = -1,
                      .parent_fd = -1,
                      .fd = -1,
                      .is_folder = wish->is_folder,
                      .resume = wish->resume,
                      .replace = wish->replace};
  char *path = gb_cp_destination(wish->source, wish->destination);
  if (path == NULL)
    return gb_no_memory(err);
  int status = check_name(path, err);
  if (status == GBCAST_OK)
    status = split(t, path, err);
  free(path);
  if (status == GBCAST_OK)
    status = look_at_old(t, wish, err);
  XXH3_state_t *hash = XXH3_createState();
  if (hash == NULL)
    return gb_no_memory(err);
  (void)XXH3_64bits_reset(hash);
  (void)XXH3_64bits_update(hash, t->name, strlen(t->name) + 1);
  (void)XXH3_64bits_update(hash, wish->host, strlen(wish->host));
  (void)snprintf(t->temporary, sizeof t->temporary, ".%.100s-%016llx.gbcast-cp", t->name,
                 (unsigned long long)XXH3_64bits_digest(hash));
  (void)XXH3_freeState(hash);
  return status;
}

void gb_cp_part_name(const gb_cp_target *t, unsigned part, char name[GB_CP_NAME_MOST + 1]) {
  (void)snprintf(name, GB_CP_NAME_MOST + 1, "%.200s.%u", t->temporary, part);
}

static bool is_there(const gb_cp_target *t, const char *name) {
  struct stat about;
  return fstatat(t->folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0;
}

int gb_cp_target_lock(gb_cp_target *t, gbcast_error *err) {
  if (t->lock >= 0)
    (void)close(t->lock);
  t->lock = openat(t->folder, t->temporary, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (t->lock < 0)
    return cannot("open", t->temporary, errno, err);
  struct stat own, there;
  if (flock(t->lock, LOCK_EX | LOCK_NB) == 0 && fstat(t->lock, &own) == 0 &&
      fstatat(t->folder, t->temporary, &there, AT_SYMLINK_NOFOLLOW) == 0 && own.st_ino == there.st_ino)
    return GBCAST_OK;
  (void)close(t->lock);
  t->lock = -1;
  return gb_fail(err, GBCAST_EINPUT, "another gbcast-cp is writing '%s/%s'", t->folder_path, t->name);
}

/* Removes parts that runs before have left, or makes the last of them one that is used. */
static int take_parts(gb_cp_target *t, gbcast_error *err) {
  int status = is_there(t, t->temporary) ? gb_cp_target_lock(t, err) : GBCAST_OK;
  if (status != GBCAST_OK)
    return status;
  char name[GB_CP_NAME_MOST + 1];
  for (t->parts = 0; t->parts < GB_CP_PARTS_MOST; t->parts++) {
    gb_cp_part_name(t, t->parts + 1, name);
    if (!is_there(t, name))
      break;
  }
  for (; !t->resume && t->parts > 0; t->parts--) {
    gb_cp_part_name(t, t->parts, name);
    remove_all(t, name);
  }
  if (t->resume && t->lock >= 0) {
    if (t->parts == GB_CP_PARTS_MOST)
      remove_all(t, name);
    else
      t->parts++;
    gb_cp_part_name(t, t->parts, name);
    if (renameat(t->folder, t->temporary, t->folder, name) != 0)
      status = cannot("rename a part of", t->name, errno, err);
  } else if (t->lock >= 0) {
    remove_all(t, t->temporary);
  }
  if (t->lock >= 0)
    (void)close(t->lock);
  t->lock = -1;
  return status;
}

int gb_cp_target_begin(gb_cp_target *t, gbcast_error *err) {
  int status = take_parts(t, err);
  if (status != GBCAST_OK)
    return status;
  int fd = -1;
  bool made;
  if (t->is_folder)
    made = mkdirat(t->folder, t->temporary, 0700) == 0;
  else
    made = (fd = openat(t->folder, t->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) >= 0;
  if (!made)
    return cannot("write in", t->folder_path, errno, err);
  if (fd >= 0)
    (void)close(fd);
  return gb_cp_target_lock(t, err);
}

static int sync_all(const gb_cp_target *t, gbcast_error *err) {
  const int rc = t->is_folder ? syncfs(t->lock) : fsync(t->lock);
  return rc == 0 ? GBCAST_OK : cannot("write", t->name, errno, err);
}

/* Exchanges the new folder and the old one; in two steps on file systems that cannot do it in one. */
static bool exchange_names(const gb_cp_target *t) {
  if (renameat2(t->folder, t->temporary, t->folder, t->name, RENAME_EXCHANGE) == 0)
    return true;
  char old[GB_CP_NAME_MOST + 1];
  gb_cp_part_name(t, GB_CP_PARTS_MOST + 1, old);
  if (errno != EINVAL || renameat(t->folder, t->name, t->folder, old) != 0)
    return false;
  const bool named = renameat(t->folder, t->temporary, t->folder, t->name) == 0;
  return renameat(t->folder, old, t->folder, named ? t->temporary : t->name) == 0 && named;
}

int gb_cp_target_commit(gb_cp_target *t, gbcast_error *err) {
  int status = sync_all(t, err);
  if (status != GBCAST_OK)
    return status;
  const bool exchange = t->is_folder && t->exists;
  if (!(exchange ? exchange_names(t) : renameat(t->folder, t->temporary, t->folder, t->name) == 0)) {
    char path[512];
    (void)snprintf(path, sizeof path, "%.200s/%s", t->folder_path, t->name);
    return cannot("give its name to", path, errno, err);
  }
  if (fsync(t->folder) != 0 && errno != EINVAL)
    return gb_fail(err, GBCAST_EINPUT, "'%s' is there, but may be lost if the host crashes now: %s", t->name,
                   strerror(errno));
  if (exchange)
    remove_all(t, t->temporary);
  for (unsigned i = t->parts; i > 0; i--) {
    char name[GB_CP_NAME_MOST + 1];
    gb_cp_part_name(t, i, name);
    remove_all(t, name);
  }
  (void)close(t->lock);
  t->lock = -1;
  return GBCAST_OK;
}

void gb_cp_target_close(gb_cp_target *t) {
  if (t->fd >= 0)
    (void)close(t->fd);
  if (t->parent_fd >= 0)
    (void)close(t->parent_fd);
  if (t->lock >= 0 && !t->resume)
    remove_all(t, t->temporary);
  if (t->lock >= 0)
    (void)close(t->lock);
  if (t->folder >= 0)
    (void)close(t->folder);
  free(t->parent);
  free(t->origin);
  free(t->folder_path);
  *t = (gb_cp_target){.folder = -1, .lock = -1, .parent_fd = -1, .fd = -1};
}
