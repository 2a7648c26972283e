/* Counts calls, and tells the counts in words. */
#include "mpi/report/tally.h"
#include "plan/show/show.h"
#include "platform/text/text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* Whether two rows have the same function and size class. */
static bool is_like(const gb_row *a, const gb_row *b) {
  return function_of(a) == function_of(b) && a->class_bytes == b->class_bytes;
}

/* Adds calls, bytes and times of `one` to those of `sum`. */
static void add_up(gb_row *sum, const gb_row *one) {
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
    add_up(&tally->row[at], one);
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
  if (call->passed == GB_PASSED_NOT) {
    count(&tally->accelerated, call->bytes);
    add_row(tally, &one);
  } else {
    count(&tally->passed_on, call->bytes);
    count(&tally->why[call->passed], call->bytes);
  }
}

static void print_row(const gb_row *row, FILE *out) {
  const double calls = (double)row->calls;
  char name[GB_CALL_NAME];
  gb_call_name(row->kind, row->form, row->own, name);
  fprintf(out, "gbcast:   %" PRIu64 " %s", row->calls, name);
  if (gb_call_has_class(row->kind))
    fprintf(out, " of up to %s", gb_text_bytes(row->class_bytes).s);
  if (row->kind != GB_CALL_barrier)
    fprintf(out, ", %s in all,", gb_text_bytes(row->bytes).s);
  fprintf(out, " took %s", gb_text_seconds(row->measured).s);
  if (row->calls > 1)
    fprintf(out, ", %s each", gb_text_seconds(row->measured / calls).s);
  fprintf(out, "; predicted: %s%s\n", gb_text_seconds(row->predicted / calls).s,
          row->calls > 1 ? " each" : "");
}

/* Prints one line for all plans of a size class. */
static void print_rows(const gb_tally *tally, FILE *out) {
  for (size_t i = 0; i < tally->rows;) {
    gb_row sum = tally->row[i];
    for (i++; i < tally->rows && is_like(&tally->row[i], &sum); i++)
      add_up(&sum, &tally->row[i]);
    print_row(&sum, out);
  }
}

static void print_passed(const gb_tally *tally, FILE *out) {
  for (unsigned why = 0; why < GB_PASSED_WAYS; why++)
    if (tally->why[why].calls > 0)
      fprintf(out, "gbcast:   %" PRIu64 " passed on: %s\n", tally->why[why].calls, gb_passed_why(why));
}

static void print(const gb_tally *tally, bool disabled, FILE *out) {
  const uint64_t all = tally->accelerated.calls + tally->passed_on.calls;
  fprintf(out, "gbcast: rank 0 made %s", gb_text_count(all, "collective call").s);
  if (disabled && tally->accelerated.calls == 0) {
    fprintf(out, ": all passed on to MPI, because GBCAST_DISABLE is set\n");
    return;
  }
  fprintf(out, ": %" PRIu64 " ran on plans of gbcast, %" PRIu64 " passed on to MPI\n",
          tally->accelerated.calls, tally->passed_on.calls);
  print_rows(tally, out);
  print_passed(tally, out);
}

void gb_words_print(const gb_tally *tally, bool disabled, FILE *out) {
  gb_plain_locale plain;
  (void)gb_plain_locale_set(&plain);
  print(tally, disabled, out);
  gb_plain_locale_end(&plain);
}
