/* plogp lines, each with where its numbers came from. */
#include "mpi/probe/write.h"
#include "platform/print.h"
#include "platform/units.h"

void gb_write_key_time(FILE *out, const char *key, double seconds) {
  gb_print_time(out, key, gb_probe_round(seconds));
}

void gb_write_key_rate(FILE *out, const char *key, double rate) {
  gb_print_rate(out, key, gb_probe_round(rate));
}

void gb_write_least(double latency, FILE *out) {
  if (latency <= GB_PROBE_LEAST_LATENCY)
    (void)fputs("; no latency beside the overheads, written as 1ns", out);
}

static void write_figure(FILE *out, const char *what, const gb_figure *f) {
  (void)fprintf(out, ", %s %u sample%s spread %.1f%%", what, (unsigned)f->samples, f->samples == 1 ? "" : "s",
                100 * f->spread);
}

void gb_write_origin(const gb_probe_report *r, const gb_probe_task *t, const gb_probe_point *point,
                     int direction, FILE *out) {
  const gb_host *from = &r->platform->host[t->host[direction]];
  const gb_host *to = &r->platform->host[t->host[1 - direction]];
  if (from == to)
    (void)fprintf(out, "  # measured %s, ranks %d and %d of %s", r->when, t->rank[0], t->rank[1], from->name);
  else
    (void)fprintf(out, "  # measured %s, %s - %s", r->when, from->name, to->name);
  write_figure(out, "rtt", &point->rtt);
  write_figure(out, "gap", &point->gap[direction]);
}

/* os and or are part of g (g >= os, g >= or). A send above the eager limit waits for its receiver, and one
 * call alone can take longer than one of many: what is longer than g stands behind the #. */
static void write_overhead(FILE *out, const char *key, const gb_figure *f, double gap) {
  if (f->samples > 0 && f->value <= gap)
    gb_write_key_time(out, key, f->value);
}

static void write_longer(FILE *out, const char *what, const gb_figure *f, double gap) {
  char text[GB_UNIT_TEXT];
  if (f->samples == 0 || f->value <= gap)
    return;
  gb_write_time(text, gb_probe_round(f->value));
  (void)fprintf(out, "; %s %s", what, text);
}

void gb_write_points(const gb_probe_report *r, const gb_probe_task *t, int direction, const char *ends,
                     FILE *out) {
  for (uint32_t i = 0; i < t->table.count; i++) {
    const gb_probe_point *point = &t->table.point[i];
    char size[GB_UNIT_TEXT];
    bool clamped;
    double latency = gb_probe_latency(point, &clamped), gap = point->gap[direction].value;
    gb_write_size(size, point->bytes);
    (void)fprintf(out, "plogp %s size=%s", ends, size);
    gb_write_key_time(out, "gap", gap);
    gb_write_key_time(out, "latency", latency);
    write_overhead(out, "os", &point->send[direction], gap);
    write_overhead(out, "or", &point->receive[1 - direction], gap);
    gb_write_origin(r, t, point, direction, out);
    write_longer(out, "MPI_Send took", &point->send[direction], gap);
    write_longer(out, "MPI_Recv took", &point->receive[1 - direction], gap);
    (void)fputs(clamped ? "; RTT/2 - g is below 0, latency written as 0\n" : "\n", out);
  }
}

void gb_write_kept(const gb_plogp *table, const char *ends, const char *file, FILE *out) {
  for (uint32_t i = 0; i < table->count; i++) {
    gb_print_point(&table->point[i], ends, out);
    (void)fprintf(out, "  # as in %s, not measured\n", file);
  }
}
