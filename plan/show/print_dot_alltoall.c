/* An all-to-all as a graph for Graphviz. All hosts send to all, so one cluster is drawn as its cables, with
 * the messages that cross each; several as who sends to whom in how many lanes. */
#include "plan/show/dot.h"

#include <inttypes.h>
#include <stdlib.h>

enum { HOSTS_DRAWN = 64, TRANSFERS_DRAWN = 40 };

/* Messages across the cable above a node, in each direction. */
static uint64_t crossing(const gb_alltoall_site *site, uint32_t node) {
  const gb_switch_order *order = &site->machines.order;
  const uint64_t below = order->end[node] - order->first[node];
  return below * (site->machines.count - below);
}

static void put_switch(const gb_alltoall_site *site, uint32_t node, FILE *out) {
  const gb_switch_order *order = &site->machines.order;
  const uint32_t sw = order->sw[node];
  uint32_t hosts = 0;
  for (uint32_t place = order->first[node]; place < order->end[node] && order->node[place] == node; place++)
    hosts++;
  fprintf(out, "  s%" PRIu32 " [shape=ellipse, fillcolor=\"#dfe6ee\", label=\"", node);
  gb_dot_escape(sw == GB_NONE ? "core" : site->machines.p->sw[sw].name, out);
  if (hosts > 0)
    fprintf(out, "\\n%s", gb_text_count(hosts, "host").s);
  fputs("\"];\n", out);
}

static void put_cable(const gb_alltoall_site *site, uint32_t node, FILE *out) {
  uint64_t most = 0;
  for (uint32_t v = 1; v < site->machines.order.node_count; v++)
    most = crossing(site, v) > most ? crossing(site, v) : most;
  const uint64_t mine = crossing(site, node);
  fprintf(out, "  s%" PRIu32 " -> s%" PRIu32 " [dir=both, label=\"%s each way\", %s%s];\n",
          site->machines.order.from[node], node, gb_text_count(mine, "message").s, gb_dot_level[GB_LEVEL_LAN],
          mine == most ? gb_dot_critical : "");
}

static void put_cables(const gb_alltoall_site *site, FILE *out) {
  const gb_switch_order *order = &site->machines.order;
  for (uint32_t v = 0; v < order->node_count; v++) {
    if (order->end[v] > order->first[v]) { /* some host needs it */
      put_switch(site, v, out);
      if (v > 0)
        put_cable(site, v, out);
    }
  }
  for (uint32_t place = 0; order->count <= HOSTS_DRAWN && place < order->count; place++) {
    fprintf(out, "  h%" PRIu32 " [label=\"", place);
    gb_dot_escape(gb_alltoall_host_name(site, order->host[place]), out);
    fprintf(out,
            "\"];\n  s%" PRIu32 " -> h%" PRIu32 " [dir=both, %s, tooltip=\"%" PRIu32
            " messages each way\"];\n",
            order->node[place], place, gb_dot_level[GB_LEVEL_LAN], order->count - 1);
  }
}

static int put_transfers(const gbcast_plan *plan, FILE *out) {
  const gb_site_transfers *transfers = &plan->alltoall->transfers;
  const uint32_t drawn = transfers->count < TRANSFERS_DRAWN ? transfers->count : TRANSFERS_DRAWN;
  gb_timed_transfer *list = gb_transfers_last_first(transfers, &plan->bytes);
  if (list == NULL)
    return GBCAST_EMEMORY;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    fprintf(out, "  c%" PRIu32 " [label=\"", s);
    gb_dot_escape(gb_plan_site_name(plan, s), out);
    fprintf(out, "\\n%s\"];\n", gb_text_count(plan->site[s].hosts, "host").s);
  }
  for (uint32_t i = 0; i < drawn; i++) {
    const gb_site_transfer *t = list[i].transfer;
    fprintf(out, "  c%" PRIu32 " -> c%" PRIu32 " [label=\"%s\\n%s \u2013 %s\", %s%s];\n", t->from, t->to,
            gb_text_count(t->lanes, "lane").s,
            gb_text_seconds(gb_transfer_start(transfers, t, plan->bytes)).s,
            gb_text_seconds(list[i].arrival).s, gb_dot_level[GB_LEVEL_WAN], i == 0 ? gb_dot_critical : "");
  }
  if (drawn < transfers->count) {
    fprintf(out,
            "  more [shape=plaintext, label=\"%" PRIu32
            " further ways are not drawn: there, all is there no later\"];\n",
            transfers->count - drawn);
  }
  free(list);
  return GBCAST_OK;
}

int gb_print_alltoall_dot(const gbcast_plan *plan, FILE *out) {
  int rc = gb_dot_begin(plan, out);
  if (rc == GBCAST_OK && plan->site_count > 1)
    rc = put_transfers(plan, out);
  else if (rc == GBCAST_OK)
    put_cables(plan->alltoall->site, out);
  fputs("}\n", out);
  return rc;
}
