/* The comments at the head of the file: who measured, how the sites were found, and what is unusual. */
#include "platform/text/text.h"
#include "probe/write.h"
#include <math.h>

static void say_time(FILE *out, double seconds) {
  char text[GB_UNIT_TEXT];
  gb_write_time(text, gb_probe_round(seconds));
  (void)fputs(text, out);
}

static void write_groups(const gb_probe_report *r, FILE *out) {
  const gbcast_platform *p = r->platform;
  (void)fputs("#\n# Sites were found from one-way latencies of small messages:\n", out);
  for (uint32_t g = 0; g < r->groups->count; g++) {
    const gb_group *group = &r->groups->group[g];
    (void)fprintf(out, "#   %s: %u host%s", p->cluster[g].name, (unsigned)group->hosts,
                  group->hosts == 1 ? "" : "s");
    if (group->hosts > 1) {
      (void)fputs(", within ", out);
      say_time(out, group->within);
    }
    if (group->apart > 0) {
      (void)fputs("; ", out);
      say_time(out, group->apart);
      (void)fprintf(out, " to the nearest other site (%s - %s)", p->host[group->inner].name,
                    p->host[group->outer].name);
    }
    (void)fputc('\n', out);
  }
  if (p->switch_count > 0)
    (void)fputs("# Switches were found from streams that ran at the same time. bandwidth: what the cable\n"
                "# to the uplink carried, or without an uplink the cable to the other switches. latency: the "
                "default.\n",
                out);
}

/* Names the sizes that were not measured, for each pair inside a site. */
static void write_left_out(const gb_probe_report *r, FILE *out) {
  for (uint32_t i = 0; i < r->task_count; i++) {
    const gb_probe_task *t = &r->task[i];
    const bool far = r->platform->host[t->host[0]].cluster != r->platform->host[t->host[1]].cluster;
    if (far || t->table.count >= r->size_count)
      continue;
    char size[GB_UNIT_TEXT];
    gb_write_size(size, r->size[t->table.count]);
    (void)fprintf(out, "# not measured in time: %s - %s, sizes from %s\n", r->platform->host[t->host[0]].name,
                  r->platform->host[t->host[1]].name, size);
  }
}

void gb_write_header(const gb_probe_report *r, FILE *out) {
  (void)fprintf(out, "# Written by gbcast-probe %s at %s: %d ranks, %.3g s", r->version, r->when, r->ranks,
                r->seconds);
  if (isfinite(r->budget))
    (void)fprintf(out, " of a budget of %.6g s", r->budget);
  (void)fputs(
      ".\n"
      "# gap: from floods of messages, timed by the sender. latency of plogp lines: RTT/2 - gap. os: a\n"
      "# blocking send. or: a receive of a message that has already arrived. Bandwidth of a link: the rate\n"
      "# at which a stream arrives, without its slow start. Values are medians unless gbcast-probe(1) says\n"
      "# otherwise; spread is the median distance from them.\n",
      out);
  if (r->groups != NULL)
    write_groups(r, out);
  (void)fputs(r->notes, out);
  write_left_out(r, out);
}
