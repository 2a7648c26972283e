/* GBCAST_STATS: what the calls of a job did, in a file for other programs. The text format of Prometheus is
 * version 0.0.4; its node exporter reads files whose names end in .prom. */
#include "mpi/pmpi/stats.h"
#include <errno.h>
#include <gbcast/gbcast.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whole nanoseconds in seconds: with a point in every locale. */
static void print_seconds(double seconds, FILE *out) {
  const uint64_t ns = (uint64_t)(seconds * 1e9 + 0.5);
  fprintf(out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

static void print_json_row(const gb_row *row, FILE *out) {
  fprintf(out, "    {\"call\": \"%s\", \"class_bytes\": ", gb_row_name(row));
  if (gb_row_has_class(row))
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

static void print_json(const gb_call_tally *tally, int ranks, FILE *out) {
  fprintf(out,
          "{\n  \"version\": \"%s\",\n  \"ranks\": %d,\n"
          "  \"accelerated\": {\"calls\": %" PRIu64 ", \"bytes\": %" PRIu64 "},\n"
          "  \"passed_on\": {\"calls\": %" PRIu64 ", \"bytes\": %" PRIu64 "},\n  \"calls\": [",
          gbcast_version(), ranks, tally->accelerated, tally->accelerated_bytes, tally->passed_on,
          tally->passed_on_bytes);
  for (size_t i = 0; i < tally->rows; i++) {
    fprintf(out, "%s\n", i > 0 ? "," : "");
    print_json_row(&tally->row[i], out);
  }
  fprintf(out, "%s]\n}\n", tally->rows > 0 ? "\n  " : "");
}

static void print_calls(const gb_row *row, FILE *out) {
  fprintf(out, "%" PRIu64, row->calls);
}

static void print_bytes(const gb_row *row, FILE *out) {
  fprintf(out, "%" PRIu64, row->bytes);
}

static void print_predicted(const gb_row *row, FILE *out) {
  print_seconds(row->predicted, out);
}

static void print_measured(const gb_row *row, FILE *out) {
  print_seconds(row->measured, out);
}

static void print_metric(const char *name, const char *help, FILE *out) {
  fprintf(out, "# HELP gbcast_%s %s\n# TYPE gbcast_%s counter\n", name, help, name);
}

static void print_prometheus(const gb_call_tally *tally, FILE *out) {
  static const struct {
    const char *name, *help;
    void (*print)(const gb_row *row, FILE *out);
  } metric[] = {
      {"calls_total", "Calls that were accelerated.", print_calls},
      {"bytes_total", "Bytes of their messages, or of one block each.", print_bytes},
      {"predicted_seconds_total", "Predicted time of all of them.", print_predicted},
      {"measured_seconds_total", "Time that rank 0 spent in them.", print_measured},
  };
  for (size_t m = 0; m < sizeof metric / sizeof *metric; m++) {
    print_metric(metric[m].name, metric[m].help, out);
    for (size_t i = 0; i < tally->rows; i++) {
      const gb_row *row = &tally->row[i];
      fprintf(out, "gbcast_%s{call=\"%s\",class_bytes=\"", metric[m].name, gb_row_name(row));
      if (gb_row_has_class(row))
        fprintf(out, "%" PRIu64, row->class_bytes);
      fprintf(out, "\",plan=\"%016" PRIx64 "\"} ", row->plan);
      metric[m].print(row, out);
      fputc('\n', out);
    }
  }
  print_metric("passed_on_calls_total", "Calls that were passed on to MPI.", out);
  fprintf(out, "gbcast_passed_on_calls_total %" PRIu64 "\n", tally->passed_on);
  print_metric("passed_on_bytes_total", "Bytes of their messages, or of one block each.", out);
  fprintf(out, "gbcast_passed_on_bytes_total %" PRIu64 "\n", tally->passed_on_bytes);
}

static int print(const char *path, const char *mode, bool prometheus, const gb_call_tally *tally, int ranks) {
  errno = 0;
  FILE *out = fopen(path, mode);
  if (out == NULL)
    return errno;
  if (prometheus)
    print_prometheus(tally, out);
  else
    print_json(tally, ranks, out);
  const bool failed = ferror(out) != 0;
  if (fclose(out) != 0 || failed)
    return errno != 0 ? errno : EIO;
  return 0;
}

int gb_stats_write(const char *path, const gb_call_tally *tally, int ranks) {
  const size_t length = strlen(path), room = length + 32;
  const bool prometheus = length > 5 && strcmp(path + length - 5, ".prom") == 0;
  struct stat about;
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
    return print(path, "w", prometheus, tally, ranks);
  char *beside = malloc(room);
  if (beside == NULL)
    return ENOMEM;
  (void)snprintf(beside, room, "%s.%ld", path, (long)getpid());
  int rc = print(beside, "wx", prometheus, tally, ranks);
  if (rc == 0 && rename(beside, path) != 0)
    rc = errno;
  if (rc != 0 && rc != EEXIST)
    (void)unlink(beside);
  free(beside);
  return rc;
}
