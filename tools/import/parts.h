/* What the files of gbcast-import share: the readers, and the parts of the writer. */
#ifndef GB_TOOLS_IMPORT_PARTS_H
#define GB_TOOLS_IMPORT_PARTS_H

#include "tools/import/import.h"

gb_import_reader gb_import_slurm;      /* topology.conf or topology.yaml */
gb_import_reader gb_import_slurm_yaml; /* topology.yaml */
gb_import_reader gb_import_simgrid;
gb_import_reader gb_import_iperf3;
gb_import_reader gb_import_pscheduler;
gb_import_reader gb_import_ping;

/* Copies a part of the input into the arena of `m`, and appends a NUL. NULL: out of memory. */
static inline char *gb_import_copy(gb_import *m, const char *text, size_t length) {
  return gb_arena_copy(&m->arena, text, length);
}

/* ---- Parts of the writer ---- */

/* Writes one line for the first of hosts[0..count): as many of them as a range such as n[0-7] can name.
 * Returns how many. */
uint32_t gb_import_write_run(const gb_import *m, const uint32_t *hosts, uint32_t count, FILE *out);

/* Writes the lines of a live file. */
void gb_import_write_samples(const gb_import *m, FILE *out);

#endif
