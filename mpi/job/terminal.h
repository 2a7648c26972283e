/* The terminal of who has started the job, and what is written to stderr. */
#ifndef GB_MPI_JOB_TERMINAL_H
#define GB_MPI_JOB_TERMINAL_H

#include <stdio.h>

/* stderr, or the terminal to which the launcher's stderr goes, which is to be closed. NULL: there is none, or
 * the launcher runs on another machine. */
FILE *gb_job_terminal(void);

/* Lines that several calls print. stderr has no buffer: without this each call writes its part, and the
 * launcher may put other output between them. */
typedef struct gb_lines {
  FILE *memory;
  char *text;
  size_t length;
} gb_lines;

/* Returns where to print: into memory or, if there is none left, to stderr. */
FILE *gb_lines_begin(gb_lines *l);

/* Writes to stderr what was printed. */
void gb_lines_end(gb_lines *l);

#endif
