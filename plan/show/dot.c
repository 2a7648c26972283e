/* Pieces of a graph in Graphviz's language. */
#include "plan/show/dot.h"
#include "platform/text/text.h"

#include <stdlib.h>

const char *const gb_dot_level[GB_LEVELS] = {[GB_LEVEL_NODE] = "color=\"#2c8a48\"",
                                             [GB_LEVEL_LAN] = "color=\"#2a6fc0\"",
                                             [GB_LEVEL_WAN] = "color=\"#b86200\""};
const char gb_dot_critical[] = ", penwidth=3.5, fontcolor=\"#d1105a\"";

/* Graphviz knows the entities of HTML. Bytes that are no UTF-8 are written as in JSON. */
void gb_dot_escape(const char *s, FILE *out) {
  while (*s != '\0') {
    size_t n = gb_utf8_length(s, 4);
    if (n == 0) {
      fprintf(out, "&#%u;", (unsigned char)*s);
      n = 1;
    } else if (*s == '&') {
      fputs("&amp;", out);
    } else if (*s == '\n') {
      fputs("\\l", out); /* and the line is flush left */
    } else if (*s == '"' || *s == '\\') {
      fprintf(out, "\\%c", *s);
    } else {
      fwrite(s, 1, n, out);
    }
    s += n;
  }
}

int gb_dot_begin(const gbcast_plan *plan, FILE *out) {
  char *text = gb_printed(plan, gb_print_head), *cost = gb_printed(plan, gb_print_cost);
  if (text == NULL || cost == NULL) {
    free(text);
    free(cost);
    return GBCAST_EMEMORY;
  }
  fputs("digraph plan {\n  label=\"", out);
  gb_dot_escape(text, out);
  fprintf(out, "predicted %s, ", gb_text_seconds(plan->predicted).s);
  fprintf(out, "lower bound %s\\l", gb_text_seconds(plan->bound).s);
  gb_dot_escape(cost, out);
  fputs(
      "\";\n  labelloc=t; labeljust=l; rankdir=LR; fontname=\"sans-serif\"; nodesep=0.15; ranksep=0.9;\n"
      "  node [shape=box, style=filled, fillcolor=white, fontname=\"monospace\", fontsize=11, height=0.3];\n"
      "  edge [fontname=\"sans-serif\", fontsize=9, arrowsize=0.7];\n",
      out);
  free(text);
  free(cost);
  return GBCAST_OK;
}
