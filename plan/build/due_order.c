/* The order in which a sender serves its children in a scatter. Each send keeps it busy for Delta and leaves
 * a tail: what is still to be done when the send is over. Children in the same other site also wait for each
 * other's blocks on the path to it:
 *
 *   tail = g - Delta + L + o + the child's own time + (bytes of later children of the site) / rate
 *
 * where rate is that of the path. Longest tail first is optimal (labeling/label.c). It ends at T, the latest
 * of all ends of sends plus tails. Any order in which each send is over by T minus its tail is as good; of
 * these, the order with the near children first serves them sooner, and no child later than T. It is found
 * from its end (Lawler, "Optimal sequencing of a single machine subject to precedence constraints", 1973): of
 * the sends that may be last, the one with the longest tail comes last.
 *
 *   longest tail first   |far|far|far|near|near|         the last near one ends at T
 *   this order           |near|far|far|far|near|         and so it does here
 *
 * It is used if the sender's own link is the limit. Otherwise the blocks for other sites go as early as they
 * can. */
#include "plan/build/due_order.h"
#include "plan/core/core.h"
#include "plan/sim/sim.h"
#include <stdlib.h>

typedef struct gb_send {
  uint32_t child, cluster, place;  /* place: position among the children in label order */
  double delta, path, alone, tail; /* s; path: L + o; alone: the tail without later children of the site */
} gb_send;

static int by_tail(const void *a, const void *b) {
  const gb_send *x = a, *y = b;
  if (x->tail != y->tail)
    return x->tail > y->tail ? -1 : 1;
  return x->place > y->place ? -1 : x->place < y->place;
}

/* Fills send[] with each child's tail, from the last child to the first. path: two zeros for each cluster,
 * and so it is left. */
static int find_tails(gb_planner *pl, const gb_schedule *schedule, const gb_tree *tree, uint32_t u,
                      const gb_edge *edge, const double *due, double *path, gb_send *send,
                      gbcast_error *err) {
  const gbcast_platform *p = pl->net.p;
  uint32_t first = tree->child_start[u], count = tree->child_start[u + 1] - first;
  uint32_t home = schedule->endpoint[u].host;
  int status = GBCAST_OK;
  for (uint32_t i = count; i-- > 0;) {
    uint32_t v = tree->child[first + i], host = schedule->endpoint[v].host, c = p->host[host].cluster;
    gb_cost cost = edge[v].cost[0];
    double alone = cost.gap - cost.delta + cost.tail + due[v], *behind = &path[2 * (size_t)c];
    send[i] = (gb_send){v, c, i, cost.delta, cost.tail, alone, alone};
    if (c == p->host[home].cluster)
      continue;
    if (behind[1] == 0) {
      status = gb_network_route(&pl->net, home, host, err);
      if (status != GBCAST_OK)
        break;
      behind[1] = gb_route_shared(&pl->net.route);
    }
    send[i].tail += behind[0] / behind[1];
    behind[0] += (double)edge[v].bytes;
  }
  for (uint32_t i = 0; status == GBCAST_OK && i < count; i++)
    path[2 * (size_t)send[i].cluster] = path[2 * (size_t)send[i].cluster + 1] = 0;
  return status;
}

/* When the last tail ends (s), with sends in the order of send[]. */
static double end_of(const gb_send *send, uint32_t count, double interleave) {
  double through = 0, end = 0;
  for (uint32_t i = 0; i < count; i++) {
    through += send[i].delta * interleave;
    end = gb_larger(end, through + send[i].tail);
  }
  return end;
}

/* The factor by which a sender goes slower than its link allows. If another link is the limit, near streams
 * would take bandwidth on this link from far streams that are still on their way. But all must still end in
 * time, and where everything takes only a few latencies there is nothing to gain. Evidence: docs/planning.md,
 * "Where the numbers come from". */
static double pace_of(const gb_send *send, uint32_t count) {
  /* the time over this link's at which another link is the limit; the largest pace; how much later all may
   * end */
  const double least = 1.05, most = 1.25, longer = 1.005;
  double busy = 0, nearest = send[0].path, farthest = 0, end = end_of(send, count, 1);
  for (uint32_t i = 0; i < count; i++) {
    busy += send[i].delta;
    nearest = send[i].path < nearest ? send[i].path : nearest;
    farthest = gb_larger(farthest, send[i].path);
  }
  if (busy <= 2 * farthest || end - nearest < least * busy)
    return 1;
  double pace = end - nearest < most * busy ? (end - nearest) / busy : most;
  return end_of(send, count, pace) <= longer * end ? pace : 1;
}

/* Sorts send[], and fills order with indices into it. may_be_last: memory for a stack. interleave: of
 * gb_flow. Returns when all tails have ended (s). */
static double sequence(gb_send *send, uint32_t count, double interleave, uint32_t *order,
                       uint32_t *may_be_last, double *pace) {
  qsort(send, count, sizeof *send, by_tail);
  double busy = 0, longest = 0, end = end_of(send, count, interleave);
  for (uint32_t i = 0; i < count; i++) {
    order[i] = i;
    busy += send[i].delta;
    longest = gb_larger(longest, send[i].alone);
  }
  *pace = interleave > 1 ? 1 : pace_of(send, count); /* several trees fill the link */
  if (interleave > 1 || *pace > 1 || end > busy + longest)
    return end;
  double through = busy;
  uint32_t next = count, last = 0;
  for (uint32_t at = count; at-- > 0;) {
    while (next > 0 && (last == 0 || through + send[next - 1].tail <= end))
      may_be_last[last++] = --next;
    order[at] = may_be_last[--last];
    through -= send[order[at]].delta;
  }
  return end;
}

static int by_site(const void *a, const void *b) {
  const gb_send *x = a, *y = b;
  if (x->cluster != y->cluster)
    return x->cluster < y->cluster ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* Puts the children into the order; those of one other site stay in label order among themselves. next: a
 * zero for each cluster, and so it is left. */
static void put(gb_send *send, uint32_t count, uint32_t home, const uint32_t *order, uint32_t *cluster,
                uint32_t *next, uint32_t *child) {
  for (uint32_t i = 0; i < count; i++) {
    cluster[i] = send[order[i]].cluster;
    child[i] = send[order[i]].child;
  }
  qsort(send, count, sizeof *send, by_site);
  for (uint32_t i = count; i-- > 0;)
    next[send[i].cluster] = i;
  for (uint32_t i = 0; i < count; i++)
    if (cluster[i] != home)
      child[i] = send[next[cluster[i]]++].child;
  for (uint32_t i = 0; i < count; i++)
    next[cluster[i]] = 0;
}

int gb_due_order(gb_planner *pl, gb_schedule *schedule, gb_tree *tree, double interleave, const gb_edge *edge,
                 gbcast_error *err) {
  const uint32_t n = schedule->endpoint_count, clusters = pl->net.p->cluster_count;
  uint32_t *upward = malloc(((size_t)n + 1) * sizeof *upward);
  double *due = calloc(n, sizeof *due); /* s: the label, with waits on paths to other sites */
  gb_send *send = malloc(n * sizeof *send);
  double *path = calloc(clusters, 2 * sizeof *path);
  uint32_t *order = malloc(2 * (size_t)n * sizeof *order), *next = calloc(clusters, sizeof *next);
  int status = upward && due && send && path && order && next ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK)
    gb_tree_order(tree, schedule->root, upward);
  for (uint32_t i = n; status == GBCAST_OK && i-- > 0;) {
    uint32_t u = upward[i], first = tree->child_start[u], count = tree->child_start[u + 1] - first;
    if (count == 0)
      continue;
    status = find_tails(pl, schedule, tree, u, edge, due, path, send, err);
    if (status != GBCAST_OK)
      break;
    due[u] = sequence(send, count, interleave, order, order + n, &schedule->pace); /* the root's */
    put(send, count, pl->net.p->host[schedule->endpoint[u].host].cluster, order, order + n, next,
        tree->child + first);
  }
  free(upward);
  free(due);
  free(send);
  free(path);
  free(order);
  free(next);
  return status;
}
