/* Files that appear complete. */
#ifndef GB_MPI_REPORT_FILE_H
#define GB_MPI_REPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef void gb_file_writer(FILE *out, void *context);

/* Writes a file beside `path` and renames it; a pipe or device is written as it is. In the C locale. The
 * writer is not called where the file cannot be opened. Returns 0, or an errno. */
int gb_file_write(const char *path, gb_file_writer *writer, void *context);

/* The value of a setting as a path from the root on, to be freed: a relative one begins in the current
 * folder. NULL: there is none, or no memory. */
char *gb_file_path(const char *value);

#endif
