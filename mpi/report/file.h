/* Writes files that other programs see only when they are complete. */
#ifndef GB_MPI_REPORT_FILE_H
#define GB_MPI_REPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef int gb_file_writer(FILE *out, void *context); /* returns 0, or an errno: the file is discarded */

/* Calls `writer` with a file beside `path`, and renames that to `path`. A pipe or device is written directly.
 * The writer runs in the C locale; it is not called if the file cannot be opened. Returns 0, or an errno. */
int gb_file_write(const char *path, gb_file_writer *writer, void *context);

/* Returns the absolute path for the value of a setting, since the program may change its current folder. It
 * is to be given to free(). NULL: `value` is NULL, or out of memory. */
char *gb_file_path(const char *value);

#endif
