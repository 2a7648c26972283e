/* The readers of all formats, each in a file of its own. */
#ifndef GB_TOOLS_IMPORT_READERS_H
#define GB_TOOLS_IMPORT_READERS_H

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

#endif
