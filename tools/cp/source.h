/* What is copied, on rank 0: a walk through it that describes it in batches, and reading of blocks. */
#ifndef GB_TOOLS_CP_SOURCE_H
#define GB_TOOLS_CP_SOURCE_H

#include "tools/cp/batch.h"

typedef struct gb_cp_seen { /* a file, to see whether it has changed */
  uint64_t device, inode;
  struct timespec changed; /* its inode */
  bool has_holes;          /* at least, fewer bytes on disk than in all */
} gb_cp_seen;

typedef struct gb_cp_totals {
  uint64_t files, bytes;  /* regular files, and their data without holes */
  uint64_t skipped;       /* pipes, sockets and devices */
  bool folder;            /* whether what is copied is one */
  uint64_t device, inode; /* of what is copied */
} gb_cp_totals;

typedef struct gb_cp_source {
  char *path; /* without slashes at its end */
  bool follow;
  void *fts;   /* FTS */
  void *links; /* a tree of files with several names */
  gb_cp_totals totals;
  gb_cp_seen *seen; /* of each entry of the batch */
  size_t seen_room;
  unsigned char *data; /* the blocks of the batch that are not in holes */
  size_t entry;        /* the file that is open; fd < 0: none */
  int fd;
} gb_cp_source;

/* Begins the walk. `follow`: symbolic links are copied as what they point to; that of `path` is in any case.
 * GBCAST_EINPUT: there is nothing that can be read; GBCAST_EMEMORY. */
int gb_cp_source_open(gb_cp_source *source, const char *path, bool follow, gbcast_error *err);

/* Describes what comes next in an empty batch, and counts it in the totals; batch->count is 0 if nothing
 * does. GBCAST_EINPUT: something cannot be read; GBCAST_EMEMORY. */
int gb_cp_source_next(gb_cp_source *source, gb_cp_batch *batch, gbcast_error *err);

/* Reads a block into data. GBCAST_EINPUT: that is impossible, or the file has changed since it was
 * described. */
int gb_cp_source_read(gb_cp_source *source, const gb_cp_batch *batch, const gb_cp_place *place,
                      unsigned char *data, gbcast_error *err);

/* Checks that no file of the batch has changed since it was described. GBCAST_EINPUT. */
int gb_cp_source_check(const gb_cp_source *source, const gb_cp_batch *batch, gbcast_error *err);

void gb_cp_source_close(gb_cp_source *source);

/* ---- For its own files ---- */

int gb_cp_cannot_read(const char *path, int error, gbcast_error *err);

/* Closes the file of which a block was read last. */
void gb_cp_source_close_file(gb_cp_source *source);

/* Finds the blocks of the batch that are not in holes, and counts their bytes. */
int gb_cp_source_find_data(gb_cp_source *source, const gb_cp_batch *batch, gbcast_error *err);

#endif
