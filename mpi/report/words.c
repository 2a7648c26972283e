/* The summary of GBCAST_VERBOSE. */
#include "mpi/report/words.h"
#include "plan/show/show.h"
#include "platform/text/text.h"
#include <inttypes.h>

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
    for (i++; i < tally->rows && gb_row_is_like(&tally->row[i], &sum); i++)
      gb_row_add(&sum, &tally->row[i]);
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
  fprintf(out, "gbcast: rank 0 made ");
  gb_print_plural(out, all, "collective call");
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
