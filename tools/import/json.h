/* Reads files with one or several JSON documents, one after another, such as a log. */
#ifndef GB_TOOLS_IMPORT_JSON_H
#define GB_TOOLS_IMPORT_JSON_H

#include "tools/import/parts.h"
#include <jansson.h>

/* Adds samples from one document; `where` is its first line. */
typedef int gb_import_json_reader(gb_import *m, const json_t *document, const gb_place *where,
                                  gbcast_error *err);

/* Calls `read` for each document in the text. GBCAST_EINPUT: no JSON; GBCAST_EMEMORY; what `read` returns. */
int gb_import_json(gb_import *m, const char *file, const char *text, size_t length,
                   gb_import_json_reader *read, gbcast_error *err);

/* The value at a path of keys, which ends with NULL. If there is none, or it has another type: NULL, NULL,
 * and `otherwise`. */
const json_t *gb_import_at(const json_t *document, const char *const *path);
const char *gb_import_text(const json_t *document, const char *const *path);
double gb_import_number(const json_t *document, const char *const *path, double otherwise);

#define GB_IMPORT_PATH(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif
