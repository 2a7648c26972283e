/* A plan in JSON, read. */
#include "plan/show/saved_parts.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int read_schema(const gb_saved *s, gbcast_error *err) {
  static const char wanted[] = "gbcast-plan/1";
  const char *schema = NULL;
  gb_json_field field = {"schema", GB_JSON_A_TEXT, (void *)&schema, .required = true};
  int status = gb_json_fields(&s->document, s->document.value, &field, 1, err);
  if (status == GBCAST_OK && strcmp(schema, wanted) != 0)
    status = gb_json_fail(&s->document, field.value->where, err, "found the schema '%s', expected %s", schema,
                          wanted);
  return status;
}

static int read_operation(gb_saved *s, const gb_json_field *field, const char *name, gbcast_error *err) {
  const unsigned found = gb_operation_find(name);
  char names[GB_OPERATION_NAMES];
  if (found == GB_OPERATIONS)
    return gb_json_fail(&s->document, field->value->where, err, "found '%s', expected %s", name,
                        gb_operation_names(names));
  s->operation = (enum gbcast_operation)found;
  return GBCAST_OK;
}

static int read_hash(gb_saved *s, const gb_json *value, const char *text, gbcast_error *err) {
  char *end = NULL;
  if (text == NULL)
    return GBCAST_OK;
  s->hash = strtoull(text, &end, 16);
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    return gb_json_fail(&s->document, value->where, err,
                        "\"hash\": found '%s', expected 16 hexadecimal digits", text);
  return GBCAST_OK;
}

static int read_all(gb_saved *s, gbcast_error *err) {
  const char *operation = NULL, *root = NULL, *hash = NULL;
  const gb_json *clusters = NULL, *trees = NULL, *links = NULL, *candidates = NULL, *phases = NULL;
  enum { OPERATION, ROOT, HASH, CLUSTERS, TREES, LANES, NATIVE, RENDEZVOUS, PACE, INTER, RUN_END };
  gb_json_field field[] = {
      [OPERATION] = {"operation", GB_JSON_A_TEXT, (void *)&operation, .required = true},
      [ROOT] = {"root", GB_JSON_A_TEXT, (void *)&root, .required = false},
      [HASH] = {"hash", GB_JSON_A_TEXT, (void *)&hash, .required = false},
      [CLUSTERS] = {"clusters", GB_JSON_A_LIST, (void *)&clusters, .required = false},
      [TREES] = {"trees", GB_JSON_A_LIST, (void *)&trees, .required = false},
      [LANES] = {"lanes", GB_JSON_AN_INTEGER, &s->lanes, .required = false, .least = 1,
                 .most = GBCAST_LANES_MOST},
      [NATIVE] = {"native", GB_JSON_A_SWITCH, &s->native, .required = false},
      [RENDEZVOUS] = {"rendezvous", GB_JSON_A_SWITCH, &s->rendezvous, .required = false},
      [PACE] = {"pace", GB_JSON_A_TIME, &s->pace, .required = false},
      [INTER] = {"inter", GB_JSON_A_TEXT, (void *)&s->inter, .required = false},
      {"message_bytes", GB_JSON_AN_INTEGER, &s->bytes, .required = true, .most = (uint64_t)1 << 50},
      {"predicted_seconds", GB_JSON_A_TIME, &s->predicted, .required = true},
      {"lower_bound_seconds", GB_JSON_A_TIME, &s->bound, .required = false},
      {"links", GB_JSON_A_LIST, (void *)&links, .required = false},
      {"candidates", GB_JSON_A_LIST, (void *)&candidates, .required = false},
      {"algorithm", GB_JSON_A_TEXT, (void *)&s->algorithm, .required = false},
      {"sync", GB_JSON_A_TEXT, (void *)&s->sync, .required = false},
      {"phases", GB_JSON_A_LIST, (void *)&phases, .required = false},
  };
  int status = gb_json_fields(&s->document, s->document.value, field, COUNT(field), err);
  if (status == GBCAST_OK)
    status = read_operation(s, &field[OPERATION], operation, err);
  if (status == GBCAST_OK)
    status = read_hash(s, field[HASH].value, hash, err);
  if (status != GBCAST_OK || s->operation == GBCAST_ALLTOALL) {
    s->phases = phases != NULL ? phases->count : 0;
    return status;
  }
  for (int i = ROOT; i <= TREES; i++)
    if (field[i].value == NULL && i != HASH)
      return gb_json_fail(&s->document, s->document.value->where, err,
                          "found no \"%s\", which is needed here", field[i].key);
  for (int i = LANES; i < RUN_END; i++)
    gb_saved_need(s, &field[i]);
  s->root_where = field[ROOT].value->where;
  status = gb_saved_end_of(s, field[ROOT].value, root, &s->root, err);
  return status == GBCAST_OK ? gb_saved_trees(s, clusters, trees, links, candidates, err) : status;
}

int gb_saved_parse(const char *text, size_t length, const char *file, gb_saved *out, gbcast_error *err) {
  *out = (gb_saved){.pace = 1, .predicted = NAN, .bound = NAN};
  int status = gb_json_read(text, length, file, &out->document, err);
  if (status == GBCAST_OK)
    status = read_schema(out, err);
  if (status == GBCAST_OK)
    status = read_all(out, err);
  if (status != GBCAST_OK)
    gb_saved_release(out);
  free(out->document.value);
  out->document.value = NULL;
  return status;
}

int gb_saved_read(const char *path, gb_saved *out, gbcast_error *err) {
  const gb_place start = {path, 1, 1};
  char *text = NULL;
  size_t length = 0;
  int status = gb_read_file(path, &start, NULL, &text, &length, err);
  if (status == GBCAST_OK)
    status = gb_saved_parse(text, length, path, out, err);
  free(text);
  return status;
}

void gb_saved_release(gb_saved *saved) {
  for (uint32_t c = 0; c < saved->cluster_count; c++) {
    free(saved->cluster[c].leader);
    free(saved->cluster[c].lane);
  }
  for (uint32_t t = 0; t < saved->tree_count; t++)
    free(saved->tree[t].edge);
  free(saved->cluster);
  free(saved->tree);
  free(saved->link);
  free(saved->candidate);
  gb_json_release(&saved->document);
  *saved = (gb_saved){0};
}
