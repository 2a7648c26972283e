/* A tree of switches, or a list of blocks, as Slurm describes them: what topology.conf and topology.yaml
 * share. Functions return a gbcast_status. */
#ifndef GB_TOOLS_IMPORT_SLURM_H
#define GB_TOOLS_IMPORT_SLURM_H

#include "tools/import/parts.h"

typedef struct gb_slurm_child {
  uint32_t parent; /* the switch above it, in the import */
  gb_lexeme name;  /* its text is in the import's arena */
} gb_slurm_child;

typedef struct gb_slurm { /* starts as {0}, except for the first two */
  gb_import *m;
  gb_source source;
  uint32_t site, first;  /* in the import: the site, and its first switch */
  gb_names names;        /* of the switches; number n is switch first + n of the import */
  gb_slurm_child *child; /* switches that are named below others */
  uint32_t child_count, child_capacity;
  uint32_t at;           /* the switch whose lists are being read */
  const gb_lexeme *list; /* the list that is being read */
} gb_slurm;

/* Adds the site that has the switches. */
int gb_slurm_begin(gb_slurm *u, const char *name, size_t length, const gb_place *where);

/* Adds a switch or block, with the lists of its nodes and of the switches below it, which may be empty. */
int gb_slurm_switch(gb_slurm *u, const gb_lexeme *name, const gb_lexeme *nodes, const gb_lexeme *children);

/* Leaves out the sizes of groups of blocks, with a remark. */
void gb_slurm_sizes(gb_slurm *u, const gb_lexeme *sizes);

/* Joins the switches, after the last one was added. GBCAST_EINPUT: they are no tree. */
int gb_slurm_end(gb_slurm *u);
void gb_slurm_release(gb_slurm *u);

#endif
