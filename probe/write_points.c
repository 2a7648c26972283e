/* Writes plogp lines, each with a comment that says where its numbers come from. */
#include "platform/platform.h"
#include "platform/text/text.h"
#include "probe/write.h"

void gb_write_key_time(FILE *out, const char *key, double seconds) {
  gb_print_time(out, key, gb_probe_round(seconds));
}

void gb_write_key_rate(FILE *out, const char *key, double rate) {
  gb_print_rate(out, key, gb_probe_round(rate));
}

void gb_write_least(double latency, FILE *out) {
  if (latency <= GB_PROBE_LEAST_LATENCY)
    (void)fputs("; no latency besides the overheads, written as 1ns", out);
}

static void write_figure(FILE *out, const char *what, const gb_median *f) {
  (void)fprintf(out, ", %s %u sample%s spread %.1f%%", what, (unsigned)f->samples, f->samples == 1 ? "" : "s",
                100 * f->spread);
}

void gb_write_origin(const gb_probe_report *r, const gb_probe_task *t, const gb_median *rtt, const char *what,
                     const gb_median *value, int direction, FILE *out) {
  const gb_host *from = &r->platform->host[t->host[direction]];
  const gb_host *to = &r->platform->host[t->host[1 - direction]];
  if (from == to)
    (void)fprintf(out, "  # measured %s, ranks %d and %d of %s", r->when, t->rank[0], t->rank[1], from->name);
  else
    (void)fprintf(out, "  # measured %s, %s - %s", r->when, from->name, to->name);
  write_figure(out, "rtt", rtt);
  write_figure(out, what, value);
}

/* Writes os= or or=, which is the time of one call of MPI. By definition it is a part of g, but a send above
 * the eager limit waits for its receiver, and a single call can take longer than one of many. A time longer
 * than g goes into the comment instead; see write_long_call(). */
static void write_call(FILE *out, const char *key, const gb_median *call, double gap) {
  if (call->samples > 0 && call->value <= gap)
    gb_write_key_time(out, key, call->value);
}

static void write_long_call(FILE *out, const char *what, const gb_median *call, double gap) {
  char text[GB_UNIT_TEXT];
  if (call->samples == 0 || call->value <= gap)
    return;
  gb_write_time(text, gb_probe_round(call->value));
  (void)fprintf(out, "; %s took %s", what, text);
}

void gb_write_points(const gb_probe_report *r, const gb_probe_task *t, int direction, const char *cluster,
                     FILE *out) {
  for (uint32_t i = 0; i < t->table.count; i++) {
    const gb_probe_point *point = &t->table.point[i];
    const gb_median *send = &point->send[direction], *receive = &point->receive[1 - direction];
    const double gap = point->gap[direction].value;
    char size[GB_UNIT_TEXT];
    bool clamped;
    double latency = gb_probe_latency(point, &clamped);
    gb_write_size(size, point->bytes);
    (void)fprintf(out, "plogp %s size=%s", cluster, size);
    gb_write_key_time(out, "gap", gap);
    gb_write_key_time(out, "latency", latency);
    write_call(out, "os", send, gap);
    write_call(out, "or", receive, gap);
    gb_write_origin(r, t, &point->rtt, "gap", &point->gap[direction], direction, out);
    write_long_call(out, "MPI_Send", send, gap);
    write_long_call(out, "MPI_Recv", receive, gap);
    (void)fputs(clamped ? "; RTT/2 - g is below 0, latency written as 0\n" : "\n", out);
  }
}

void gb_write_kept(const gb_plogp *table, const char *ends, const char *file, FILE *out) {
  for (uint32_t i = 0; i < table->count; i++) {
    gb_print_point(&table->point[i], ends, out);
    (void)fprintf(out, "  # as in %s, not measured\n", file);
  }
}
