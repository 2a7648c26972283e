/* What a host writes: first beside the destination, under a name that begins with a dot. The name of the
 * destination appears when all is there.
 *
 *   folder/ .NAME-0123456789abcdef.gbcast-cp     being written; the digits tell name and host
 *           .NAME-0123456789abcdef.gbcast-cp.1   parts left by runs that were stopped; --resume takes files
 *           NAME                                 from them, and looks for equal blocks in NAME
 */
#ifndef GB_TOOLS_CP_TARGET_H
#define GB_TOOLS_CP_TARGET_H

#include "tools/cp/batch.h"

enum { GB_CP_PARTS_MOST = 9, GB_CP_NAME_MOST = 255 };

enum gb_cp_origin { /* where blocks of a file may be already */
                    GB_CP_NOWHERE,
                    GB_CP_PART,    /* in the file that is being written, which a run before left */
                    GB_CP_REPLACED /* in the file that it will replace */
};

typedef struct gb_cp_target {
  char *folder_path; /* of what is written; absolute, without symbolic links */
  int folder;        /* the same, open */
  char name[GB_CP_NAME_MOST + 1], temporary[GB_CP_NAME_MOST + 1];
  bool is_folder, resume, replace;
  bool exists, same_as_source;
  uint64_t device, inode; /* of the folder */
  int lock;               /* what is written, open and locked */
  unsigned parts;         /* numbers of those there are, from 1 */
  unsigned char *origin;  /* of each entry of the batch (enum gb_cp_origin) */
  char *parent;           /* a folder that is open, below `folder`; its descriptor */
  int parent_fd;
  size_t entry; /* the file that is open; fd < 0: none */
  int fd;
} gb_cp_target;

#define GB_CP_NO_TARGET ((gb_cp_target){.folder = -1, .lock = -1, .parent_fd = -1, .fd = -1})

typedef struct gb_cp_request { /* what is to be written on this host */
  const char *source, *destination;
  bool on_host_of_source; /* where these tell the source from other files: */
  uint64_t source_device, source_inode;
  bool is_folder, resume, replace;
} gb_cp_request;

/* On the host of the source: checks that a folder is not copied into itself, which would never end, and that
 * nothing replaces a folder that contains it. GBCAST_OK or GBCAST_EINPUT. */
int gb_cp_check_outside(const char *source, const char *destination, bool is_folder, gbcast_error *err);

/* Finds out where to write, and makes the folders above. Every function returns GBCAST_OK, GBCAST_EINPUT
 * with a message that names a path, or GBCAST_EMEMORY. */
int gb_cp_target_find(gb_cp_target *target, const gb_cp_request *request, gbcast_error *err);

/* Begins to write, under a name that no other host has: `host` tells them apart, and is the same in each run.
 * An old part is removed, or with `resume` kept to be used. */
int gb_cp_target_begin(gb_cp_target *target, const char *host, gbcast_error *err);

/* Makes the folders, files and links of a batch; `data`: the blocks that are not in holes. */
int gb_cp_target_make(gb_cp_target *target, const gb_cp_batch *batch, const unsigned char *data,
                      gbcast_error *err);

/* Reads a block of what is being written, or of what will be replaced. */
int gb_cp_target_read(gb_cp_target *target, const gb_cp_batch *batch, const gb_cp_place *place, bool replaced,
                      unsigned char *data, gbcast_error *err);

int gb_cp_target_write(gb_cp_target *target, const gb_cp_batch *batch, const gb_cp_place *place,
                       const unsigned char *data, gbcast_error *err);

/* Brings what was written of the batch to the disk, so that reading comes from there. */
int gb_cp_target_flush(gb_cp_target *target, const gb_cp_batch *batch, gbcast_error *err);

/* Sets the modes and times of a batch. */
int gb_cp_target_finish(gb_cp_target *target, const gb_cp_batch *batch, gbcast_error *err);

/* Makes all durable, and gives it its name. */
int gb_cp_target_commit(gb_cp_target *target, gbcast_error *err);

/* Ends without: what was written is removed, or with `resume` kept. Does nothing after a commit. */
void gb_cp_target_close(gb_cp_target *target);

#endif
