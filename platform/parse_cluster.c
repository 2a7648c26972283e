/* cluster and switch lines, and the names that they and others mention. */
#include "platform/parse.h"

#include <math.h>
#include <string.h>

int gb_intern_cluster(gb_parser *q, const char *name, size_t length, const gb_place *where,
                      uint32_t *cluster) {
  gbcast_platform *p = q->p;
  bool is_new = false;
  *cluster = gb_names_add(&q->s->clusters, &q->s->arena, name, length, &is_new);
  if (*cluster == GB_NONE)
    return gb_source_no_memory(&q->source);
  if (!is_new)
    return GBCAST_OK;
  gb_cluster *clusters = gb_grow(p->cluster, p->cluster_count, &q->cluster_capacity, sizeof *clusters);
  if (clusters == NULL)
    return gb_source_no_memory(&q->source);
  p->cluster = clusters;
  gb_cluster_note *notes =
      gb_grow(q->cluster_note, p->cluster_count, &q->cluster_note_capacity, sizeof *notes);
  if (notes == NULL)
    return gb_source_no_memory(&q->source);
  q->cluster_note = notes;
  notes[p->cluster_count] = (gb_cluster_note){0};
  clusters[p->cluster_count++] = (gb_cluster){.name = (char *)q->s->clusters.key[*cluster].text,
                                              .leader = GB_NONE,
                                              .latency = GB_DEFAULT_LATENCY,
                                              .bandwidth = GB_DEFAULT_BANDWIDTH,
                                              .assumed_bandwidth = true,
                                              .overhead = GB_DEFAULT_OVERHEAD,
                                              .wan_bandwidth = INFINITY,
                                              .contention = GB_DEFAULT_CONTENTION,
                                              .where = *where};
  return GBCAST_OK;
}

int gb_intern_symbol(gb_parser *q, uint32_t cluster, const gb_lexeme *name, const gb_place *where,
                     uint32_t *symbol) {
  /* Two clusters may both have a switch s0: Slurm files often do. The cluster's number is part of the key. */
  char key[sizeof cluster + GB_MAX_NAME];
  memcpy(key, &cluster, sizeof cluster);
  memcpy(key + sizeof cluster, name->text, name->length);
  bool is_new = false;
  *symbol = gb_names_add(&q->switch_names, &q->s->arena, key, sizeof cluster + name->length, &is_new);
  if (*symbol == GB_NONE)
    return gb_source_no_memory(&q->source);
  if (!is_new)
    return GBCAST_OK;
  gb_symbol *symbols = gb_grow(q->symbols, q->symbol_count, &q->symbol_capacity, sizeof *symbols);
  if (symbols == NULL)
    return gb_source_no_memory(&q->source);
  q->symbols = symbols;
  symbols[q->symbol_count++] =
      (gb_symbol){.name = q->switch_names.key[*symbol].text + sizeof cluster, .sw = GB_NONE, .where = *where};
  return GBCAST_OK;
}

int gb_add_switch(gb_parser *q, uint32_t symbol, uint32_t cluster, const gb_place *where) {
  gbcast_platform *p = q->p;
  gb_switch *switches = gb_grow(p->sw, p->switch_count, &q->switch_capacity, sizeof *switches);
  if (switches == NULL)
    return gb_source_no_memory(&q->source);
  p->sw = switches;
  gb_switch_note *notes = gb_grow(q->switch_note, p->switch_count, &q->switch_note_capacity, sizeof *notes);
  if (notes == NULL)
    return gb_source_no_memory(&q->source);
  q->switch_note = notes;
  notes[p->switch_count] = (gb_switch_note){.uplink = GB_NONE};
  q->symbols[symbol].sw = p->switch_count;
  /* -1: not given; the cluster's value may come further down */
  switches[p->switch_count++] = (gb_switch){.name = (char *)q->symbols[symbol].name,
                                            .cluster = cluster,
                                            .uplink = GB_NONE,
                                            .bandwidth = -1,
                                            .latency = -1,
                                            .where = *where};
  return GBCAST_OK;
}

int gb_parse_cluster(gb_parser *q) {
  gb_source *s = &q->source;
  enum { LATENCY, BANDWIDTH, OVERHEAD, REDUCE, WAN, CONTENTION, EGRESS, HIRE, RELAY, LEADER, COUNT };
  gb_attribute a[COUNT] = {[LATENCY] = {"latency", GB_TIME, .number = GB_DEFAULT_LATENCY},
                           [BANDWIDTH] = {"bandwidth", GB_RATE, .number = GB_DEFAULT_BANDWIDTH},
                           [OVERHEAD] = {"overhead", GB_TIME_OR_ZERO, .number = GB_DEFAULT_OVERHEAD},
                           [REDUCE] = {"reduce", GB_TIME_OR_ZERO},
                           [WAN] = {"wan-bandwidth", GB_RATE, .number = INFINITY},
                           [CONTENTION] = {"contention", GB_FRACTION, .number = GB_DEFAULT_CONTENTION},
                           [EGRESS] = {"egress", GB_EGRESS},
                           [HIRE] = {"hire", GB_HIRE},
                           [RELAY] = {"relay", GB_FLAG},
                           [LEADER] = {"leader", GB_TEXT}};
  const gb_lexeme *name = &s->word[1];
  uint32_t cluster = GB_NONE;
  gb_place where = gb_lexeme_place(s, name);
  int status = gb_check_name(s, name, "cluster");
  if (status == GBCAST_OK)
    status = gb_intern_cluster(q, name->text, name->length, &where, &cluster);
  q->cluster = cluster; /* of the hosts below, whatever else is wrong with this line */
  q->symbol = GB_NONE;
  if (status == GBCAST_OK)
    status = gb_attributes(s, 2, a, COUNT);
  if (status != GBCAST_OK)
    return status;
  gb_cluster *c = &q->p->cluster[cluster];
  gb_cluster_note *n = &q->cluster_note[cluster];
  if (n->declared)
    return gb_expected(s, name, "each cluster declared once; line %u has it already",
                       (unsigned)c->where.line);
  *n = (gb_cluster_note){.declared = true,
                         .line = true,
                         .latency = a[LATENCY].given,
                         .bandwidth = a[BANDWIDTH].given,
                         .overhead = a[OVERHEAD].given,
                         .contention = a[CONTENTION].given,
                         .topology = n->topology,
                         .leader = a[LEADER].value};
  c->where = where;
  c->latency = a[LATENCY].number;
  c->bandwidth = a[BANDWIDTH].number;
  c->assumed_bandwidth = !a[BANDWIDTH].given;
  c->overhead = a[OVERHEAD].number;
  c->reduce = a[REDUCE].number;
  c->wan_bandwidth = a[WAN].number;
  c->contention = a[CONTENTION].number;
  c->egress = a[EGRESS].number;
  c->hire = a[HIRE].number;
  c->relay = a[RELAY].given;
  q->p->priced = q->p->priced || c->egress > 0 || c->hire > 0;
  return GBCAST_OK;
}

/* The cluster that a switch line names, or else that of the lines above. */
static int switch_cluster(gb_parser *q, const gb_lexeme *name, uint32_t *cluster) {
  gb_source *s = &q->source;
  *cluster = q->cluster;
  if (name->length == 0)
    return q->cluster == GB_NONE && q->s->cluster_lines
               ? gb_expected(s, &s->word[0], "a cluster line above it")
               : GBCAST_OK;
  if (!q->s->cluster_lines)
    return gb_expected(s, name,
                       "no cluster= here: in a file without cluster lines a switch belongs with its hosts");
  gb_place where = gb_lexeme_place(s, name);
  int status = gb_check_name(s, name, "cluster");
  return status != GBCAST_OK ? status : gb_intern_cluster(q, name->text, name->length, &where, cluster);
}

int gb_parse_switch(gb_parser *q) {
  gb_source *s = &q->source;
  enum { UPLINK, BANDWIDTH, LATENCY, CLUSTER, COUNT };
  gb_attribute a[COUNT] = {[UPLINK] = {"uplink", GB_TEXT},
                           [BANDWIDTH] = {"bandwidth", GB_RATE, .number = -1},
                           [LATENCY] = {"latency", GB_TIME, .number = -1},
                           [CLUSTER] = {"cluster", GB_TEXT}};
  const gb_lexeme *name = &s->word[1];
  gb_place where = gb_lexeme_place(s, name);
  uint32_t cluster = GB_NONE;
  uint32_t symbol = GB_NONE;
  uint32_t uplink = GB_NONE;
  int status = gb_check_name(s, name, "switch");
  if (status == GBCAST_OK)
    status = gb_attributes(s, 2, a, COUNT);
  if (status == GBCAST_OK)
    status = switch_cluster(q, &a[CLUSTER].value, &cluster);
  if (status == GBCAST_OK)
    status = gb_intern_symbol(q, cluster, name, &where, &symbol);
  if (status != GBCAST_OK)
    return status;
  if (q->symbols[symbol].sw != GB_NONE)
    return gb_expected(s, name, "each switch of a cluster declared once; line %u has it already",
                       (unsigned)q->p->sw[q->symbols[symbol].sw].where.line);
  gb_place uplink_at = gb_lexeme_place(s, &a[UPLINK].value);
  if (a[UPLINK].given) {
    status = gb_check_name(s, &a[UPLINK].value, "switch");
    if (status == GBCAST_OK)
      status = gb_intern_symbol(q, cluster, &a[UPLINK].value, &uplink_at, &uplink);
  }
  if (status == GBCAST_OK)
    status = gb_add_switch(q, symbol, cluster, &where);
  if (status != GBCAST_OK)
    return status;
  gb_switch *sw = &q->p->sw[q->p->switch_count - 1];
  sw->bandwidth = a[BANDWIDTH].number;
  sw->latency = a[LATENCY].number;
  q->switch_note[q->p->switch_count - 1] = (gb_switch_note){uplink, uplink_at};
  q->cluster = cluster;
  q->symbol = symbol;
  return GBCAST_OK;
}
