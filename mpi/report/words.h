/* The summary of GBCAST_VERBOSE: what a job's calls did, in words. */
#ifndef GB_MPI_REPORT_WORDS_H
#define GB_MPI_REPORT_WORDS_H

#include "mpi/report/tally.h"
#include <stdio.h>

/* Prints a line for all calls of rank 0, a line for each function and size class that ran on plans, and a
 * line for each reason why calls were passed on. disabled: GBCAST_DISABLE is set; if no call ran on a plan,
 * there is only one line, which says so. */
void gb_words_print(const gb_tally *tally, bool disabled, FILE *out);

#endif
