/* How many calls went which way, and how long those that were accelerated took. */
#ifndef GB_MPI_PMPI_TALLY_H
#define GB_MPI_PMPI_TALLY_H

#include "mpi/api/api.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define GB_KIND(name, title) GB_CALL_##name,
#define GB_KIND_AT_ONCE(name, title) GB_CALL_i##name,
enum gb_call_kind { GB_EACH_COLLECTIVE(GB_KIND) GB_EACH_COLLECTIVE(GB_KIND_AT_ONCE) };
#define GB_CALLS_AT_ONCE GB_CALL_ibcast /* the first of the non-blocking ones, in the order of the others */

typedef struct gb_row { /* accelerated calls of one size class with one plan */
  enum gb_call_kind kind;
  uint64_t class_bytes;
  uint64_t plan; /* its hash */
  uint64_t calls, bytes;
  double predicted, measured; /* s, of all of them */
} gb_row;

typedef struct gb_call_tally {
  pthread_mutex_t lock; /* several threads may call */
  uint64_t accelerated, passed_on;
  uint64_t accelerated_bytes, passed_on_bytes;
  gb_row *row;
  size_t rows, room;
} gb_call_tally;

void gb_tally_init(gb_call_tally *tally);
void gb_tally_release(gb_call_tally *tally);

/* `one`: a row for a single call. */
void gb_tally_accelerated(gb_call_tally *tally, const gb_row *one);
void gb_tally_passed_on(gb_call_tally *tally, uint64_t bytes);

/* "MPI_Bcast", "MPI_Ibcast" ... */
const char *gb_row_name(const gb_row *row);

/* Whether calls are planned by their size: a barrier has none, and the counts of some calls are not known to
 * all ranks. */
bool gb_row_has_class(const gb_row *row);

/* A line for all, and one for each kind and size class. */
void gb_tally_print(gb_call_tally *tally, FILE *out);

#endif
