/* Counts calls. */
#include "mpi/report/tally.h"
#include <stdlib.h>
#include <string.h>

void gb_tally_init(gb_tally *tally) {
  *tally = (gb_tally){0};
  (void)pthread_mutex_init(&tally->lock, NULL);
}

void gb_tally_release(gb_tally *tally) {
  free(tally->row);
  (void)pthread_mutex_destroy(&tally->lock);
}

/* A number for the function, by which rows are ordered: MPI's functions before gbcast's, and blocking ones
 * first. */
static uint64_t function_of(const gb_row *row) {
  return ((uint64_t)row->own * (GB_CALL_LATER + 1) + row->form) * GB_CALL_KINDS + row->kind;
}

static int compare(const gb_row *a, const gb_row *b) {
  const uint64_t x[] = {function_of(a), a->class_bytes, a->plan},
                 y[] = {function_of(b), b->class_bytes, b->plan};
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

bool gb_row_is_like(const gb_row *a, const gb_row *b) {
  return function_of(a) == function_of(b) && a->class_bytes == b->class_bytes;
}

void gb_row_add(gb_row *sum, const gb_row *one) {
  sum->calls += one->calls;
  sum->bytes += one->bytes;
  sum->predicted += one->predicted;
  sum->measured += one->measured;
}

/* Adds the row of a single call to the row of the same function, size class and plan, or inserts it in order.
 * If there is no memory, the call is counted only in the sums of all calls. */
static void add_row(gb_tally *tally, const gb_row *one) {
  size_t at = 0;
  while (at < tally->rows && compare(&tally->row[at], one) < 0)
    at++;
  if (at < tally->rows && compare(&tally->row[at], one) == 0) {
    gb_row_add(&tally->row[at], one);
    return;
  }
  if (tally->rows == tally->room) {
    size_t room = tally->room * 2 + 8;
    gb_row *row = realloc(tally->row, sizeof *row * room);
    if (row == NULL)
      return;
    tally->row = row;
    tally->room = room;
  }
  memmove(tally->row + at + 1, tally->row + at, sizeof *tally->row * (tally->rows - at));
  tally->rows++;
  tally->row[at] = *one;
}

static void count(gb_count *sum, uint64_t bytes) {
  sum->calls++;
  sum->bytes += bytes;
}

void gb_tally_add(gb_tally *tally, const gb_call_record *call) {
  const gb_row one = {.kind = call->kind,
                      .form = call->form,
                      .own = call->own,
                      .class_bytes = call->class_bytes,
                      .plan = call->plan,
                      .calls = 1,
                      .bytes = call->bytes,
                      .predicted = call->predicted,
                      .measured = call->end - call->start};
  (void)pthread_mutex_lock(&tally->lock);
  if (call->passed == GB_PASSED_NOT) {
    count(&tally->accelerated, call->bytes);
    add_row(tally, &one);
  } else {
    count(&tally->passed_on, call->bytes);
    count(&tally->why[call->passed], call->bytes);
  }
  (void)pthread_mutex_unlock(&tally->lock);
}
