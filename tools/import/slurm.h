/* A tree of switches, or blocks, that Slurm describes: what its two kinds of file have in common. */
#ifndef GB_TOOLS_IMPORT_SLURM_H
#define GB_TOOLS_IMPORT_SLURM_H

#include "tools/import/parts.h"

typedef struct gb_slurm_child {
  uint32_t parent; /* of the import's switches */
  gb_lexeme name;  /* text in the import's arena */
} gb_slurm_child;

typedef struct gb_slurm { /* starts with the first two */
  gb_import *m;
  gb_source source;
  uint32_t site, first; /* switch of the import */
  gb_names names;       /* of the switches: the first of them is `first`, and so on */
  gb_slurm_child *child;
  uint32_t child_count, child_capacity;
  uint32_t at;           /* the switch whose lists are read */
  const gb_lexeme *list; /* which is read */
} gb_slurm;

/* The site that has the switches. */
int gb_slurm_begin(gb_slurm *u, const char *name, size_t length, const gb_place *where);

/* A switch or block; the lists of its nodes and of the switches below it may be empty. */
int gb_slurm_switch(gb_slurm *u, const gb_lexeme *name, const gb_lexeme *nodes, const gb_lexeme *children);

/* The sizes of groups of blocks, which are left out. */
void gb_slurm_sizes(gb_slurm *u, const gb_lexeme *sizes);

/* Joins the switches, behind the last of them. */
int gb_slurm_end(gb_slurm *u);
void gb_slurm_release(gb_slurm *u);

#endif
