/* Reads platforms of SimGrid with expat. Entities are refused, so that no other file is read and no text
 * expands without limit. */
#include "tools/import/simgrid.h"
#include <stdlib.h>

enum { MOST_BYTES = 1 << 28 };

static void refuse_entity(void *context, const XML_Char *name, int is_parameter, const XML_Char *value,
                          int length, const XML_Char *base, const XML_Char *system, const XML_Char *public_id,
                          const XML_Char *notation) {
  (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public_id, (void)notation;
  gb_simgrid_wrong(context, name, "a platform without entities");
}

static int parse(gb_simgrid *x, const char *text, size_t length) {
  XML_SetUserData(x->parser, x);
  XML_SetElementHandler(x->parser, gb_simgrid_start, gb_simgrid_stop);
  XML_SetEntityDeclHandler(x->parser, refuse_entity);
  if (XML_Parse(x->parser, text, (int)length, XML_TRUE) == XML_STATUS_OK || x->status != GBCAST_OK)
    return x->status;
  const enum XML_Error error = XML_GetErrorCode(x->parser);
  const gb_place where = gb_simgrid_place(x);
  if (error == XML_ERROR_NO_MEMORY)
    return gb_no_memory(x->source.err);
  return gb_fail_at(x->source.err, &where, "expected valid XML: %s", XML_ErrorString(error));
}

int gb_import_simgrid(gb_import *m, const char *file, const char *text, size_t length, gbcast_error *err) {
  gb_simgrid x = {.m = m, .source = {.err = err, .file = file}, .zone = GB_NONE};
  const gb_place where = {file, 1, 1};
  if (length > MOST_BYTES)
    return gb_fail_at(err, &where, "found %zu bytes, expected %d at most", length, MOST_BYTES);
  x.parser = XML_ParserCreate(NULL);
  int status = x.parser == NULL ? gb_no_memory(err) : parse(&x, text, length);
  if (x.parser != NULL)
    XML_ParserFree(x.parser);
  if (status == GBCAST_OK)
    status = gb_simgrid_make_sites(&x);
  gb_names_release(&x.nodes);
  gb_names_release(&x.links);
  free(x.node);
  free(x.link);
  free(x.edge);
  return status;
}
