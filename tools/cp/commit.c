/* What is written under a name of its own, kept from other copies by a lock, and given its final name. */
#define _GNU_SOURCE /* renameat2(), syncfs() */
#include "platform/text/text.h"
#include "tools/cp/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

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
    return gb_cp_cannot_path("open", t->temporary, errno, err);
  struct stat own, there;
  const int error = flock(t->lock, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  if (error == 0 && fstat(t->lock, &own) == 0 &&
      fstatat(t->folder, t->temporary, &there, AT_SYMLINK_NOFOLLOW) == 0 && own.st_ino == there.st_ino)
    return GBCAST_OK;
  (void)close(t->lock);
  t->lock = -1;
  if (error != 0 && error != EWOULDBLOCK)
    return gb_cp_cannot_path("lock files in", t->folder_path, error, err);
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
      status = gb_cp_cannot_path("rename a part of", t->name, errno, err);
  } else if (t->lock >= 0) {
    remove_all(t, t->temporary);
  }
  if (t->lock >= 0)
    (void)close(t->lock);
  t->lock = -1;
  return status;
}

/* Names what is written beside the destination: the same for the same host and destination in each run. */
static int name_temporary(gb_cp_target *t, const char *host, gbcast_error *err) {
  XXH3_state_t *hash = XXH3_createState();
  if (hash == NULL)
    return gb_no_memory(err);
  (void)XXH3_64bits_reset(hash);
  (void)XXH3_64bits_update(hash, t->name, strlen(t->name) + 1);
  (void)XXH3_64bits_update(hash, host, strlen(host));
  (void)snprintf(t->temporary, sizeof t->temporary, ".%.100s-%016llx.gbcast-cp", t->name,
                 (unsigned long long)XXH3_64bits_digest(hash));
  (void)XXH3_freeState(hash);
  return GBCAST_OK;
}

int gb_cp_target_begin(gb_cp_target *t, const char *host, gbcast_error *err) {
  int status = name_temporary(t, host, err);
  if (status == GBCAST_OK)
    status = take_parts(t, err);
  if (status != GBCAST_OK)
    return status;
  int fd = -1;
  bool made;
  if (t->is_folder)
    made = mkdirat(t->folder, t->temporary, 0700) == 0;
  else
    made = (fd = openat(t->folder, t->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) >= 0;
  if (!made)
    return gb_cp_cannot_path("write in", t->folder_path, errno, err);
  if (fd >= 0)
    (void)close(fd);
  status = gb_cp_target_lock(t, err);
  if (status != GBCAST_OK) /* nobody else has seen it */
    (void)unlinkat(t->folder, t->temporary, t->is_folder ? AT_REMOVEDIR : 0);
  return status;
}

static int sync_all(const gb_cp_target *t, gbcast_error *err) {
  const int rc = t->is_folder ? syncfs(t->lock) : fsync(t->lock);
  return rc == 0 ? GBCAST_OK : gb_cp_cannot_path("write", t->name, errno, err);
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
    return gb_cp_cannot_path("give its name to", path, errno, err);
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
  *t = GB_CP_NO_TARGET;
}
