/* For the files that implement target.h: files below the folder of the destination. All paths are walked part
 * by part without following symbolic links, so that nothing is written outside of it, whatever a host finds
 * there. */
#ifndef GB_TOOLS_CP_INSIDE_H
#define GB_TOOLS_CP_INSIDE_H

#include "tools/cp/target.h"

typedef struct gb_cp_path {
  char text[GB_CP_NAME_MOST + GB_CP_PATH_MOST + 2];
} gb_cp_path;

/* TOP/BELOW, or TOP, in `path`. */
const char *gb_cp_join(gb_cp_path *path, const char *top, const char *below);

/* The folder that holds a path below target->folder, and *last, the last part of the path. Kept until the
 * next one is asked for. Returns its descriptor, or -1 with errno set. */
int gb_cp_parent(gb_cp_target *target, const char *path, const char **last);

/* The same in a descriptor of its own, which the caller closes. */
int gb_cp_keep_parent(gb_cp_target *target, const char *path, const char **last);

/* Opens a file or a folder, never a symbolic link. -1 with errno set. */
int gb_cp_open(gb_cp_target *target, const char *path, int flags);

/* Fails with an error of the system. */
int gb_cp_cannot_path(const char *what, const char *path, int error, gbcast_error *err);

/* Fails with errno, and names the entry as the user knows it: by its place in the destination. */
int gb_cp_cannot(const gb_cp_target *target, const char *what, const gb_cp_entry *entry, gbcast_error *err);

/* Closes what was open for an entry (fd < 0: nothing was). Fails as gb_cp_cannot() if what was done to it did
 * not work (`good`), or the closing does not: on some file systems only that tells that the disk is full. */
int gb_cp_done(const gb_cp_target *target, int fd, bool good, const char *what, const gb_cp_entry *entry,
               gbcast_error *err);

/* Opens and locks what is written, in place of what was locked before. */
int gb_cp_target_lock(gb_cp_target *target, gbcast_error *err);

/* The name of what a run that was stopped has left; part 1 is the oldest. */
void gb_cp_part_name(const gb_cp_target *target, unsigned part, char name[GB_CP_NAME_MOST + 1]);

#endif
