/* Counts calls: how many ran on plans and how long they took, and how many were passed on to MPI and why. */
#ifndef GB_MPI_REPORT_TALLY_H
#define GB_MPI_REPORT_TALLY_H

#include "mpi/report/record.h"
#include <pthread.h>
#include <stddef.h>

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

typedef struct gb_tally {
  pthread_mutex_t lock; /* several threads may call */
  gb_count accelerated, passed_on;
  gb_count why[GB_PASSED_WAYS]; /* calls that were passed on, by reason */
  gb_row *row;                  /* by function, size class and plan */
  size_t rows, room;            /* how many there are, and how many fit */
} gb_tally;

void gb_tally_init(gb_tally *tally);
void gb_tally_release(gb_tally *tally);

/* Counts a call. Any thread may call this. */
void gb_tally_add(gb_tally *tally, const gb_call_record *call);

/* Adds calls, bytes and times of `one` to those of `sum`. */
void gb_row_add(gb_row *sum, const gb_row *one);

/* Whether two rows have the same function and size class. */
bool gb_row_is_like(const gb_row *a, const gb_row *b);

#endif
