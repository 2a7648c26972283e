/* What rank 0 reads again while a job runs, without ever waiting for it: files that have changed, and the
 * live values of GBCAST_LIVE. The other ranks are sent what it found. */
#ifndef GB_MPI_COMM_LIVE_H
#define GB_MPI_COMM_LIVE_H

#include "mpi/comm/settings.h"
#include "nws/client/client.h"
#include "platform/live/live.h"
#include <sys/stat.h>

typedef struct gb_file_stamp { /* starts as {0} */
  dev_t device;
  ino_t inode;
  off_t size;
  struct timespec changed;
} gb_file_stamp;

/* What is in the file at `path`, if that is another than `last` or has changed since: to be freed. NULL when
 * it has not. GBCAST_EINPUT: it cannot be read, has more than `most` bytes, or is no regular file, which
 * could make its reader wait. */
int gb_read_if_changed(const char *path, size_t most, gb_file_stamp *last, char **text, size_t *length,
                       gbcast_error *err);

#define GB_LIVE_SECONDS 0.05 /* that a weather service may take of a call */

/* Reads the source and fills `out` for the platform as the hosts file has it; without GBCAST_LIVE nothing is
 * read and out->source is NULL. May be called again at any time. A source that cannot be read is no failure:
 * nothing is found then, and err->message says why (else it is empty). GBCAST_EUSAGE: no such kind of source;
 * GBCAST_EMEMORY.
 *
 * *service is what a weather service has said until now: it goes on from there, for no longer than
 * GB_LIVE_SECONDS. NULL at first; opened when the source is one, and closed when it is another. */
int gb_live_find(const gb_settings *settings, const gbcast_platform *p, gb_nws_weather **service,
                 gb_weather *out, gbcast_error *err);

#endif
