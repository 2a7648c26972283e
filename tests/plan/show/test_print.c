/* What gbcast-plan prints: JSON that jansson reads back, text that stays within its columns. */
#include "plan/show/show.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char three_sites[] = "cluster a latency=50us bandwidth=1Gbit/s\nn[0-3].a:2\n"
                                  "cluster b\nswitch s0\nm[0-1].b\nswitch s1 uplink=s0\nm2.b\n"
                                  "cluster c\nk0.c\n"
                                  "link a b latency=2ms bandwidth=100Mbit/s\n"
                                  "link a c latency=40ms bandwidth=1Gbit/s\n";

static gbcast_platform *platform;
static gbcast_plan *plan;

static void make(const char *hosts, const gbcast_request *request) {
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_parse(hosts, strlen(hosts), "test", &platform, &err), GBCAST_OK, "%s",
               err.message);
  cr_assert_eq(gbcast_plan_make(platform, request, &plan, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gbcast_plan_check(plan, &err), GBCAST_OK, "%s", err.message);
}

static void make_three(void) {
  make(three_sites, &(gbcast_request){.operation = GBCAST_BCAST, .bytes = 1u << 20});
}

static void make_two_trees(void) {
  make(three_sites,
       &(gbcast_request){
           .operation = GBCAST_BCAST, .bytes = 1u << 20, .intra = "two-tree", .segment = 1u << 16});
}

static void drop(void) {
  gbcast_plan_free(plan);
  gbcast_platform_free(platform);
}

/* To be freed. */
static char *printed(enum gbcast_format format) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_not_null(out);
  cr_assert_eq(gbcast_plan_print(plan, format, out), GBCAST_OK);
  fclose(out);
  return text;
}

static json_t *read_back(void) {
  char *text = printed(GBCAST_JSON);
  json_error_t err;
  json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &err);
  cr_assert_not_null(root, "line %d: %s\n%s", err.line, err.text, text);
  free(text);
  return root;
}

static const char *string_of(json_t *object, const char *key) {
  const char *s = json_string_value(json_object_get(object, key));
  cr_assert_not_null(s, "%s", key);
  return s;
}

Test(print, json_has_every_key, .init = make_three, .fini = drop) {
  json_t *root = read_back();
  cr_assert_str_eq(string_of(root, "schema"), "gbcast-plan/1");
  cr_assert_str_eq(string_of(root, "operation"), "bcast");
  cr_assert_str_eq(string_of(root, "root"), "n0.a");
  cr_assert_eq(json_integer_value(json_object_get(root, "message_bytes")), 1 << 20);
  cr_assert_eq(json_number_value(json_object_get(root, "predicted_seconds")), gbcast_plan_predicted(plan));
  cr_assert_eq(json_number_value(json_object_get(root, "lower_bound_seconds")),
               gbcast_plan_lower_bound(plan));
  const char *hash = string_of(root, "hash");
  cr_assert_eq(strlen(hash), 16);
  cr_assert_eq(strtoull(hash, NULL, 16), gbcast_plan_hash(plan));
  cr_assert(json_is_array(json_object_get(root, "sources")));
  cr_assert_eq(json_array_size(json_object_get(root, "candidates")), plan->candidate_count);
  cr_assert_gt(plan->candidate_count, 0);
  cr_assert_eq(json_object_size(root), 17);
  json_decref(root);
}

Test(print, json_candidates, .init = make_three, .fini = drop) {
  json_t *root = read_back(), *list = json_object_get(root, "candidates");
  for (size_t i = 0; i < plan->candidate_count; i++) {
    json_t *c = json_array_get(list, i);
    double predicted = json_number_value(json_object_get(c, "predicted_seconds")), sum = 0;
    static const char *const term[] = {"start_up_seconds", "pipeline_seconds", "delay_seconds"};
    for (size_t k = 0; k < 3; k++) {
      cr_assert(json_is_number(json_object_get(c, term[k])), "%s", term[k]);
      sum += json_number_value(json_object_get(c, term[k]));
    }
    cr_assert_eq(predicted, plan->candidate[i].predicted);
    cr_assert_float_eq(sum, predicted, 1e-9 * predicted);
  }
  json_decref(root);
}

Test(print, json_clusters, .init = make_three, .fini = drop) {
  json_t *root = read_back(), *clusters = json_object_get(root, "clusters"), *b = json_array_get(clusters, 1);
  cr_assert_eq(json_array_size(clusters), 3);
  cr_assert_str_eq(string_of(b, "name"), "b");
  cr_assert_eq(json_integer_value(json_object_get(b, "hosts")), 3);
  cr_assert_eq(json_integer_value(json_object_get(b, "switches")), 2);
  cr_assert_str_eq(json_string_value(json_array_get(json_object_get(b, "leaders"), 0)), "m0.b");
  cr_assert(json_is_number(json_object_get(b, "label_seconds")));
  cr_assert(json_is_integer(json_object_get(b, "segment_bytes")));
  cr_assert_gt(strlen(string_of(b, "algorithm")), 0);
  json_decref(root);
}

/* Every rank but the root is the end of one edge; node edges number the ranks, the others name hosts. */
static void expect_edges_span(void) {
  json_t *root = read_back(), *tree, *edge;
  size_t t, i;
  double share = 0;
  json_array_foreach(json_object_get(root, "trees"), t, tree) {
    json_t *edges = json_object_get(tree, "edges"), *last = json_object();
    share += json_number_value(json_object_get(tree, "share"));
    cr_assert_eq(json_array_size(edges), plan->schedule.endpoint_count - 1);
    json_array_foreach(edges, i, edge) {
      const char *level = string_of(edge, "level"), *from = string_of(edge, "from");
      bool node = strcmp(level, "node") == 0;
      cr_assert(node || strcmp(level, "lan") == 0 || strcmp(level, "wan") == 0);
      cr_assert_eq(strchr(from, '#') != NULL, node);
      cr_assert_eq(strchr(string_of(edge, "to"), '#') != NULL, node);
      cr_assert_leq(json_number_value(json_object_get(edge, "start_seconds")),
                    json_number_value(json_object_get(edge, "arrival_seconds")));
      /* orders of one sender: 1, 2, ... over all levels */
      char key[64];
      snprintf(key, sizeof key, "%.*s", (int)strcspn(from, "#"), from);
      json_int_t order = json_integer_value(json_object_get(edge, "order"));
      cr_assert_geq(order, 1);
      if (strcmp(from, "k0.c") == 0 || strcmp(from, "m0.b") == 0) {
        cr_assert_eq(order, json_integer_value(json_object_get(last, key)) + 1);
      }
      json_object_set_new(last, key, json_integer(order));
    }
    json_decref(last);
  }
  cr_assert_float_eq(share, 1.0, 1e-12);
  json_decref(root);
}

static void make_relayed(void) {
  make("cluster a bandwidth=10Gbit/s\nn[0-3].a:4\ncluster b bandwidth=10Gbit/s\nm[0-1].b\n"
       "link a b latency=1ms bandwidth=10Gbit/s\n",
       &(gbcast_request){
           .operation = GBCAST_BCAST, .bytes = 1u << 24, .intra = "chain-segmented", .segment = 1u << 16});
}

/* LAN edges name hosts; those that a relay sends say so. */
Test(print, json_names_the_rank_that_sends, .init = make_relayed, .fini = drop) {
  json_t *root = read_back(), *clusters = json_object_get(root, "clusters"), *edge;
  cr_assert_str_eq(string_of(json_array_get(clusters, 0), "node_algorithm"), "relay+binomial");
  cr_assert_null(json_object_get(json_array_get(clusters, 1), "node_algorithm"), "one rank on each host");
  size_t i, relayed = 0;
  json_array_foreach(json_object_get(json_array_get(json_object_get(root, "trees"), 0), "edges"), i, edge) {
    bool lan = strcmp(string_of(edge, "level"), "lan") == 0;
    json_t *rank = json_object_get(edge, "from_rank");
    cr_assert_eq(rank != NULL, lan && strstr(string_of(edge, "from"), ".a"));
    cr_assert(!rank || json_integer_value(rank) == 1);
    relayed += rank != NULL;
  }
  cr_assert_eq(relayed, 3);
  json_decref(root);
  char *text = printed(GBCAST_TEXT);
  cr_assert_not_null(strstr(text, "  relay+binomial  "), "%s", text);
  free(text);
}

Test(print, json_edges_span, .init = make_three, .fini = drop) {
  expect_edges_span();
}

Test(print, json_edges_of_two_trees_span, .init = make_two_trees, .fini = drop) {
  expect_edges_span();
}

/* Each tree has half, its own edges and times; the prediction is the last arrival of both. */
Test(print, json_two_trees, .init = make_two_trees, .fini = drop) {
  json_t *root = read_back(), *trees = json_object_get(root, "trees"), *edge;
  double last = 0, apart = 0;
  cr_assert_eq(json_array_size(trees), 2);
  for (size_t t = 0; t < 2; t++) {
    json_t *tree = json_array_get(trees, t);
    size_t i;
    cr_assert_eq(json_number_value(json_object_get(tree, "share")), 0.5);
    cr_assert_eq(json_integer_value(json_object_get(tree, "segment_bytes")), 1 << 16);
    json_array_foreach(json_object_get(tree, "edges"), i, edge) {
      double arrival = json_number_value(json_object_get(edge, "arrival_seconds"));
      last = arrival > last ? arrival : last;
      apart += t == 0 ? arrival : -arrival;
    }
  }
  cr_assert_eq(last, gbcast_plan_predicted(plan));
  cr_assert_neq(apart, 0, "both trees have the same times");
  json_decref(root);
}

/* The site's line waits for both halves. */
Test(print, text_of_two_trees, .init = make_two_trees, .fini = drop) {
  char *text = printed(GBCAST_TEXT);
  cr_assert_not_null(
      strstr(text, " between sites, two trees of half the message each, in 8 segments of 64 KiB\n"), "%s",
      text);
  uint32_t leader = plan->site[1].leader;
  double first = plan->schedule.tree[0].arrival[leader], second = plan->schedule.tree[1].arrival[leader];
  cr_assert_neq(first, second);
  char *line = strstr(text, "\nb ");
  cr_assert_not_null(line);
  line[1 + strcspn(line + 1, "\n")] = '\0';
  cr_assert_not_null(strstr(line, gb_text_seconds(first > second ? first : second).s), "%s", line);
  cr_assert_null(strstr(line, gb_text_seconds(first < second ? first : second).s), "%s", line);
  free(text);
  /* other shares are told one by one */
  plan->schedule.tree[1].weight = 3;
  plan->schedule.weight_total = 4;
  text = printed(GBCAST_TEXT);
  cr_assert_not_null(
      strstr(text, "tree 1 with 1/4 of it in 4 segments of 64 KiB, tree 2 with 3/4 of it in 12"), "%s", text);
  free(text);
}

Test(print, json_escapes_and_infinity, .init = make_three, .fini = drop) {
  char *name = platform->cluster[0].name, odd[] = "q\"b\\s\x01\n\xff\xc3\xa9";
  platform->cluster[0].name = odd;
  plan->bound = INFINITY;
  json_t *root = read_back();
  cr_assert(json_is_null(json_object_get(root, "lower_bound_seconds")));
  cr_assert_str_eq(string_of(json_array_get(json_object_get(root, "clusters"), 0), "name"),
                   "q\"b\\s\x01\n\xc3\xbf\xc3\xa9");
  platform->cluster[0].name = name;
  json_decref(root);
}

Test(print, same_input_same_bytes, .init = make_three, .fini = drop) {
  char *first = printed(GBCAST_JSON);
  drop();
  make_three();
  char *second = printed(GBCAST_JSON);
  cr_assert_str_eq(first, second);
  free(first);
  free(second);
}

Test(print, text_names_sites_total_and_hash, .init = make_three, .fini = drop) {
  char *text = printed(GBCAST_TEXT), hash[32];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)gbcast_plan_hash(plan));
  cr_assert_eq(strncmp(text, "Broadcast of 1 MiB from n0.a: 12 ranks on 8 hosts in 3 sites\n", 61), 0, "%s",
               text);
  cr_assert_not_null(strstr(text, hash));
  cr_assert_not_null(strstr(text, "\npredicted "));
  cr_assert_not_null(strstr(text, "\na "));
  cr_assert_not_null(strstr(text, "\nb "));
  cr_assert_not_null(strstr(text, "\nc "));
  cr_assert_null(strstr(text, " \n"), "blanks at the end of a line");
  free(text);
}

Test(print, long_grids_fold, .fini = drop) {
  char hosts[8192] = "", line[64];
  for (int i = 0; i < 60; i++) {
    snprintf(line, sizeof line, "h[0-1].site%d\n", i);
    strcat(hosts, line);
  }
  make(hosts, &(gbcast_request){.operation = GBCAST_SCATTER, .bytes = 1000});
  char *text = printed(GBCAST_TEXT);
  size_t lines = 0;
  for (char *c = text; *c != '\0'; c++) {
    lines += *c == '\n';
  }
  cr_assert_eq(strncmp(text, "Scatter of 1000 B to each rank", 30), 0, "%s", text);
  cr_assert_leq(lines, 40);
  cr_assert_not_null(strstr(text, "... and 30 more sites with 60 hosts"));
  free(text);
}

Test(print, compare_marks_one, .init = make_three, .fini = drop) {
  char *text = printed(GBCAST_COMPARE);
  char *mark = strstr(text, "\n*");
  cr_assert_not_null(mark, "%s", text);
  cr_assert_null(strstr(mark + 1, "\n*"));
  cr_assert_not_null(strstr(text, "chosen\n"));
  free(text);
}

Test(print, a_full_disk_is_an_error, .init = make_three, .fini = drop) {
  FILE *full = fopen("/dev/full", "w");
  if (full != NULL) {
    cr_assert_eq(gbcast_plan_print(plan, GBCAST_TEXT, full), GBCAST_EINPUT);
    fclose(full);
  }
}

Test(print, units) {
  cr_assert_str_eq(gb_text_seconds(0.0016).s, "1.6 ms");
  cr_assert_str_eq(gb_text_seconds(0.0).s, "0 s");
  cr_assert_str_eq(gb_text_seconds(7.25e-6).s, "7.25 us");
  cr_assert_str_eq(gb_text_seconds(0.99999).s, "1 s");
  cr_assert_str_eq(gb_text_seconds(123456.0).s, "123456 s");
  cr_assert_str_eq(gb_text_seconds(INFINITY).s, "never");
  cr_assert_str_eq(gb_text_bytes(1536).s, "1536 B");
  cr_assert_str_eq(gb_text_bytes(65536).s, "64 KiB");
  cr_assert_str_eq(gb_text_bytes(0).s, "0 B");
  cr_assert_str_eq(gb_text_rate(125e6).s, "1 Gbit/s");
  cr_assert_str_eq(gb_text_rate(12.5e6).s, "100 Mbit/s");
  cr_assert_str_eq(gb_text_number(0.1).s, "0.1");
  cr_assert_eq(strtod(gb_text_number(1.0 / 3.0).s, NULL), 1.0 / 3.0);
}
