/* The terminal of who has started the job, for programs that show progress. */
#ifndef GB_MPI_JOB_TERMINAL_H
#define GB_MPI_JOB_TERMINAL_H

#include <stdio.h>

/* stderr, or the terminal to which the launcher's stderr goes, which is to be closed. NULL: there is none, or
 * the launcher runs on another machine. */
FILE *gb_job_terminal(void);

#endif
