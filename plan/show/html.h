/* Pieces of a page of HTML, which is XML, too. */
#ifndef GB_PLAN_SHOW_HTML_H
#define GB_PLAN_SHOW_HTML_H

#include "plan/show/svg.h"

void gb_html_begin(const gbcast_plan *plan, const char *summary, FILE *out); /* up to the image */
void gb_html_end(FILE *out);                                                 /* from the end of a table */

/* A table's beginning; title: of its columns, up to NULL. */
void gb_html_table(const char *caption, const char *const *title, FILE *out);

/* A cell with the name of a host or site, whose rows in the image are there; k: its rank's number, or
 * GB_NONE. */
void gb_html_name(const char *name, uint32_t k, gb_span where, FILE *out);
void gb_html_cell(const char *text, FILE *out);

#endif
