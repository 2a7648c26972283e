/* How many calls went which way, and how long those took that ran plans. */
#ifndef GB_MPI_REPORT_TALLY_H
#define GB_MPI_REPORT_TALLY_H

#include "mpi/report/record.h"
#include <pthread.h>
#include <stddef.h>

typedef struct gb_row { /* calls of one size class with one plan */
  enum gb_call_kind kind;
  enum gb_call_form form;
  bool own; /* as in gb_call_record */
  uint64_t class_bytes;
  uint64_t plan; /* its hash */
  uint64_t calls, bytes;
  double predicted, measured; /* s, of all of them */
} gb_row;

typedef struct gb_count {
  uint64_t calls, bytes;
} gb_count;

typedef struct gb_tally {
  pthread_mutex_t lock; /* several threads may call */
  gb_count accelerated, passed_on;
  gb_count why[GB_PASSED_WAYS]; /* those passed on */
  gb_row *row;
  size_t rows, room;
} gb_tally;

void gb_tally_init(gb_tally *tally);
void gb_tally_release(gb_tally *tally);

void gb_tally_add(gb_tally *tally, const gb_call_record *call);

/* Adds what `one` has to `sum`. */
void gb_row_add(gb_row *sum, const gb_row *one);

/* Whether two rows are of the same function and size class. */
bool gb_row_is_like(const gb_row *a, const gb_row *b);

#endif
