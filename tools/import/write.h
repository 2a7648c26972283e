/* The parts of the writer. */
#ifndef GB_TOOLS_IMPORT_WRITE_H
#define GB_TOOLS_IMPORT_WRITE_H

#include "tools/import/import.h"

/* The name of a file in a comment, which ends with the line. */
void gb_import_write_name(const char *name, FILE *out);

/* Writes a line for hosts at the beginning of hosts[0..count), as many of them as one range names, and
 * returns how many. */
uint32_t gb_import_write_run(const gb_import *m, const uint32_t *hosts, uint32_t count, FILE *out);

/* Live lines. */
void gb_import_write_samples(const gb_import *m, FILE *out);

#endif
