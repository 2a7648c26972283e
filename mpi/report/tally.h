/* Counts calls: how many ran on plans and how long they took, and how many were passed on to MPI and why. */
#ifndef GB_MPI_REPORT_TALLY_H
#define GB_MPI_REPORT_TALLY_H

#include "mpi/report/record.h"
#include <stdio.h>

typedef struct gb_row { /* calls of one function and size class that ran on one plan */
  enum gb_call_kind kind;
  enum gb_call_form form;
  bool own; /* this and the next two are as in gb_call_record */
  uint64_t class_bytes;
  uint64_t plan;
  uint64_t calls, bytes;
  double predicted, measured; /* times of all these calls in all, s */
} gb_row;

typedef struct gb_count {
  uint64_t calls, bytes;
} gb_count;

typedef struct gb_tally { /* all 0 at first */
  gb_count accelerated, passed_on;
  gb_count why[GB_PASSED_WAYS]; /* calls that were passed on, by reason */
  gb_row *row;                  /* by function, size class and plan; of malloc() */
  size_t rows, room;            /* how many there are, and how many fit */
} gb_tally;

/* Counts a call. */
void gb_tally_add(gb_tally *tally, const gb_call_record *call);

/* The summary of GBCAST_VERBOSE. Prints a line for all calls of rank 0, a line for each function and size
 * class that ran on plans, and a line for each reason why calls were passed on. disabled: GBCAST_DISABLE is
 * set; if no call ran on a plan, there is only one line, which says so. */
void gb_words_print(const gb_tally *tally, bool disabled, FILE *out);

/* GBCAST_STATS: writes the tally of rank 0 to `path`, as by gb_write_file(): in the text format of Prometheus
 * if the name ends in .prom, otherwise as JSON (gbcast(7) lists the members). ranks: the size of
 * MPI_COMM_WORLD. Returns 0, or an errno. */
int gb_stats_write(const char *path, const gb_tally *tally, int ranks);

#endif
