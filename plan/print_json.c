/* The plan as JSON, schema gbcast-plan/1 (contract, section 3). Written by hand: the planner needs no
 * library. */
#include "plan/node.h"
#include "plan/print.h"

#include <math.h>
#include <stdlib.h>

/* Length of the valid UTF-8 sequence at `s`, or 0. */
static size_t utf8_length(const unsigned char *s) {
  size_t n = s[0] < 0x80                   ? 1
             : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
             : (s[0] & 0xf0) == 0xe0       ? 3
             : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                           : 0;
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80) { /* also stops at the end of the string */
      return 0;
    }
  }
  bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
  bool beyond = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90);
  return overlong || beyond ? 0 : n;
}

/* A string without its quotes. A byte that is not UTF-8 is printed as the code point of the same number. */
static void escape(const char *text, FILE *out) {
  const unsigned char *s = (const unsigned char *)text;
  while (*s != 0) {
    size_t n = utf8_length(s);
    if (n == 0 || *s < 0x20 || *s == 0x7f) {
      fprintf(out, "\\u%04x", *s);
      n = 1;
    } else if (*s == '"' || *s == '\\') {
      fprintf(out, "\\%c", *s);
    } else {
      fwrite(s, 1, n, out);
    }
    s += n;
  }
}

static void string(const char *key, const char *value, FILE *out) {
  fprintf(out, "\"%s\": \"", key);
  escape(value, out);
  putc('"', out);
}

static void endpoint(const char *key, const gbcast_plan *plan, uint32_t e, bool numbered, FILE *out) {
  fprintf(out, "\"%s\": \"", key);
  escape(gbcast_platform_host_name(plan->platform, plan->endpoint[e].host), out);
  if (numbered) {
    fprintf(out, "#%u", plan->endpoint[e].k);
  }
  putc('"', out);
}

/* JSON knows no infinity. */
static void number(const char *key, double value, FILE *out) {
  fprintf(out, "\"%s\": %s", key, isfinite(value) ? gb_text_number(value).s : "null");
}

static void integer(const char *key, uint64_t value, FILE *out) {
  fprintf(out, "\"%s\": %llu", key, (unsigned long long)value);
}

/* Each once, in the order of the lanes. */
static void leaders(const gbcast_plan *plan, uint32_t s, FILE *out) {
  fputs("\"leaders\": [", out);
  for (uint32_t k = 0; k < plan->lanes; k++)
    if (gb_plan_leader_count(plan, s, k + 1) > gb_plan_leader_count(plan, s, k)) {
      fputs(k == 0 ? "\"" : ", \"", out);
      escape(gbcast_platform_host_name(plan->platform, plan->endpoint[gb_plan_leader(plan, s, k)].host), out);
      putc('"', out);
    }
  fputs("], ", out);
}

static void cluster(const gbcast_plan *plan, uint32_t s, FILE *out) {
  const gb_site *site = &plan->site[s];
  const gb_cluster *c = &plan->platform->cluster[site->cluster];
  fputs("{ ", out);
  string("name", c->name, out);
  fputs(", ", out);
  leaders(plan, s, out);
  integer("hosts", site->hosts, out);
  fputs(", ", out);
  integer("switches", c->switch_count, out);
  fputs(", ", out);
  string("algorithm", gb_intra_name(site->intra), out);
  fputs(", ", out);
  if (gb_site_has_nodes(site)) {
    string("node_algorithm", gb_node_table[site->node].name, out);
    fputs(", ", out);
  }
  integer("segment_bytes", plan->tree_count > 0 ? plan->tree[0].segment : 0, out);
  fputs(", ", out);
  number("label_seconds", site->label, out);
  fputs(" }", out);
}

static void edge(const gbcast_plan *plan, const gb_tree *tree, uint32_t from, uint32_t to, uint32_t order,
                 FILE *out) {
  static const char *const name[] = {
      [GB_LEVEL_NODE] = "node", [GB_LEVEL_LAN] = "lan", [GB_LEVEL_WAN] = "wan"};
  enum gb_level level = gb_plan_level(plan, from, to);
  fputs("{ ", out);
  endpoint("from", plan, from, level == GB_LEVEL_NODE, out);
  fputs(", ", out);
  if (level != GB_LEVEL_NODE && plan->endpoint[from].k > 0) {
    integer("from_rank", plan->endpoint[from].k, out);
    fputs(", ", out);
  }
  endpoint("to", plan, to, level == GB_LEVEL_NODE, out);
  fputs(", ", out);
  integer("order", order, out);
  fputs(", ", out);
  string("level", name[level], out);
  fputs(", ", out);
  number("start_seconds", tree->start[to], out);
  fputs(", ", out);
  number("arrival_seconds", tree->arrival[to], out);
  fputs(" }", out);
}

/* Edges level by level from the root, each sender's together and in its order. */
static int edges(const gbcast_plan *plan, const gb_tree *tree, FILE *out) {
  uint32_t *queue = malloc(plan->endpoint_count * sizeof *queue);
  if (queue == NULL) {
    return GBCAST_EMEMORY;
  }
  uint32_t tail = 0;
  queue[tail++] = plan->root;
  for (uint32_t head = 0; head < tail; head++) {
    uint32_t from = queue[head];
    for (uint32_t i = tree->child_start[from]; i < tree->child_start[from + 1] && tail < plan->endpoint_count;
         i++) {
      fputs(tail == 1 ? "\n        " : ",\n        ", out);
      edge(plan, tree, from, tree->child[i], i - tree->child_start[from] + 1, out);
      queue[tail++] = tree->child[i];
    }
  }
  free(queue);
  return GBCAST_OK;
}

static void candidate(const gb_candidate *c, FILE *out) {
  fputs("{ ", out);
  string("inter", gb_inter_name(c->inter), out);
  fputs(", ", out);
  string("intra", gb_intra_name(c->intra), out);
  fputs(", ", out);
  integer("lanes", c->lanes, out);
  fputs(", ", out);
  integer("segment_bytes", c->segment, out);
  fputs(", ", out);
  number("predicted_seconds", c->predicted, out);
  fputs(", ", out);
  number("start_up_seconds", c->terms.start_up, out);
  fputs(", ", out);
  number("pipeline_seconds", c->terms.pipeline, out);
  fputs(", ", out);
  number("delay_seconds", c->terms.delay, out);
  fputs(" }", out);
}

int gb_print_json(const gbcast_plan *plan, FILE *out) {
  fputs("{ \"schema\": \"gbcast-plan/1\",\n  ", out);
  string("operation", plan->operation == GBCAST_SCATTER ? "scatter" : "bcast", out);
  fputs(",\n  ", out);
  endpoint("root", plan, plan->root, plan->endpoint[plan->root].k > 0, out);
  fputs(",\n  ", out);
  integer("message_bytes", plan->bytes, out);
  fputs(",\n  ", out);
  number("predicted_seconds", plan->predicted, out);
  fputs(",\n  ", out);
  number("lower_bound_seconds", plan->bound, out);
  fprintf(out, ",\n  \"hash\": \"%016llx\",\n  \"clusters\": [", (unsigned long long)plan->hash);
  for (uint32_t s = 0; s < plan->site_count; s++) {
    fputs(s == 0 ? "\n    " : ",\n    ", out);
    cluster(plan, s, out);
  }
  fputs("\n  ],\n  \"trees\": [", out);
  int rc = GBCAST_OK;
  for (uint32_t t = 0; t < plan->tree_count && rc == GBCAST_OK; t++) {
    const gb_tree *tree = &plan->tree[t];
    fputs(t == 0 ? "\n    { " : ",\n    { ", out);
    number("share", (double)tree->weight / (double)plan->weight_total, out);
    fputs(", ", out);
    integer("segment_bytes", tree->segment, out);
    fputs(",\n      \"edges\": [", out);
    rc = edges(plan, tree, out);
    fputs("\n      ] }", out);
  }
  fputs("\n  ],\n  \"candidates\": [", out);
  for (size_t i = 0; i < plan->candidate_count; i++) {
    fputs(i == 0 ? "\n    " : ",\n    ", out);
    candidate(&plan->candidate[i], out);
  }
  fputs("\n  ],\n  \"sources\": []\n}\n", out);
  return rc;
}
