/* A plan as one page of HTML, which is XML, too: its image, and every send or host in a table. The page needs
 * nothing from elsewhere. Its script (html.js) searches: what is left of the tables are rows that have the
 * host, or all that begin with or contain what is typed; its rows in the image are marked. Arrow keys go
 * through the rows that are left. Pointing at a bar tells its times at once. */
#include "plan/show/critical.h"
#include "plan/show/edges.h"
#include "plan/show/svg.h"

#include <math.h>
#include <stdlib.h>

#define ROWS_MOST 50000u /* in larger plans the table has one sender of each rank */

static const char head[] =
    "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'\"/>\n";

static const char style[] = ":root{color-scheme:light dark}"
                            "body{font:15px/1.4 sans-serif;margin:1rem auto;max-width:1240px;padding:0 "
                            "1rem;background:#fff;color:#1f2328}"
                            "svg{display:block;max-width:100%;height:auto}form{position:sticky;top:0;padding:"
                            ".5rem 0;background:inherit}"
                            "input{font:inherit;width:20em}table{border-collapse:collapse;margin:1rem "
                            "0}caption{font-weight:bold;white-space:nowrap;text-align:left}"
                            "th,td{text-align:left;padding:.1rem .8rem .1rem 0;border-bottom:1px solid "
                            "#8c959f80}td{font-family:monospace}p{white-space:pre-line}"
                            "td.found,tr.at td{background:#ffd33d80}"
                            "rect.found{fill:#ffd33d;fill-opacity:.25;stroke:#9a6700;pointer-events:none}"
                            "@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}}"
                            "@media print{form{display:none}tr{break-inside:avoid}}";

static const char script[] = {
#include "plan/show/html.inc"
};

static void begin_page(const gbcast_plan *plan, const char *summary, FILE *out) {
  const char *title = gb_operation_table[plan->operation].title;
  fprintf(out,
          "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n%s<title>%s "
          "planned by gbcast</title>\n<style>%s</style>\n</head>\n<body>\n<h1>%s planned by gbcast</h1>\n<p>",
          head, title, style, title);
  gb_xml_escape(summary, out);
  fprintf(out, "predicted %s, ", gb_text_seconds(plan->predicted).s);
  fprintf(out, "lower bound %s</p>\n", gb_text_seconds(plan->bound).s);
  if (!isnan(plan->cost.egress)) {
    fputs("<p>", out);
    gb_print_cost(plan, out);
    fputs("</p>\n", out);
  }
  fputs("<form role=\"search\" hidden=\"hidden\"><label>Find a host <input id=\"host\" type=\"search\" "
        "autocomplete=\"off\" spellcheck=\"false\" title=\"arrow keys go through what is found\"/></label> "
        "<output id=\"found\"></output></form>\n",
        out);
}

/* A table's beginning; title: of its columns, up to NULL. */
static void begin_table(const char *caption, const char *const *title, FILE *out) {
  fprintf(out, "<table>\n<caption>%s</caption>\n<thead><tr>", caption);
  for (; *title != NULL; title++)
    fprintf(out, "<th scope=\"col\">%s</th>", *title);
  fputs("</tr></thead>\n<tbody>\n", out);
}

/* A cell with the name of a host or site, and what stands behind it; where: its rows in the image. */
static void put_name(const char *name, const char *rest, gb_span where, FILE *out) {
  fputs("<td data-rows=\"", out);
  if (where.height > 0)
    fprintf(out, "%.1f %.1f", where.y, where.height);
  fputs("\">", out);
  gb_xml_escape(name, out);
  fprintf(out, "%s</td>", rest);
}

static void put_site(const gbcast_plan *plan, uint32_t site, FILE *out) {
  put_name(gb_plan_site_name(plan, site), "", (gb_span){0}, out);
}

static void put_rank(const gbcast_plan *plan, uint32_t e, const gb_span *span, FILE *out) {
  put_name(gb_plan_host_name(plan, e), gb_text_rank(plan, e, !gb_plan_is_alone(plan, e)).s, span[e], out);
}

static void put_cell(const char *text, FILE *out) {
  fputs("<td>", out);
  gb_xml_escape(text, out);
  fputs("</td>", out);
}

static void put_times(double start, double arrival, FILE *out) {
  put_cell(gb_text_seconds(start).s, out);
  put_cell(gb_text_seconds(arrival).s, out);
  fputs("</tr>\n", out);
}

static int put_sends(const gbcast_plan *plan, const gb_span *span, FILE *out) {
  static const char *const title[] = {"from", "to", "over", "trees", "start", "arrival", NULL};
  static const char *const over[] = {
      [GB_LEVEL_NODE] = "memory of the host", [GB_LEVEL_LAN] = "LAN", [GB_LEVEL_WAN] = "WAN"};
  gb_drawn_edges edges = {0};
  bool *critical = gb_critical_new(plan);
  int rc = critical == NULL ? GBCAST_EMEMORY : gb_edges_new(plan, NULL, critical, &edges);
  if (rc == GBCAST_OK && edges.count > ROWS_MOST)
    rc = gb_edges_keep_main(&edges, plan->schedule.endpoint_count);
  begin_table("What is sent", title, out);
  for (size_t i = 0; rc == GBCAST_OK && i < edges.count; i++) {
    const gb_drawn_edge *e = &edges.edge[i];
    const gb_text trees = gb_edge_trees(plan, e);
    fputs("<tr>", out);
    put_rank(plan, e->from, span, out);
    put_rank(plan, e->to, span, out);
    put_cell(over[e->level], out);
    put_cell(trees.s[0] != '\0' ? trees.s : "the tree", out);
    put_times(e->bar.start, e->bar.arrival, out);
  }
  if (edges.count == 0) { /* one rank */
    fputs("<tr>", out);
    put_rank(plan, plan->schedule.root, span, out);
    fputs("</tr>\n", out);
  }
  gb_edges_free(&edges);
  free(critical);
  return rc;
}

/* span: of hosts, site after site */
static void put_exchange(const gbcast_plan *plan, const gb_span *span, FILE *out) {
  static const char *const host[] = {"host", "cluster", "ranks", NULL};
  static const char *const transfer[] = {"from", "to", "lanes", "start", "arrival", NULL};
  const gb_alltoall *a = plan->alltoall;
  const gb_site_transfers *transfers = &a->transfers;
  begin_table("Hosts, each of which sends to all others", host, out);
  for (uint32_t s = 0; s < a->site_count; s++) {
    for (uint32_t m = 0; m < a->site[s].machines.count; m++) {
      fputs("<tr>", out);
      put_name(gb_alltoall_host_name(&a->site[s], m), "", *span++, out);
      put_site(plan, s, out);
      put_cell(gb_text_whole(a->site[s].ranks[m]).s, out);
      fputs("</tr>\n", out);
    }
  }
  if (transfers->count == 0)
    return;
  fputs("</tbody>\n</table>\n", out);
  begin_table("What clusters send to each other", transfer, out);
  for (uint32_t w = 0; w < transfers->count; w++) {
    const gb_site_transfer *t = &transfers->transfer[w];
    fputs("<tr>", out);
    put_site(plan, t->from, out);
    put_site(plan, t->to, out);
    put_cell(gb_text_whole(t->lanes).s, out);
    put_times(gb_transfer_start(transfers, t, plan->bytes), gb_transfer_arrival(transfers, t, plan->bytes),
              out);
  }
}

int gb_print_html(const gbcast_plan *plan, FILE *out) {
  char *text = gb_printed(plan, gb_print_head);
  gb_span *span = calloc(plan->schedule.endpoint_count, sizeof *span);
  int rc = text == NULL || span == NULL ? GBCAST_EMEMORY : GBCAST_OK;
  if (rc == GBCAST_OK) {
    begin_page(plan, text, out);
    rc = gb_draw(plan, span, out);
  }
  if (rc == GBCAST_OK && plan->alltoall != NULL)
    put_exchange(plan, span, out);
  else if (rc == GBCAST_OK)
    rc = put_sends(plan, span, out);
  if (rc == GBCAST_OK)
    fprintf(out, "</tbody>\n</table>\n<script>//<![CDATA[\n%s//]]></script>\n</body>\n</html>\n", script);
  free(span);
  free(text);
  return rc;
}
