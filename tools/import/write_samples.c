/* Writes samples as lines of a live file: FROM TO MS [MBIT/S] [KEY=VALUE]... */
#include "tools/import/parts.h"

#define MS 1e3
#define MBIT 8e-6

static void write_sample(const gb_import_sample *s, FILE *out) {
  (void)fprintf(out, "%s %s ", s->from, s->to);
  if (s->latency > 0)
    (void)fprintf(out, "%s%.9g", s->round_trip ? "rtt=" : "", s->latency * MS);
  else
    (void)fputc('-', out);
  if (s->bandwidth > 0)
    (void)fprintf(out, " %.9g", s->bandwidth * MBIT);
  if (s->time > 0)
    (void)fprintf(out, " time=%.15g", s->time);
  if (s->latency > 0 && s->latency_error > 0)
    (void)fprintf(out, " latency-error=%.9g", s->latency_error * MS);
  (void)fputs("  # ", out);
  gb_print_quoted(s->where.file, strlen(s->where.file), out);
  (void)fprintf(out, ":%u\n", (unsigned)s->where.line);
}

void gb_import_write_samples(const gb_import *m, FILE *out) {
  bool latency = false, bandwidth = false, time = true;
  for (uint32_t i = 0; i < m->sample_count; i++) {
    latency |= m->sample[i].latency > 0;
    bandwidth |= m->sample[i].bandwidth > 0;
    time &= m->sample[i].time > 0;
  }
  if (!latency)
    (void)fputs("# The input does not say latency; ping measures it.\n", out);
  if (!bandwidth)
    (void)fputs("# The input does not say bandwidth; iperf3 -J measures it.\n", out);
  if (!time)
    (void)fputs("# The input does not say when some values were measured; without time= a value never "
                "becomes too old.\n",
                out);
  (void)fputs("# from to ms Mbit/s\n", out);
  for (uint32_t i = 0; i < m->sample_count; i++)
    write_sample(&m->sample[i], out);
}
