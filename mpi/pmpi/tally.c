/* How many calls went which way, and how long those that were accelerated took. */
#include "mpi/pmpi/tally.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void gb_tally_init(gb_call_tally *tally) {
  *tally = (gb_call_tally){0};
  (void)pthread_mutex_init(&tally->lock, NULL);
}

void gb_tally_release(gb_call_tally *tally) {
  free(tally->row);
  (void)pthread_mutex_destroy(&tally->lock);
}

static int compare(const gb_row *a, const gb_row *b) {
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  if (a->class_bytes != b->class_bytes)
    return a->class_bytes < b->class_bytes ? -1 : 1;
  return a->plan < b->plan ? -1 : a->plan > b->plan;
}

static void add(gb_row *sum, const gb_row *one) {
  sum->calls += one->calls;
  sum->bytes += one->bytes;
  sum->predicted += one->predicted;
  sum->measured += one->measured;
}

/* The row of the same kind, class and plan, kept in order; NULL: no memory. */
static gb_row *row_for(gb_call_tally *tally, const gb_row *one) {
  size_t at = 0;
  while (at < tally->rows && compare(&tally->row[at], one) < 0)
    at++;
  if (at < tally->rows && compare(&tally->row[at], one) == 0)
    return &tally->row[at];
  if (tally->rows == tally->room) {
    size_t room = tally->room * 2 + 8;
    gb_row *row = realloc(tally->row, sizeof *row * room);
    if (row == NULL)
      return NULL;
    tally->row = row;
    tally->room = room;
  }
  memmove(tally->row + at + 1, tally->row + at, sizeof *tally->row * (tally->rows - at));
  tally->rows++;
  tally->row[at] = (gb_row){.kind = one->kind, .class_bytes = one->class_bytes, .plan = one->plan};
  return &tally->row[at];
}

void gb_tally_accelerated(gb_call_tally *tally, const gb_row *one) {
  (void)pthread_mutex_lock(&tally->lock);
  tally->accelerated++;
  tally->accelerated_bytes += one->bytes;
  gb_row *row = row_for(tally, one);
  if (row != NULL)
    add(row, one);
  (void)pthread_mutex_unlock(&tally->lock);
}

void gb_tally_passed_on(gb_call_tally *tally, uint64_t bytes) {
  (void)pthread_mutex_lock(&tally->lock);
  tally->passed_on++;
  tally->passed_on_bytes += bytes;
  (void)pthread_mutex_unlock(&tally->lock);
}

const char *gb_row_name(const gb_row *row) {
#define NAME(name, title) "MPI_" #title,
#define NAME_AT_ONCE(name, title) "MPI_I" #name,
  static const char *const name[] = {GB_EACH_COLLECTIVE(NAME) GB_EACH_COLLECTIVE(NAME_AT_ONCE)};
  return name[row->kind];
}

bool gb_row_has_class(const gb_row *row) {
  const enum gb_call_kind kind = row->kind % GB_CALLS_AT_ONCE;
  return kind != GB_CALL_scatterv && kind != GB_CALL_gatherv && kind != GB_CALL_alltoallv &&
         kind != GB_CALL_barrier;
}

/* Whole microseconds: the same in every locale. */
static void print_row(const gb_row *row, FILE *out) {
  fprintf(out, "gbcast:   %s", gb_row_name(row));
  if (gb_row_has_class(row))
    fprintf(out, " up to %" PRIu64 " bytes", row->class_bytes);
  else if (row->kind % GB_CALLS_AT_ONCE != GB_CALL_barrier)
    fprintf(out, " of all sizes");
  fprintf(out, ": %" PRIu64 " calls, %" PRIu64 " bytes, predicted %.0f us a call, measured %.0f us\n",
          row->calls, row->bytes, row->predicted / (double)row->calls * 1e6,
          row->measured / (double)row->calls * 1e6);
}

void gb_tally_print(gb_call_tally *tally, FILE *out) {
  fprintf(out,
          "gbcast: %" PRIu64 " calls accelerated, %" PRIu64 " passed on; %" PRIu64 " bytes and %" PRIu64
          " bytes\n",
          tally->accelerated, tally->passed_on, tally->accelerated_bytes, tally->passed_on_bytes);
  for (size_t i = 0; i < tally->rows;) { /* all plans of a size class in one line */
    gb_row sum = tally->row[i];
    for (i++;
         i < tally->rows && tally->row[i].kind == sum.kind && tally->row[i].class_bytes == sum.class_bytes;
         i++)
      add(&sum, &tally->row[i]);
    print_row(&sum, out);
  }
}
