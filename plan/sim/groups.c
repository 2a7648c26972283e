/* Which senders must be walked together, in the order of time.
 *
 * A sender depends on those who feed it, and on those with whom it shares a link in both directions: who
 * comes first there is first served. The strongly connected components of that graph are the groups; most are
 * single senders, or the senders of one site.
 *
 *   a --feeds--> b <==shares a link==> c --feeds--> d         groups {a} {b, c} {d}
 *
 * Found by Tarjan's depth-first search ("Depth-first search and linear graph algorithms", 1972), without
 * recursion. It closes a group after all that depend on it, so the list is filled from its end. */
#include "plan/sim/groups.h"
#include <stdlib.h>

typedef struct gb_dependencies { /* edges of u: to[start[u]] .. to[start[u + 1] - 1] */
  uint32_t *start, *to;
} gb_dependencies;

typedef struct gb_components {
  gb_traffic *traffic;
  const gb_dependencies *graph;
  uint32_t *number, *low; /* n: in the order of discovery, from 1; the least that is reached from below */
  uint32_t *next;         /* n: edge to be followed */
  uint32_t *path, *open;  /* n: stacks: the way from the start; found, but in no group yet */
  uint32_t depth, open_count, found, groups, free_end;
} gb_components;

static bool sends(const gb_tree *tree, uint32_t u) {
  return tree->child_start[u] < tree->child_start[u + 1];
}

static bool is_sender(const gb_schedule *schedule, uint32_t u) {
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    if (sends(&schedule->tree[t], u))
      return true;
  return false;
}

/* ring[i]: the sender of the next use of the same queue, around, so that all of them reach each other. */
static int link_queues(const gb_schedule *schedule, const gb_traffic *traffic, uint32_t *ring,
                       gbcast_error *err) {
  uint32_t *last = calloc((size_t)traffic->link_count + 1, sizeof *last); /* use of each queue, from 1 */
  uint32_t *first = calloc((size_t)traffic->link_count + 1, sizeof *first);
  int status = last && first ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t t = 0; status == GBCAST_OK && t < schedule->tree_count; t++)
    for (uint32_t v = 0; v < schedule->endpoint_count; v++) {
      const gb_edge *edge = &traffic->edge[t][v];
      uint32_t u = schedule->tree[t].parent[v];
      for (uint32_t i = edge->use_start; u != GB_NONE && i < edge->use_start + edge->use_count; i++) {
        uint32_t queue = traffic->use[i].link;
        if (last[queue] == 0)
          first[queue] = u;
        else
          ring[last[queue] - 1] = u;
        last[queue] = i + 1;
        ring[i] = first[queue];
      }
    }
  free(first);
  free(last);
  return status;
}

static uint32_t add(gb_dependencies *graph, uint32_t at, uint32_t v) {
  graph->to[at] = v;
  return at + 1;
}

static int make_graph(const gb_schedule *schedule, const gb_traffic *traffic, gb_dependencies *graph,
                      gbcast_error *err) {
  size_t most = (size_t)schedule->endpoint_count * schedule->tree_count + traffic->use_count;
  uint32_t *ring = malloc(((size_t)traffic->use_count + 1) * sizeof *ring), at = 0;
  graph->start = malloc(((size_t)schedule->endpoint_count + 1) * sizeof *graph->start);
  graph->to = malloc(most * sizeof *graph->to);
  int status =
      ring && graph->start && graph->to ? link_queues(schedule, traffic, ring, err) : gb_no_memory(err);
  for (uint32_t u = 0; status == GBCAST_OK && u < schedule->endpoint_count; u++) {
    graph->start[u] = at;
    for (uint32_t t = 0; t < schedule->tree_count; t++) {
      const gb_tree *tree = &schedule->tree[t];
      for (uint32_t i = tree->child_start[u]; i < tree->child_start[u + 1]; i++) {
        const gb_edge *edge = &traffic->edge[t][tree->child[i]];
        if (sends(tree, tree->child[i]))
          at = add(graph, at, tree->child[i]);
        for (uint32_t k = edge->use_start; k < edge->use_start + edge->use_count; k++)
          at = add(graph, at, ring[k]);
      }
    }
    graph->start[u + 1] = at;
  }
  free(ring);
  return status;
}

static void discover(gb_components *s, uint32_t u) {
  s->number[u] = s->low[u] = ++s->found;
  s->next[u] = s->graph->start[u];
  s->path[s->depth++] = u;
  s->open[s->open_count++] = u;
}

/* All that were found since u make a group. */
static void close_group(gb_components *s, uint32_t u) {
  uint32_t v;
  do {
    v = s->open[--s->open_count];
    s->traffic->group[v] = s->groups;
    s->traffic->sender[--s->free_end] = v;
  } while (v != u);
  s->groups++;
}

static void search_from(gb_components *s, uint32_t from) {
  discover(s, from);
  while (s->depth > 0) {
    uint32_t u = s->path[s->depth - 1];
    if (s->next[u] < s->graph->start[u + 1]) {
      uint32_t v = s->graph->to[s->next[u]++];
      if (s->number[v] == 0)
        discover(s, v);
      else if (s->traffic->group[v] == GB_NONE && s->number[v] < s->low[u])
        s->low[u] = s->number[v];
      continue;
    }
    s->depth--;
    if (s->depth > 0 && s->low[u] < s->low[s->path[s->depth - 1]])
      s->low[s->path[s->depth - 1]] = s->low[u];
    if (s->low[u] == s->number[u])
      close_group(s, u);
  }
}

int gb_groups_find(const gb_schedule *schedule, gb_traffic *traffic, gbcast_error *err) {
  size_t n = schedule->endpoint_count;
  gb_dependencies graph = {0};
  uint32_t *words = calloc(5 * n, sizeof *words);
  gb_components s = {.traffic = traffic, .graph = &graph, .number = words};
  int status = words ? make_graph(schedule, traffic, &graph, err) : gb_no_memory(err);
  if (status == GBCAST_OK) {
    s.low = words + n;
    s.next = words + 2 * n;
    s.path = words + 3 * n;
    s.open = words + 4 * n;
    traffic->sender_count = 0;
    for (uint32_t u = 0; u < n; u++) {
      traffic->group[u] = GB_NONE;
      traffic->sender_count += is_sender(schedule, u);
    }
    s.free_end = traffic->sender_count;
    for (uint32_t u = 0; u < n; u++)
      if (s.number[u] == 0 && is_sender(schedule, u))
        search_from(&s, u);
  }
  free(graph.start);
  free(graph.to);
  free(words);
  return status;
}
