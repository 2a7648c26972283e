/* Fills in the defaults and notes each one that was used: nothing is assumed in silence. */
#include "platform/parse.h"
#include "platform/text/text.h"

#include <stdarg.h>
#include <stdlib.h>

static int add_remark(gb_parser *q, gb_remarks *remarks, const char *format, va_list list) {
  gbcast_error told;
  (void)gb_vfail(&told, GBCAST_OK, format, list);
  char **line = gb_grow(remarks->line, remarks->count, &remarks->capacity, sizeof *line);
  if (line == NULL)
    return gb_source_no_memory(&q->source);
  remarks->line = line;
  line[remarks->count] = gb_arena_copy(&q->s->arena, told.message, strlen(told.message));
  if (line[remarks->count] == NULL)
    return gb_source_no_memory(&q->source);
  remarks->count++;
  return GBCAST_OK;
}

int gb_note(gb_parser *q, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int status = add_remark(q, &q->p->notes, format, list);
  va_end(list);
  return status;
}

int gb_warn(gb_parser *q, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int status = add_remark(q, &q->p->warnings, format, list);
  va_end(list);
  return status;
}

/* "FILE:LINE:COLUMN: what: default value used" */
static int note_default(gb_parser *q, const gb_place *at, const char *kind, const char *name,
                        const char *value) {
  return gb_note(q, "%s:%u:%u: %s %s: default %s", at->file, (unsigned)at->line, (unsigned)at->column, kind,
                 name, value);
}

static int note_cluster(gb_parser *q, uint32_t i) {
  const gb_cluster *c = &q->p->cluster[i];
  const gb_cluster_note *n = &q->cluster_note[i];
  int status = GBCAST_OK;
  if (n->line && !n->latency)
    status = note_default(q, &c->where, "cluster", c->name, "latency=50us");
  if (status == GBCAST_OK && n->line && !n->bandwidth)
    status = note_default(q, &c->where, "cluster", c->name, "bandwidth=1Gbit/s");
  if (status == GBCAST_OK && n->line && !n->overhead)
    status = note_default(q, &c->where, "cluster", c->name, "overhead=2us");
  if (status == GBCAST_OK && n->line && !n->contention)
    status = note_default(q, &c->where, "cluster", c->name, "contention=0.3");
  if (status == GBCAST_OK && (c->top_count > 1 || (c->top_count > 0 && c->has_loose_hosts)))
    status =
        gb_note(q, "%s:%u:%u: cluster %s: its %u switches without uplink%s are joined by an assumed core",
                c->where.file, (unsigned)c->where.line, (unsigned)c->where.column, c->name,
                (unsigned)c->top_count, c->has_loose_hosts ? " and its hosts on no switch" : "");
  return status;
}

static int fill_switch(gb_parser *q, gb_switch *s) {
  const gb_cluster *c = &q->p->cluster[s->cluster];
  char text[GB_UNIT_TEXT + 16];
  char value[GB_UNIT_TEXT];
  int status = GBCAST_OK;
  if (s->latency < 0) {
    s->latency = c->latency / 2 < GB_LEAST_TIME ? GB_LEAST_TIME : c->latency / 2;
    gb_write_time(value, s->latency);
    (void)snprintf(text, sizeof text, "latency=%s", value);
    status = note_default(q, &s->where, "switch", s->name, text);
  }
  if (status == GBCAST_OK && s->bandwidth < 0) {
    s->bandwidth = c->bandwidth;
    gb_write_rate(value, s->bandwidth);
    (void)snprintf(text, sizeof text, "bandwidth=%s", value);
    status = note_default(q, &s->where, "switch", s->name, text);
  }
  return status;
}

static int note_assumed(gb_parser *q) {
  const gbcast_platform *p = q->p;
  int status = GBCAST_OK;
  if (!q->s->cluster_lines)
    status = gb_note(
        q,
        "%s: no cluster line: hosts are in %u cluster%s by what follows the first dot of their names, "
        "each with latency=50us bandwidth=1Gbit/s overhead=2us",
        p->file, (unsigned)p->cluster_count, p->cluster_count == 1 ? "" : "s");
  if (status == GBCAST_OK && p->assumed_mesh && p->cluster_count > 1)
    status = gb_note(q,
                     "%s: no link line: every two clusters are joined by an assumed link, latency=10ms "
                     "bandwidth=1Gbit/s overhead=2us",
                     p->file);
  if (status == GBCAST_OK && q->default_slots > 0)
    status = gb_note(q, "%s: %u host%s without a count: default slots=1", p->file, (unsigned)q->default_slots,
                     q->default_slots == 1 ? "" : "s");
  return status;
}

int gb_build_notes(gb_parser *q) {
  gbcast_platform *p = q->p;
  int status = note_assumed(q);
  for (uint32_t i = 0; i < p->cluster_count && status == GBCAST_OK; i++)
    status = note_cluster(q, i);
  for (uint32_t i = 0; i < p->switch_count && status == GBCAST_OK; i++)
    status = fill_switch(q, &p->sw[i]);
  for (uint32_t i = 0; i < p->link_count && status == GBCAST_OK; i++) {
    gb_link *l = &p->link[i];
    if (l->overhead >= 0)
      continue;
    l->overhead = GB_DEFAULT_OVERHEAD;
    status =
        gb_note(q, "%s:%u:%u: link %s -> %s: default overhead=2us", l->where.file, (unsigned)l->where.line,
                (unsigned)l->where.column, p->cluster[l->from].name, p->cluster[l->to].name);
  }
  return status;
}
