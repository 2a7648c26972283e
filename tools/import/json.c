/* Reads JSON documents with jansson. */
#include "tools/import/json.h"

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Reads the document at `text`. *used: its length in bytes. */
static int read_document(gb_import *m, const gb_place *where, const char *text, size_t length, size_t *used,
                         gb_import_json_reader *read, gbcast_error *err) {
  json_error_t wrong;
  json_t *document = json_loadb(text, length, JSON_DISABLE_EOF_CHECK, &wrong);
  if (document == NULL) {
    const bool first = wrong.line <= 1;
    const gb_place at = {where->file, where->line + (uint32_t)(first ? 0 : wrong.line - 1),
                         (uint32_t)(wrong.column > 0 ? wrong.column : 1)};
    return json_error_code(&wrong) == json_error_out_of_memory
               ? gb_no_memory(err)
               : gb_fail_at(err, &at, "expected valid JSON: %s", wrong.text);
  }
  *used = (size_t)wrong.position;
  const int status = read(m, document, where, err);
  json_decref(document);
  return status;
}

int gb_import_json(gb_import *m, const char *file, const char *text, size_t length,
                   gb_import_json_reader *read, gbcast_error *err) {
  gb_place where = {file, 1, 1};
  for (size_t at = 0;;) {
    for (; at < length && is_blank(text[at]); at++)
      where.line += text[at] == '\n';
    if (at == length)
      return GBCAST_OK;
    size_t used = 0;
    const int status = read_document(m, &where, text + at, length - at, &used, read, err);
    if (status != GBCAST_OK)
      return status;
    for (size_t end = at + used; at < end && at < length; at++)
      where.line += text[at] == '\n';
  }
}

const json_t *gb_import_at(const json_t *document, const char *const *path) {
  for (; document != NULL && *path != NULL; path++)
    document = json_object_get(document, *path);
  return document;
}

const char *gb_import_text(const json_t *document, const char *const *path) {
  return json_string_value(gb_import_at(document, path));
}

double gb_import_number(const json_t *document, const char *const *path, double otherwise) {
  const json_t *value = gb_import_at(document, path);
  return json_is_number(value) ? json_number_value(value) : otherwise;
}
