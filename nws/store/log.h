/* The log on disk: entries (entry.h) in numbered files of one folder.
 *
 *      00000003.log           all until the next was begun
 *      00000004.log           a copy of what lives, and all since: once the copy is whole, earlier files go
 *      00000002.damaged       set aside, for somebody to look at
 *      lock                   held by the process that writes
 *
 * Appended entries are with the system at once (the death of the process loses none), and on the disk after
 * gb_log_sync. */
#ifndef GB_NWS_STORE_LOG_H
#define GB_NWS_STORE_LOG_H

#include "nws/store/log_entry.h"
#include "nws/wire/wire.h"
#include "platform/platform.h"

#include <stdio.h>

typedef struct gb_log {
  const char *path;       /* of the folder, for messages */
  int folder, lock, file; /* -1: not open */
  uint64_t number;        /* of the file that is written */
  uint64_t size, earlier; /* bytes of that file; of the files before it */
  bool dirty;             /* appended to since the last sync */
  bool broken;            /* nothing more can go into this file */
} gb_log;

/* Opens the folder, makes it if it is missing, and locks it. */
int gb_log_open(gb_log *log, const char *path, gbcast_error *err);
void gb_log_close(gb_log *log);

/* Gives the entries of all files to `apply`, from the first, and goes on with the last file. An entry that
 * was not finished at its end is cut off. What else cannot be read is passed over and *damaged is set. Both
 * are told on `report`. */
typedef enum gb_apply gb_log_apply(void *context, gb_text body);
int gb_log_read(gb_log *log, gb_log_apply *apply, void *context, bool *damaged, FILE *report,
                gbcast_error *err);

/* Begins the next file. False, with errno: it cannot be made. */
bool gb_log_next(gb_log *log);

/* False, with errno: nothing was appended. */
bool gb_log_append(gb_log *log, const gb_bytes *entries);

/* False, with errno: nobody knows what is on the disk of what was appended since the last sync, and nothing
 * more goes into this file. */
bool gb_log_sync(gb_log *log);

/* Deletes the files before the present one, or sets them aside. False, with errno: some are still there. */
bool gb_log_retire(gb_log *log, bool set_aside);

/* Numbers of the log's files, rising; the caller frees them. NULL with errno when the folder cannot be read.
 * *next is above all, also of files that were set aside. */
uint64_t *gb_log_files(const gb_log *log, size_t *count, uint64_t *next);

#define GB_LOG_NAME 40
void gb_log_name(char name[GB_LOG_NAME], uint64_t number, const char *ending);

#endif
