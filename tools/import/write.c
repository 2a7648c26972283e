/* Writes an import as a hosts file. Hosts are below the lines of their cluster and switch. */
#include "tools/import/parts.h"
#include <math.h>
#include <stdlib.h>

typedef struct gb_import_writer {
  const gb_import *m;
  FILE *out;
  uint32_t *order; /* hosts: first those on no switch, by site; then those on switches, by switch */
  uint32_t *start; /* where each group of hosts begins (group_of); at last the end */
} gb_import_writer;

/* Rounds to 12 digits: sums of the input's numbers have more digits than the numbers. */
static double round_value(double value) {
  char text[GB_UNIT_TEXT];
  (void)snprintf(text, sizeof text, "%.12g", value);
  return strtod(text, NULL);
}

/* s; a hosts file cannot have a latency of 0 */
#define LEAST_LATENCY 1e-9

static void write_latency(FILE *out, double latency) {
  if (latency >= 0)
    gb_print_time(out, "latency", fmax(round_value(latency), LEAST_LATENCY));
}

static void write_rate(FILE *out, const char *key, double rate) {
  if (rate > 0)
    gb_print_rate(out, key, round_value(rate));
}

static void write_origin(const gb_place *where, double latency, FILE *out) {
  (void)fputs("  # ", out);
  gb_print_quoted(where->file, strlen(where->file), out);
  (void)fprintf(out, ":%u%s\n", (unsigned)where->line,
                latency >= 0 && latency < LEAST_LATENCY ? "; no latency, written as 1ns" : "");
}

static void write_hosts(const gb_import_writer *x, uint32_t group) {
  for (uint32_t i = x->start[group]; i < x->start[group + 1];)
    i += gb_import_write_run(x->m, x->order + i, x->start[group + 1] - i, x->out);
}

static void write_switch(const gb_import_writer *x, uint32_t sw) {
  const gb_import_switch *s = &x->m->sw[sw];
  (void)fprintf(x->out, "switch %s", s->name);
  if (s->uplink != GB_NONE)
    (void)fprintf(x->out, " uplink=%s", x->m->sw[s->uplink].name);
  write_rate(x->out, "bandwidth", s->bandwidth);
  write_latency(x->out, s->latency);
  write_origin(&s->where, s->latency, x->out);
  write_hosts(x, x->m->site_count + sw);
}

static void write_site(const gb_import_writer *x, uint32_t site) {
  const gb_import_site *s = &x->m->site[site];
  (void)fprintf(x->out, "\ncluster %s", s->name);
  write_latency(x->out, s->latency);
  write_rate(x->out, "bandwidth", s->bandwidth);
  write_rate(x->out, "wan-bandwidth", s->wan_bandwidth);
  write_origin(&s->where, s->latency, x->out);
  write_hosts(x, site);
}

/* Writes sites and switches; the switches are in the order of their sites. */
static void write_sites(const gb_import_writer *x) {
  uint32_t sw = 0;
  for (uint32_t s = 0; s < x->m->site_count; s++) {
    const bool used = x->m->site[s].hosts > 0;
    if (used)
      write_site(x, s);
    for (; sw < x->m->switch_count && x->m->sw[sw].site == s; sw++)
      if (used)
        write_switch(x, sw);
  }
}

static void write_links(const gb_import *m, FILE *out) {
  for (uint32_t i = 0; i < m->link_count; i++) {
    const gb_import_link *l = &m->link[i];
    if (m->site[l->from].hosts == 0 || m->site[l->to].hosts == 0)
      continue;
    (void)fprintf(out, "%slink %s %s%s", i == 0 ? "\n" : "", m->site[l->from].name, l->both ? "" : "-> ",
                  m->site[l->to].name);
    write_latency(out, l->latency);
    write_rate(out, "bandwidth", l->bandwidth);
    write_origin(&l->where, l->latency, out);
  }
}

/* Writes a comment on what the input does not say, and how to measure it. */
static void write_missing(const gb_import *m, FILE *out) {
  bool latency = false, bandwidth = false;
  for (uint32_t s = 0; s < m->site_count; s++) {
    latency |= m->site[s].hosts > 1 && m->site[s].latency < 0;
    bandwidth |= m->site[s].hosts > 1 && m->site[s].bandwidth < 0;
  }
  if (latency || bandwidth)
    (void)fprintf(out,
                  "# The input does not say %s%s%s. Defaults are used; to measure: 'mpiexec -ppn 1 -f FILE "
                  "gbcast-probe --merge=FILE'.\n",
                  latency ? "latency" : "", latency && bandwidth ? " and " : "",
                  bandwidth ? "bandwidth" : "");
}

/* Groups are the sites (hosts on no switch), and then the switches. */
static uint32_t group_of(const gb_import *m, const gb_import_host *h) {
  return h->sw == GB_NONE ? h->site : m->site_count + h->sw;
}

static int sort_hosts(gb_import_writer *x, gbcast_error *err) {
  const gb_import *m = x->m;
  const size_t groups = (size_t)m->site_count + m->switch_count;
  x->order = malloc(sizeof *x->order * m->host_count);
  x->start = calloc(groups + 2, sizeof *x->start);
  if (x->order == NULL || x->start == NULL)
    return gb_no_memory(err);
  for (uint32_t h = 0; h < m->host_count; h++)
    x->start[group_of(m, &m->host[h]) + 2]++;
  for (size_t g = 0; g < groups; g++)
    x->start[g + 2] += x->start[g + 1];
  for (uint32_t h = 0; h < m->host_count; h++)
    x->order[x->start[group_of(m, &m->host[h]) + 1]++] = h;
  return GBCAST_OK;
}

int gb_import_write(const gb_import *m, const char *format, char *const *files, FILE *out,
                    gbcast_error *err) {
  gb_import_writer x = {.m = m, .out = out};
  int status = m->host_count > 0 ? sort_hosts(&x, err) : GBCAST_OK;
  if (status == GBCAST_OK) {
    (void)fprintf(out, "# Imported from %s:", format);
    for (; *files != NULL; files++) {
      (void)fputc(' ', out);
      gb_print_quoted(*files, strlen(*files), out);
    }
    (void)fputc('\n', out);
  }
  if (status == GBCAST_OK && m->host_count > 0) {
    write_missing(m, out);
    write_sites(&x);
    write_links(m, out);
  }
  if (status == GBCAST_OK && m->sample_count > 0)
    gb_import_write_samples(m, out);
  free(x.order);
  free(x.start);
  return status;
}
