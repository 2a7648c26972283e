/* A plan in JSON, taken apart: its clusters, trees and candidates. */
#include "plan/show/saved_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST ((uint64_t)1 << 53) /* a double holds every integer up to here */
#define RANKS_MOST ((uint64_t)1 << 21)

int gb_saved_end_of(gb_saved *s, const gb_json *value, const char *text, gb_saved_end *out,
                    gbcast_error *err) {
  char *name = s->document.text + (text - s->document.text), *mark = strchr(name, '#');
  *out = (gb_saved_end){.host = name};
  if (mark == NULL)
    return GBCAST_OK;
  const char *c = mark + 1;
  for (; *c >= '0' && *c <= '9' && out->k < RANKS_MOST; c++)
    out->k = 10 * out->k + (uint64_t)(*c - '0');
  if (*c != '\0' || c == mark + 1)
    return gb_json_fail(&s->document, value->where, err, "found '%s', expected HOST or HOST#NUMBER", name);
  *mark = '\0';
  return GBCAST_OK;
}

typedef int read_element(gb_saved *s, const gb_json *value, void *to, gbcast_error *err);

/* Reads a list, unless it is not given or *status is not GBCAST_OK, which it sets. */
static void *read_list(gb_saved *s, const gb_json *list, size_t size, read_element *read, uint32_t *count,
                       int *status, gbcast_error *err) {
  *count = 0;
  if (*status != GBCAST_OK || list == NULL)
    return NULL;
  char *out = calloc((size_t)list->count + 1, size);
  if (out == NULL)
    *status = gb_no_memory(err);
  const gb_json *value = gb_json_at(&s->document, list->first);
  for (; *status == GBCAST_OK && value != NULL; value = gb_json_at(&s->document, value->next))
    *status = read(s, value, out + size * (*count)++, err);
  return out;
}

static int read_end(gb_saved *s, const gb_json *value, void *to, gbcast_error *err) {
  return value->kind == GB_JSON_STRING
             ? gb_saved_end_of(s, value, value->text, to, err)
             : gb_json_fail(&s->document, value->where, err, "expected a string, the name of a host");
}

void gb_saved_need(gb_saved *s, const gb_json_field *field) {
  if (field->value == NULL && s->missing == NULL)
    s->missing = field->key;
}

static int read_cluster(gb_saved *s, const gb_json *value, void *to, gbcast_error *err) {
  gb_saved_cluster *c = to;
  const gb_json *leaders = NULL, *lanes = NULL;
  *c = (gb_saved_cluster){.label = NAN, .latency = NAN, .bandwidth = NAN, .where = value->where};
  gb_json_field field[] = {
      {"lane_leaders", GB_JSON_A_LIST, (void *)&lanes, .required = false},
      {"label_seconds", GB_JSON_A_TIME, &c->label, .required = false},
      {"name", GB_JSON_A_TEXT, (void *)&c->name, .required = true},
      {"leaders", GB_JSON_A_LIST, (void *)&leaders, .required = true},
      {"hosts", GB_JSON_AN_INTEGER, &c->hosts, .required = true, .least = 1, .most = MOST},
      {"algorithm", GB_JSON_A_TEXT, (void *)&c->algorithm, .required = true},
      {"node_algorithm", GB_JSON_A_TEXT, (void *)&c->node, .required = false},
      {"latency_seconds", GB_JSON_A_TIME, &c->latency, .required = false},
      {"bandwidth_bytes_per_second", GB_JSON_A_TIME, &c->bandwidth, .required = false},
  };
  int status = gb_json_fields(&s->document, value, field, COUNT(field), err);
  c->leader = read_list(s, leaders, sizeof *c->leader, read_end, &c->leader_count, &status, err);
  c->lane = read_list(s, lanes, sizeof *c->lane, read_end, &c->lane_count, &status, err);
  gb_saved_need(s, &field[0]);
  gb_saved_need(s, &field[1]);
  return status;
}

static int read_level(const gb_saved *s, const gb_json *value, const char *text, enum gb_level *out,
                      gbcast_error *err) {
  for (unsigned i = 0; i < COUNT(gb_level_name); i++)
    if (strcmp(text, gb_level_name[i]) == 0) {
      *out = (enum gb_level)i;
      return GBCAST_OK;
    }
  return gb_json_fail(&s->document, value->where, err, "found '%s', expected wan, lan or node", text);
}

static int read_edge(gb_saved *s, const gb_json *value, void *to, gbcast_error *err) {
  gb_saved_edge *e = to;
  const char *from = NULL, *receiver = NULL, *level = NULL;
  uint64_t from_rank = 0, to_rank = 0;
  *e = (gb_saved_edge){.start = NAN, .arrival = NAN, .latency = NAN, .bandwidth = NAN, .where = value->where};
  gb_json_field field[] = {
      {"from", GB_JSON_A_TEXT, (void *)&from, .required = true},
      {"to", GB_JSON_A_TEXT, (void *)&receiver, .required = true},
      {"level", GB_JSON_A_TEXT, (void *)&level, .required = true},
      {"order", GB_JSON_AN_INTEGER, &e->order, .required = true, .least = 1, .most = RANKS_MOST},
      {"from_rank", GB_JSON_AN_INTEGER, &from_rank, .required = false, .most = RANKS_MOST},
      {"to_rank", GB_JSON_AN_INTEGER, &to_rank, .required = false, .most = RANKS_MOST},
      {"start_seconds", GB_JSON_A_TIME, &e->start, .required = false},
      {"arrival_seconds", GB_JSON_A_TIME, &e->arrival, .required = false},
      {"latency_seconds", GB_JSON_A_TIME, &e->latency, .required = false},
      {"bandwidth_bytes_per_second", GB_JSON_A_TIME, &e->bandwidth, .required = false},
  };
  int status = gb_json_fields(&s->document, value, field, COUNT(field), err);
  if (status == GBCAST_OK)
    status = gb_saved_end_of(s, field[0].value, from, &e->from, err);
  if (status == GBCAST_OK)
    status = gb_saved_end_of(s, field[1].value, receiver, &e->to, err);
  e->from.k += from_rank;
  e->to.k += to_rank;
  return status == GBCAST_OK ? read_level(s, field[2].value, level, &e->level, err) : status;
}

static int read_tree(gb_saved *s, const gb_json *value, void *to, gbcast_error *err) {
  gb_saved_tree *t = to;
  const gb_json *edges = NULL;
  *t = (gb_saved_tree){.where = value->where};
  gb_json_field field[] = {
      {"weight", GB_JSON_AN_INTEGER, &t->weight, .required = false, .least = 1, .most = 1u << 20},
      {"turn", GB_JSON_AN_INTEGER, &t->stage, .required = false, .most = GB_TREES_MOST},
      {"share", GB_JSON_A_TIME, &t->share, .required = true},
      {"segment_bytes", GB_JSON_AN_INTEGER, &t->segment, .required = true, .least = 1, .most = MOST},
      {"edges", GB_JSON_A_LIST, (void *)&edges, .required = true},
  };
  int status = gb_json_fields(&s->document, value, field, COUNT(field), err);
  gb_saved_need(s, &field[0]);
  t->edge = read_list(s, edges, sizeof *t->edge, read_edge, &t->edge_count, &status, err);
  return status;
}

static int read_candidate(gb_saved *s, const gb_json *value, void *to, gbcast_error *err) {
  gb_saved_candidate *c = to;
  *c = (gb_saved_candidate){.lanes = 1, .terms = {NAN, NAN, NAN}, .cost = {NAN, NAN}};
  gb_json_field field[] = {
      {"inter", GB_JSON_A_TEXT, (void *)&c->inter, .required = true},
      {"intra", GB_JSON_A_TEXT, (void *)&c->intra, .required = true},
      {"lanes", GB_JSON_AN_INTEGER, &c->lanes, .required = false, .least = 1, .most = GBCAST_LANES_MOST},
      {"segment_bytes", GB_JSON_AN_INTEGER, &c->segment, .required = true, .most = MOST},
      {"predicted_seconds", GB_JSON_A_TIME, &c->predicted, .required = true},
      {"start_up_seconds", GB_JSON_A_TIME, &c->terms.start_up, .required = false},
      {"pipeline_seconds", GB_JSON_A_TIME, &c->terms.pipeline, .required = false},
      {"delay_seconds", GB_JSON_A_TIME, &c->terms.delay, .required = false},
      {"egress_usd", GB_JSON_A_TIME, &c->cost.egress, .required = false},
      {"hire_usd", GB_JSON_A_TIME, &c->cost.hire, .required = false},
  };
  return gb_json_fields(&s->document, value, field, COUNT(field), err);
}

static int read_link(gb_saved *s, const gb_json *value, void *to, gbcast_error *err) {
  gb_saved_link *l = to;
  *l = (gb_saved_link){.stream = INFINITY, .window = INFINITY};
  gb_json_field field[] = {
      {"from", GB_JSON_A_TEXT, (void *)&l->from, .required = true},
      {"to", GB_JSON_A_TEXT, (void *)&l->to, .required = true},
      {"latency_seconds", GB_JSON_A_TIME, &l->latency, .required = true},
      {"bandwidth_bytes_per_second", GB_JSON_A_TIME, &l->bandwidth, .required = true},
      {"stream_bandwidth_bytes_per_second", GB_JSON_A_TIME, &l->stream, .required = false},
      {"initial_window_bytes", GB_JSON_A_TIME, &l->window, .required = false},
  };
  return gb_json_fields(&s->document, value, field, COUNT(field), err);
}

int gb_saved_trees(gb_saved *s, const gb_json *clusters, const gb_json *trees, const gb_json *links,
                   const gb_json *candidates, gbcast_error *err) {
  int status = GBCAST_OK;
  s->cluster = read_list(s, clusters, sizeof *s->cluster, read_cluster, &s->cluster_count, &status, err);
  s->tree = read_list(s, trees, sizeof *s->tree, read_tree, &s->tree_count, &status, err);
  s->link = read_list(s, links, sizeof *s->link, read_link, &s->link_count, &status, err);
  s->candidate =
      read_list(s, candidates, sizeof *s->candidate, read_candidate, &s->candidate_count, &status, err);
  if (status == GBCAST_OK && s->tree_count == 0)
    status = gb_json_fail(&s->document, trees->where, err, "found no tree");
  return status;
}
