/* The parts of gbcast-import: readers, each in a file of its own, and what the writer is made of. */
#ifndef GB_TOOLS_IMPORT_PARTS_H
#define GB_TOOLS_IMPORT_PARTS_H

#include "tools/import/import.h"

gb_import_reader gb_import_slurm;      /* topology.conf or topology.yaml */
gb_import_reader gb_import_slurm_yaml; /* topology.yaml */
gb_import_reader gb_import_simgrid;
gb_import_reader gb_import_iperf3;
gb_import_reader gb_import_pscheduler;
gb_import_reader gb_import_ping;

/* A copy of a part of the input with a NUL behind, or NULL when out of memory. */
static inline char *gb_import_copy(gb_import *m, const char *text, size_t length) {
  return gb_arena_copy(&m->arena, text, length);
}

/* ---- Parts of the writer ---- */

/* The name of a file in a comment, which ends with the line. */
void gb_import_write_name(const char *name, FILE *out);

/* Writes a line for hosts at the beginning of hosts[0..count), as many of them as one range names, and
 * returns how many. */
uint32_t gb_import_write_run(const gb_import *m, const uint32_t *hosts, uint32_t count, FILE *out);

/* Live lines. */
void gb_import_write_samples(const gb_import *m, FILE *out);

#endif
