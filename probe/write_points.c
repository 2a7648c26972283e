/* plogp lines, each with where its numbers came from. */
#include "platform/platform.h"
#include "platform/text/text.h"
#include "probe/write.h"

#include <math.h>

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

static void write_figure(FILE *out, const char *what, const gb_median *f) {
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

typedef struct end_time { /* what os= or or= says */
  double seconds;         /* -1: nothing */
  const gb_host *other;   /* between sites: whose gap with the same host it is */
} end_time;

/* The least gap of messages of that size that was measured from a host (end 0) or to it (end 1). Its own link
 * takes no longer for them, whatever links lie behind it. */
static end_time least_gap(const gb_probe_report *r, uint32_t host, int end, uint64_t bytes) {
  end_time least = {INFINITY, NULL};
  for (uint32_t i = 0; i < 2 * r->task_count; i++) {
    const gb_probe_task *t = &r->task[i / 2];
    uint32_t from = i % 2, near = end == 0 ? from : 1 - from;
    for (uint32_t k = 0; t->host[near] == host && k < t->table.count; k++)
      if (t->table.point[k].bytes == bytes && t->table.point[k].gap[from].value < least.seconds)
        least = (end_time){t->table.point[k].gap[from].value, &r->platform->host[t->host[1 - near]]};
  }
  return least;
}

static const gb_median *call_of(const gb_probe_point *point, int direction, int end) {
  return end == 0 ? &point->send[direction] : &point->receive[1 - direction];
}

/* os and or are part of g. Inside a site they are calls of MPI: a send above the eager limit waits for its
 * receiver, and one call alone can take longer than one of many; what is longer than g stands behind the #.
 * Between sites a call does not show when the next message can go to another site: a short send returns
 * before its bytes have left, a long one after the far end has them. */
static end_time end_of(const gb_probe_report *r, const gb_probe_task *t, const gb_probe_point *point,
                       int direction, int end) {
  const gb_host *host = r->platform->host;
  const double gap = point->gap[direction].value;
  const gb_median *call = call_of(point, direction, end);
  if (host[t->host[0]].cluster == host[t->host[1]].cluster)
    return (end_time){call->samples > 0 && call->value <= gap ? call->value : -1, NULL};
  end_time least = least_gap(r, t->host[end == 0 ? direction : 1 - direction], end, point->bytes);
  bool less = gb_probe_round(least.seconds) < gb_probe_round(gap);
  return (end_time){less ? least.seconds : -1, least.other};
}

/* Where os= or or= came from, and a call of MPI that they do not show. */
static void write_end_origin(FILE *out, const end_time *end, const char *which, const char *call,
                             const gb_median *took) {
  char text[GB_UNIT_TEXT];
  if (end->seconds >= 0 && end->other != NULL)
    (void)fprintf(out, "; %s %s", which, end->other->name);
  if (took->samples == 0 || (end->seconds >= 0 && end->other == NULL))
    return;
  gb_write_time(text, gb_probe_round(took->value));
  (void)fprintf(out, "; %s took %s", call, text);
}

void gb_write_points(const gb_probe_report *r, const gb_probe_task *t, int direction, const char *ends,
                     FILE *out) {
  for (uint32_t i = 0; i < t->table.count; i++) {
    const gb_probe_point *point = &t->table.point[i];
    const end_time send = end_of(r, t, point, direction, 0), receive = end_of(r, t, point, direction, 1);
    char size[GB_UNIT_TEXT];
    bool clamped;
    double latency = gb_probe_latency(point, &clamped);
    gb_write_size(size, point->bytes);
    (void)fprintf(out, "plogp %s size=%s", ends, size);
    gb_write_key_time(out, "gap", point->gap[direction].value);
    gb_write_key_time(out, "latency", latency);
    if (send.seconds >= 0)
      gb_write_key_time(out, "os", send.seconds);
    if (receive.seconds >= 0)
      gb_write_key_time(out, "or", receive.seconds);
    gb_write_origin(r, t, point, direction, out);
    write_end_origin(out, &send, "os: the gap to", "MPI_Send", call_of(point, direction, 0));
    write_end_origin(out, &receive, "or: the gap from", "MPI_Recv", call_of(point, direction, 1));
    (void)fputs(clamped ? "; RTT/2 - g is below 0, latency written as 0\n" : "\n", out);
  }
}

void gb_write_kept(const gb_plogp *table, const char *ends, const char *file, FILE *out) {
  for (uint32_t i = 0; i < table->count; i++) {
    gb_print_point(&table->point[i], ends, out);
    (void)fprintf(out, "  # as in %s, not measured\n", file);
  }
}
