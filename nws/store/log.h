/* The log on disk: log entries (log_entry.h) in numbered files of one folder.
 *
 *      00000003.log           all changes until the next file was begun
 *      00000004.log           a copy of the live data, and all changes since; replaces the earlier files
 *      00000002.damaged       set aside for inspection
 *      lock                   held by the process that writes
 *
 * Appended entries are in the system's cache at once, so that they survive the process, and on disk after
 * gb_log_sync. bench/nws/engines shows why this is not SQLite: there a damaged byte can cost what it did not
 * hit. */
#ifndef GB_NWS_STORE_LOG_H
#define GB_NWS_STORE_LOG_H

#include "nws/store/log_entry.h"
#include "platform/platform.h"

#include <stdio.h>

typedef struct gb_log {
  const char *path;       /* of the folder, for messages */
  int folder, lock, file; /* -1: not open */
  uint64_t number;        /* of the file that is written */
  uint64_t size, earlier; /* bytes of that file; of the files before it */
  bool dirty;             /* appended to since the last sync */
  bool broken;            /* nothing more may be appended to this file */
  int why;                /* errno of what broke it */
  bool lost;              /* files were removed or changed by others: only a copy of all data replaces them */
  bool set_aside;         /* files that this copy replaces are to be kept */
} gb_log;

/* Opens and locks the folder, and creates it if it is missing. */
int gb_log_open(gb_log *log, const char *path, gbcast_error *err);
void gb_log_close(gb_log *log);

/* Passes the entries of all files to `apply`, oldest first, and opens the last file for appending. An
 * unfinished entry at its end is cut off. Other damage is skipped. Both are reported. *rewrite: a copy of all
 * data should begin at once, since there was damage (then log->set_aside is set) or entries were of an old
 * kind. */
typedef enum gb_apply gb_log_apply(void *context, gb_view body);
int gb_log_read(gb_log *log, gb_log_apply *apply, void *context, bool *rewrite, FILE *report,
                gbcast_error *err);

/* Begins the next file; if the folder or its lock are gone, in a new folder. False, with errno: it cannot be
 * created. */
bool gb_log_next(gb_log *log);

/* False, with errno: nothing was appended. */
bool gb_log_append(gb_log *log, const gb_bytes *entries);

/* Ends this file: all data has to be copied to the next one. Sets errno, and returns false. */
bool gb_log_break(gb_log *log, int why);

/* Brings to disk what was appended since the last sync, and looks whether the file is still where the next
 * start will look for it. False, with errno: it is unknown what is on disk, and nothing more may be appended
 * to this file. */
bool gb_log_sync(gb_log *log);

/* Deletes the files before the current one, or sets them aside. False, with errno: some are left. */
bool gb_log_retire(gb_log *log);

/* Deletes the file that is written, of which the earlier files have everything. */
void gb_log_drop_last(gb_log *log);

/* Numbers of the log's files, ascending; the caller frees them. NULL with errno: the folder cannot be read.
 * *next is greater than all, including those of files set aside. */
uint64_t *gb_log_files(const gb_log *log, size_t *count, uint64_t *next);

#define GB_LOG_NAME 40
void gb_log_name(char name[GB_LOG_NAME], uint64_t number, const char *ending);

#endif
