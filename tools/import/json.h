/* Documents in JSON, one or several in a file, such as a log that grows. */
#ifndef GB_TOOLS_IMPORT_JSON_H
#define GB_TOOLS_IMPORT_JSON_H

#include "tools/import/parts.h"
#include <jansson.h>

/* Adds samples from a document; `where` is its first line. */
typedef int gb_import_json_reader(gb_import *m, const json_t *document, const gb_place *where,
                                  gbcast_error *err);

int gb_import_json(gb_import *m, const char *file, const char *text, size_t length,
                   gb_import_json_reader *read, gbcast_error *err);

/* What is behind a path of keys, up to a NULL; NULL: it is not there. */
const json_t *gb_import_at(const json_t *document, const char *const *path);
const char *gb_import_text(const json_t *document, const char *const *path); /* or NULL */
double gb_import_number(const json_t *document, const char *const *path, double otherwise);

#define GB_IMPORT_PATH(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif
