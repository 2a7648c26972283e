/* A plan as one page of HTML: its image, and every send or host in a table. */
#include "plan/show/critical.h"
#include "plan/show/edges.h"
#include "plan/show/html.h"
#include "plan/show/print_alltoall.h"

#include <inttypes.h>
#include <stdlib.h>

#define ROWS_MOST 50000u /* in larger plans the table has one sender of each rank */

static void put_rank(const gbcast_plan *plan, uint32_t e, const gb_span *span, FILE *out) {
  const gb_endpoint *mine = &plan->schedule.endpoint[e];
  const bool alone = (e == 0 || mine[-1].host != mine->host) &&
                     (e + 1 == plan->schedule.endpoint_count || mine[1].host != mine->host);
  gb_html_name(gb_plan_host_name(plan, e), alone ? GB_NONE : mine->k, span[e], out);
}

static void put_times(double start, double arrival, FILE *out) {
  gb_html_cell(gb_text_seconds(start).s, out);
  gb_html_cell(gb_text_seconds(arrival).s, out);
  fputs("</tr>\n", out);
}

static int put_sends(const gbcast_plan *plan, const gb_span *span, FILE *out) {
  static const char *const title[] = {"from", "to", "over", "trees", "start", "arrival", NULL};
  static const char *const over[] = {
      [GB_LEVEL_NODE] = "memory of the host", [GB_LEVEL_LAN] = "LAN", [GB_LEVEL_WAN] = "WAN"};
  const uint32_t endpoints = plan->schedule.endpoint_count;
  gb_drawn_edges edges = {0};
  bool *critical = calloc(endpoints, plan->schedule.tree_count * sizeof *critical);
  int rc = critical == NULL ? GBCAST_EMEMORY : GBCAST_OK;
  if (rc == GBCAST_OK) {
    (void)gb_critical_path(plan, critical);
    rc = gb_edges_new(plan, NULL, critical, &edges);
  }
  if (rc == GBCAST_OK && edges.count > ROWS_MOST) {
    rc = gb_edges_keep_main(&edges, endpoints);
  }
  gb_html_table("What is sent", title, out);
  for (size_t i = 0; rc == GBCAST_OK && i < edges.count; i++) {
    const gb_drawn_edge *e = &edges.edge[i];
    const gb_name trees = gb_edge_trees(plan, e);
    fputs("<tr>", out);
    put_rank(plan, e->from, span, out);
    put_rank(plan, e->to, span, out);
    gb_html_cell(over[e->level], out);
    gb_html_cell(trees.s[0] != '\0' ? trees.s : "the tree", out);
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
static int put_exchange(const gbcast_plan *plan, const gb_span *span, FILE *out) {
  static const char *const host[] = {"host", "cluster", "ranks", NULL};
  static const char *const transfer[] = {"from", "to", "lanes", "start", "arrival", NULL};
  const gb_alltoall *a = plan->alltoall;
  const gb_site_transfers *transfers = &a->transfers;
  const gb_span nowhere = {0};
  char number[16];
  gb_html_table("Hosts, each of which sends to all others", host, out);
  for (uint32_t s = 0; s < a->site_count; s++) {
    for (uint32_t m = 0; m < a->site[s].machines.count; m++) {
      fputs("<tr>", out);
      gb_html_name(gb_alltoall_host_name(&a->site[s], m), GB_NONE, *span++, out);
      gb_html_name(gb_plan_site_name(plan, s), GB_NONE, nowhere, out);
      (void)snprintf(number, sizeof number, "%" PRIu32, a->site[s].ranks[m]);
      gb_html_cell(number, out);
      fputs("</tr>\n", out);
    }
  }
  if (transfers->count == 0) {
    return GBCAST_OK;
  }
  fputs("</tbody>\n</table>\n", out);
  gb_html_table("What clusters send to each other", transfer, out);
  for (uint32_t w = 0; w < transfers->count; w++) {
    const gb_site_transfer *t = &transfers->transfer[w];
    fputs("<tr>", out);
    gb_html_name(gb_plan_site_name(plan, t->from), GB_NONE, nowhere, out);
    gb_html_name(gb_plan_site_name(plan, t->to), GB_NONE, nowhere, out);
    (void)snprintf(number, sizeof number, "%" PRIu32, t->lanes);
    gb_html_cell(number, out);
    put_times(gb_transfer_start(transfers, t, plan->bytes), gb_transfer_arrival(transfers, t, plan->bytes),
              out);
  }
  return GBCAST_OK;
}

typedef void head_printer(const gbcast_plan *plan, FILE *out);
typedef int image_printer(const gbcast_plan *plan, gb_span *span, FILE *out);
typedef int table_printer(const gbcast_plan *plan, const gb_span *span, FILE *out);

static int print_page(const gbcast_plan *plan, head_printer *head, image_printer *image, table_printer *table,
                      FILE *out) {
  char *text = gb_printed(plan, head);
  gb_span *span = calloc(plan->schedule.endpoint_count, sizeof *span);
  int rc = text == NULL || span == NULL ? GBCAST_EMEMORY : GBCAST_OK;
  if (rc == GBCAST_OK) {
    gb_html_begin(plan, text, out);
    rc = image(plan, span, out);
  }
  if (rc == GBCAST_OK) {
    rc = table(plan, span, out);
    gb_html_end(out);
  }
  free(span);
  free(text);
  return rc;
}

int gb_print_html(const gbcast_plan *plan, FILE *out) {
  return print_page(plan, gb_print_head, gb_draw, put_sends, out);
}

int gb_print_alltoall_html(const gbcast_plan *plan, FILE *out) {
  return print_page(plan, gb_print_alltoall_head, gb_draw_alltoall, put_exchange, out);
}
