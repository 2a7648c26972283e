/* What the user sees: on a terminal while the copy goes on, and at the end. */
#include "tools/cp/report.h"
#include "mpi/comm/comm.h"

#include <gbcast/plan.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers in words ---- */

typedef struct amount {
  char text[32];
} amount;

static const char *in_bytes(amount *w, double bytes) {
  static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t u = 0;
  for (; bytes >= 1024 && u + 1 < sizeof unit / sizeof *unit; u++)
    bytes /= 1024;
  (void)snprintf(w->text, sizeof w->text, bytes < 10 && u > 0 ? "%.1f %s" : "%.0f %s", bytes, unit[u]);
  return w->text;
}

static const char *in_time(amount *w, double seconds) {
  if (seconds < 100)
    (void)snprintf(w->text, sizeof w->text, seconds < 10 ? "%.2f s" : "%.0f s", seconds);
  else
    (void)snprintf(w->text, sizeof w->text, "%.0f:%02.0f min", floor(seconds / 60), fmod(floor(seconds), 60));
  return w->text;
}

/* ---- Prediction ---- */

/* Collective. Sets c->predicted and c->cost of rank 0 to those of the job's plan for one broadcast of all
 * data. A copy in several messages takes about as long. They stay NAN without a hosts file, for one rank, and
 * where gbcast passes its calls on to MPI. A hosts file that does not fit ends the job, as in the first
 * broadcast. */
static void predict(gb_cp_copy *c) {
  const char *hosts = getenv("GBCAST_HOSTS");
  gb_comm *comm = NULL;
  gbcast_plan *plan = NULL;
  if (c->totals.bytes == 0 || c->size == 1 || gb_comm_any(c->comm, &comm) != MPI_SUCCESS || comm == NULL ||
      comm->left != GB_PASSED_NOT || c->rank != 0 || hosts == NULL || *hosts == '\0')
    return;
  if (gb_decide(comm, GBCAST_BCAST, c->totals.bytes, 0, &plan) == MPI_SUCCESS) {
    c->predicted = gbcast_plan_predicted(plan);
    c->cost = gbcast_plan_cost(plan);
  }
  gbcast_plan_free(plan);
}

void gb_cp_report_begin(gb_cp_copy *c) {
  c->started = MPI_Wtime();
  predict(c);
  if (c->terminal == NULL)
    return;
  amount bytes, time;
  fprintf(c->terminal, "gbcast-cp: %llu file%s, %s, to %d hosts", (unsigned long long)c->totals.files,
          c->totals.files == 1 ? "" : "s", in_bytes(&bytes, (double)c->totals.bytes), c->size);
  if (isfinite(c->predicted))
    fprintf(c->terminal, "; predicted %s", in_time(&time, c->predicted));
  if (isfinite(c->cost))
    fprintf(c->terminal, ", %.4g USD", c->cost);
  (void)fputc('\n', c->terminal);
  (void)fflush(c->terminal);
}

void gb_cp_report_end(gb_cp_copy *c) {
  c->seconds = MPI_Wtime() - c->began;
  if (c->terminal != NULL) {
    (void)fputs("\r\033[K", c->terminal);
    (void)fflush(c->terminal);
    if (c->terminal != stderr)
      (void)fclose(c->terminal);
  }
  c->terminal = NULL;
}

void gb_cp_show(gb_cp_copy *c, uint64_t least, int slowest) {
  enum { WIDTH = 24 };
  const double all = (double)c->totals.bytes, done = fmin((double)least, all);
  const double share = all > 0 ? done / all : 1, elapsed = MPI_Wtime() - c->started;
  const double rate = elapsed > 0 ? done / elapsed : 0;
  amount here, total, speed, left;
  char bar[WIDTH + 1] = "";
  memset(bar, '-', WIDTH);
  memset(bar, '#', (size_t)(share * WIDTH));
  fprintf(c->terminal, "\r\033[K[%s] %3.0f %%  %s of %s  slowest %s: %s/s", bar, 100 * share,
          in_bytes(&here, done), in_bytes(&total, all), slowest < c->size ? c->hosts[slowest].name : "",
          in_bytes(&speed, rate));
  if (rate > 0)
    fprintf(c->terminal, "  %s left", in_time(&left, (all - done) / rate));
  if (isfinite(c->predicted) && elapsed < c->predicted)
    fprintf(c->terminal, " (predicted %s)", in_time(&left, c->predicted - elapsed));
  (void)fflush(c->terminal);
}

/* ---- The end ---- */

/* A string of JSON; text that is not UTF-8 is quoted. */
static json_t *string(const char *text) {
  const size_t length = strlen(text);
  json_t *made = json_string(text);
  char *quoted = made == NULL ? malloc(GB_QUOTED(length)) : NULL;
  if (quoted != NULL)
    made = json_string(gb_quote(quoted, GB_QUOTED(length), text, length));
  free(quoted);
  return made;
}

static json_t *number_or_null(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static bool print_json(const gb_cp_copy *c, const gb_cp_result *result, int ranks) {
  static const char *const state[] = {"written", "same", "failed"};
  json_t *hosts = json_array();
  for (int r = 0; r < ranks; r++) {
    json_t *host = json_pack("{s:i, s:o, s:s}", "rank", r, "host", string(result[r].host), "state",
                             state[result[r].state]);
    if (result[r].message[0] != '\0')
      (void)json_object_set_new(host, "error", string(result[r].message));
    (void)json_array_append_new(hosts, host);
  }
  json_t *all =
      json_pack("{s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:f, s:o, s:o, s:o, s:o}", "schema", "gbcast-cp/1",
                "source", string(c->options->source), "destination", string(c->options->destination), "files",
                (json_int_t)c->totals.files, "bytes", (json_int_t)c->totals.bytes, "skipped",
                (json_int_t)c->totals.skipped, "bytes_sent", (json_int_t)c->sent, "bytes_sent_packed",
                (json_int_t)c->sent_packed, "seconds", c->seconds, "predicted_seconds",
                number_or_null(c->predicted), "cost_usd", number_or_null(c->cost), "error",
                c->source_failed ? string(c->source_error.message) : json_null(), "hosts", hosts);
  const bool good = all != NULL && json_dumpf(all, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
  json_decref(all);
  return good && fflush(stdout) == 0;
}

static void print_failures(const gb_cp_copy *c, const gb_cp_result *result, int ranks, int failed) {
  int writers = 0, width = 0;
  for (int r = 0; r < ranks; r++) {
    writers += result[r].state != GB_CP_SAME;
    const int length = (int)strlen(result[r].host);
    if (result[r].state == GB_CP_FAILED && length > width)
      width = length;
  }
  if (c->source_failed)
    fprintf(stderr, "gbcast-cp: %s; no destination has changed\n", c->source_error.message);
  if (c->source_failed || failed == 0)
    return;
  fprintf(stderr, "gbcast-cp: failed on %d of %d hosts, where '%s' is as it was:\n", failed, writers,
          c->options->destination);
  for (int r = 0; r < ranks; r++)
    if (result[r].state == GB_CP_FAILED)
      fprintf(stderr, "  %-*s  %s\n", width, result[r].host, result[r].message);
}

static void print_success(const gb_cp_copy *c, int hosts) {
  FILE *out = gb_job_terminal();
  if (out == NULL)
    return;
  amount bytes, time, rate, predicted;
  fprintf(out, "gbcast-cp: copied %llu file%s, %s, to %d hosts in %s, %s/s",
          (unsigned long long)c->totals.files, c->totals.files == 1 ? "" : "s",
          in_bytes(&bytes, (double)c->totals.bytes), hosts, in_time(&time, c->seconds),
          in_bytes(&rate, (double)c->totals.bytes / c->seconds));
  if (isfinite(c->predicted))
    fprintf(out, " (predicted %s)", in_time(&predicted, c->predicted));
  (void)fputc('\n', out);
  if (out != stderr)
    (void)fclose(out);
}

int gb_cp_report(gb_cp_copy *c, MPI_Comm all, const gb_cp_result *own) {
  int rank, ranks, bad = 0;
  (void)MPI_Comm_rank(all, &rank);
  (void)MPI_Comm_size(all, &ranks);
  gb_cp_result *result = rank == 0 ? gb_cp_memory(c, (size_t)ranks * sizeof *result) : NULL;
  (void)MPI_Gather(own, sizeof *own, MPI_BYTE, result, sizeof *own, MPI_BYTE, 0, all);
  if (rank == 0) {
    int failed = 0, written = 0;
    for (int r = 0; r < ranks; r++) {
      failed += result[r].state == GB_CP_FAILED;
      written += result[r].state == GB_CP_WRITTEN;
    }
    bad = failed > 0 || c->source_failed;
    if (c->totals.skipped > 0)
      fprintf(stderr, "gbcast-cp: not copied: %llu pipes, sockets or devices\n",
              (unsigned long long)c->totals.skipped);
    print_failures(c, result, ranks, failed);
    if (!bad && !c->options->json && !c->options->quiet)
      print_success(c, written);
    if (c->options->json && !print_json(c, result, ranks))
      bad = 1; /* the end of the program says so */
    free(result);
  }
  (void)MPI_Bcast(&bad, 1, MPI_INT, 0, all);
  return bad;
}
