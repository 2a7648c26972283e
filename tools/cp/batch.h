/* What is copied, as rank 0 describes it to all: folders, files and links in the order in which they are
 * made, some thousands at a time, a batch. The data of files are cut into blocks, which are numbered through
 * the batch. Rank 0 alone needs the files to describe them; the description is text that goes to every rank.
 *
 *   entry     DIRECTORY ""   FILE "a"      FILE "b"   END ""
 *   blocks                   0  1  2  3    4  5
 */
#ifndef GB_TOOLS_CP_BATCH_H
#define GB_TOOLS_CP_BATCH_H

#include <gbcast/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Bytes of a block, the unit in which data are compared, checked and compressed: at 256 KiB, checksums (16
 * bytes) and headers (12) are less than a thousandth of what they stand for, and one block takes 2 ms or less
 * to compress. The last block of a file is shorter. */
#define GB_CP_BLOCK ((size_t)256 << 10)

enum { GB_CP_PATH_MOST = 4095 }; /* bytes, as Linux has it (PATH_MAX) */

enum gb_cp_kind {
  GB_CP_DIRECTORY,
  GB_CP_FILE,
  GB_CP_SYMLINK,
  GB_CP_HARD_LINK,
  GB_CP_END, /* of a directory: all that is in it was named */
  GB_CP_KINDS
};

typedef struct gb_cp_entry {
  enum gb_cp_kind kind;
  uint32_t mode;        /* permissions, of files and of ends of directories */
  uint64_t size;        /* bytes of a file */
  struct timespec time; /* of the last change; of files, ends of directories and symbolic links */
  const char *path;     /* below what is copied; "": that itself */
  const char *target;   /* of a symbolic link: its text; of a hard link: the path of the file before it */
  uint64_t first;       /* the number of its first block */
} gb_cp_entry;

typedef struct gb_cp_batch {
  unsigned char *text; /* the entries as they are sent */
  size_t length, room;
  gb_cp_entry *entry; /* as they were read from it, which they point into */
  size_t count;
  uint64_t blocks;
} gb_cp_batch;

/* Appends an entry to the text. false: no memory. */
bool gb_cp_batch_add(gb_cp_batch *batch, const gb_cp_entry *entry);

/* Reads the entries from the text. GBCAST_EINPUT: they are damaged, or a path leads out of what is copied;
 * GBCAST_EMEMORY. */
int gb_cp_batch_read(gb_cp_batch *batch, gbcast_error *err);

void gb_cp_batch_free(gb_cp_batch *batch);

/* The blocks of a file of so many bytes. */
static inline uint64_t gb_cp_blocks(uint64_t size) {
  return size / GB_CP_BLOCK + (size % GB_CP_BLOCK != 0);
}

/* ---- Sets of blocks: a bit for each ---- */

static inline size_t gb_cp_set_bytes(uint64_t blocks) {
  return (size_t)(blocks / 8 + 1);
}

static inline bool gb_cp_in(const unsigned char *set, uint64_t block) {
  return (set[block / 8] >> block % 8 & 1) != 0;
}

static inline void gb_cp_add(unsigned char *set, uint64_t block) {
  set[block / 8] = (unsigned char)(set[block / 8] | 1u << block % 8);
}

/* ---- The blocks of a set, in order ---- */

typedef struct gb_cp_place { /* of one block */
  uint64_t block;            /* its number in the batch */
  size_t entry;              /* the file */
  uint64_t offset;           /* bytes into the file */
  size_t length;
} gb_cp_place;

typedef struct gb_cp_walk {
  const gb_cp_batch *batch;
  const unsigned char *set;
  size_t entry;   /* where it is */
  uint64_t block; /* the next to look at */
} gb_cp_walk;

/* The next block of the set; false: there is none. */
bool gb_cp_walk_next(gb_cp_walk *walk, gb_cp_place *place);

#endif
