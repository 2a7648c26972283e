/* A file that is looked at now and then, without ever waiting for it. */
#ifndef GB_MPI_COMM_GLANCE_H
#define GB_MPI_COMM_GLANCE_H

#include <gbcast/error.h>
#include <stddef.h>
#include <sys/stat.h>

typedef struct gb_glance { /* starts as {0} */
  dev_t device;
  ino_t inode;
  off_t size;
  struct timespec changed;
} gb_glance;

/* What is in the file at `path`, if that is another than `last` or has changed since: to be freed. NULL when
 * it has not. GBCAST_EINPUT: it cannot be read, has more than `most` bytes, or is no regular file, which
 * could make its reader wait. */
int gb_glance_at(const char *path, size_t most, gb_glance *last, char **text, size_t *length,
                 gbcast_error *err);

#endif
