/* GBCAST_STATS: writes what the calls of a job did to a file for other programs. The text format of
 * Prometheus is version 0.0.4; the node exporter of Prometheus reads files whose names end in .prom. */
#include "mpi/report/tally.h"
#include "platform/text/text.h"
#include <gbcast/gbcast.h>
#include <inttypes.h>
#include <string.h>

typedef struct gb_stats {
  const gb_tally *tally;
  int ranks;
} gb_stats;

/* Prints seconds with nine digits behind the point. */
static void print_seconds(double seconds, FILE *out) {
  const uint64_t ns = (uint64_t)(seconds * 1e9 + 0.5);
  fprintf(out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

static void print_json_row(const gb_row *row, FILE *out) {
  char name[GB_CALL_NAME];
  gb_call_name(row->kind, row->form, row->own, name);
  fprintf(out, "    {\"call\": \"%s\", \"class_bytes\": ", name);
  if (gb_call_has_class(row->kind))
    fprintf(out, "%" PRIu64, row->class_bytes);
  else
    fprintf(out, "null");
  fprintf(out,
          ", \"plan\": \"%016" PRIx64 "\", \"calls\": %" PRIu64 ", \"bytes\": %" PRIu64
          ", \"predicted_seconds\": ",
          row->plan, row->calls, row->bytes);
  print_seconds(row->predicted, out);
  fprintf(out, ", \"measured_seconds\": ");
  print_seconds(row->measured, out);
  fputc('}', out);
}

static void print_json_why(const gb_tally *tally, FILE *out) {
  bool any = false;
  fputs(", \"why\": [", out);
  for (unsigned why = 0; why < GB_PASSED_WAYS; why++) {
    if (tally->why[why].calls == 0)
      continue;
    fprintf(out, "%s\n    {\"why\": \"%s\", \"calls\": %" PRIu64 ", \"bytes\": %" PRIu64 "}", any ? "," : "",
            gb_passed_word(why), tally->why[why].calls, tally->why[why].bytes);
    any = true;
  }
  fputs(any ? "\n  ]" : "]", out);
}

static int print_json(FILE *out, void *context) {
  const gb_stats *stats = context;
  const gb_tally *tally = stats->tally;
  fprintf(out,
          "{\n  \"version\": \"%s\",\n  \"ranks\": %d,\n"
          "  \"accelerated\": {\"calls\": %" PRIu64 ", \"bytes\": %" PRIu64 "},\n"
          "  \"passed_on\": {\"calls\": %" PRIu64 ", \"bytes\": %" PRIu64,
          gbcast_version(), stats->ranks, tally->accelerated.calls, tally->accelerated.bytes,
          tally->passed_on.calls, tally->passed_on.bytes);
  print_json_why(tally, out);
  fputs("},\n  \"calls\": [", out);
  for (size_t i = 0; i < tally->rows; i++) {
    fprintf(out, "%s\n", i > 0 ? "," : "");
    print_json_row(&tally->row[i], out);
  }
  fprintf(out, "%s]\n}\n", tally->rows > 0 ? "\n  " : "");
  return 0;
}

static void print_metric(const char *name, const char *help, FILE *out) {
  fprintf(out, "# HELP gbcast_%s %s\n# TYPE gbcast_%s counter\n", name, help, name);
}

static int print_prometheus(FILE *out, void *context) {
  const gb_tally *tally = ((const gb_stats *)context)->tally;
  static const struct {
    const char *name, *help;
    bool seconds; /* a double, or a uint64_t */
    size_t field;
  } metric[] = {
      {"calls_total", "Calls that ran on plans of gbcast.", false, offsetof(gb_row, calls)},
      {"bytes_total", "Bytes of these calls: of the message, or of one block.", false,
       offsetof(gb_row, bytes)},
      {"predicted_seconds_total", "Predicted time of these calls.", true, offsetof(gb_row, predicted)},
      {"measured_seconds_total", "Time that rank 0 spent in these calls.", true, offsetof(gb_row, measured)},
  };
  for (size_t m = 0; m < sizeof metric / sizeof *metric; m++) {
    print_metric(metric[m].name, metric[m].help, out);
    for (size_t i = 0; i < tally->rows; i++) {
      const gb_row *row = &tally->row[i];
      char name[GB_CALL_NAME];
      gb_call_name(row->kind, row->form, row->own, name);
      fprintf(out, "gbcast_%s{call=\"%s\",class_bytes=\"", metric[m].name, name);
      if (gb_call_has_class(row->kind))
        fprintf(out, "%" PRIu64, row->class_bytes);
      fprintf(out, "\",plan=\"%016" PRIx64 "\"} ", row->plan);
      const void *value = (const char *)row + metric[m].field;
      if (metric[m].seconds)
        print_seconds(*(const double *)value, out);
      else
        fprintf(out, "%" PRIu64, *(const uint64_t *)value);
      fputc('\n', out);
    }
  }
  print_metric("passed_on_calls_total", "Calls that were passed on to MPI.", out);
  fprintf(out, "gbcast_passed_on_calls_total %" PRIu64 "\n", tally->passed_on.calls);
  print_metric("passed_on_bytes_total", "Bytes of these calls: of the message, or of one block.", out);
  fprintf(out, "gbcast_passed_on_bytes_total %" PRIu64 "\n", tally->passed_on.bytes);
  print_metric("passed_on_by_reason_calls_total", "Calls that were passed on to MPI, by reason.", out);
  for (unsigned why = 0; why < GB_PASSED_WAYS; why++)
    if (tally->why[why].calls > 0)
      fprintf(out, "gbcast_passed_on_by_reason_calls_total{why=\"%s\"} %" PRIu64 "\n", gb_passed_word(why),
              tally->why[why].calls);
  return 0;
}

int gb_stats_write(const char *path, const gb_tally *tally, int ranks) {
  gb_stats stats = {tally, ranks};
  const size_t length = strlen(path);
  const bool prometheus = length > 5 && strcmp(path + length - 5, ".prom") == 0;
  return gb_write_file(path, prometheus ? print_prometheus : print_json, &stats);
}
