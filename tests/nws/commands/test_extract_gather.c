/* Which series extract asks name servers and memories for, and what it prints of their answers. */
#include "nws/commands/extract/extract.h"
#include "tests/support/nws/world.h"

#include <criterion/criterion.h>

/* Round trips a -> b, a -> c, b -> a in two memories, one of them listed twice, and what a careless name
 * server finds besides. */
static void fill(world *w) {
  static const char *ab[] = {"a.x:8060", "b.x:8060"}, *ac[] = {"a.x:8060", "c.x:8061"},
                    *ba[] = {"b.x:8060", "a.x:8060"}, *other[] = {"aa.x:8060", "b.x:8060"};
  world_series *s = world_add(w, "ab", ab, "latencyTcp", "old:8050", "");
  world_measure(s, 10, 1);
  s = world_add(w, "ab", ab, "latencyTcp", "m:8050", "");
  for (int i = 0; i < 5; i++)
    world_measure(s, 100 + i, 20 + i);
  s->oldest_first = true;
  s = world_add(w, "ba", ba, "latencyTcp", "m:8050", "");
  world_measure(s, 100, 7);
  s = world_add(w, "ac", ac, "latencyTcp", "gone:8050", "");
  world_measure(s, 200, 3.5);
  world_add(w, "ac", ac, "latencyTcp", "m:8051", ""); /* newer, and without data */
  s = world_add(w, "aab", other, "latencyTcp", "m:8050", "");
  world_measure(s, 100, 1);
  world_add(w, "odd", ab, "slowTcp", "m:8050", "myresource:latencyTcp\t");
  s = world_add(w, "cpu", ab, "availableCpu", "m:8050", "");
  world_measure(s, 100, 0.5);
}

typedef struct test {
  world w;
  peer p;
  gb_extract_options o;
  gb_extract_gather g;
} test;

static void begin(test *t, const char *resource, bool all, char **host, int count) {
  memset(t, 0, sizeof *t);
  fill(&t->w);
  t->p = world_peer(&t->w);
  t->o = (gb_extract_options){
      .all_pairs = all, .rows = 20, .resource = resource, .host = host, .host_count = count};
  gb_extract_gather_init(&t->g, &t->o, 8050, 0, 15);
}

static void run(test *t) {
  gb_nws_address server = address("ns:8090");
  gb_extract_search(&t->g, &server);
  peer_run(&t->p, &t->g.client);
  cr_expect_str_eq(t->g.trouble.message, "");
}

static void end(test *t) {
  gb_extract_gather_release(&t->g);
  peer_release(&t->p);
  gb_bytes_release(&t->w.objects);
}

/* NAME@MEMORY=MEASUREMENTS of each series. */
static void names(const test *t, char out[256]) {
  size_t n = 0;
  out[0] = '\0';
  for (uint32_t i = 0; i < t->g.count; i++)
    n += (size_t)snprintf(out + n, 256 - n, "%s@%s:%u=%u ", t->g.item[i].found.name,
                          t->g.item[i].found.memory.host, (unsigned)t->g.item[i].found.memory.port,
                          (unsigned)t->g.item[i].count);
}

static void expect_names(const test *t, const char *expected) {
  char found[256];
  names(t, found);
  cr_expect_str_eq(found, expected);
}

Test(extract_gather, first_to_others) {
  test t;
  begin(&t, "latencyTcp", false, (char *[]){"a", "c.x", "B.x:8060"}, 3);
  run(&t);
  expect_names(&t, "ac@m:8051=0 ac@gone:8050=1 ab@m:8050=5 ab@old:8050=1 ");
  cr_expect_eq(t.w.searches, 1);
  const gb_extract_item *ab = &t.g.item[2];
  for (uint32_t i = 0; i < 5; i++)
    cr_expect(ab->measurement[i].time == 100 + i && ab->measurement[i].value == 20 + i, "oldest first");
  cr_expect_str_eq(ab->shown.source, "a.x:8060");
  cr_expect_str_eq(ab->shown.destination, "b.x:8060");
  end(&t);
}

Test(extract_gather, all_pairs) {
  test t;
  begin(&t, "latencyTcp", true, (char *[]){"b.x", "a.x"}, 2);
  run(&t);
  expect_names(&t, "ba@m:8050=1 ab@m:8050=5 ab@old:8050=1 ");
  end(&t);
}

Test(extract_gather, any_target) {
  test t;
  begin(&t, "latencyTcp", false, (char *[]){"a.x"}, 1);
  run(&t);
  expect_names(&t, "ab@m:8050=5 ab@old:8050=1 ac@m:8051=0 ac@gone:8050=1 ");
  end(&t);
}

Test(extract_gather, one_host) {
  test t;
  begin(&t, "availableCpu", false, (char *[]){"b.x", "a.x"}, 2);
  run(&t);
  expect_names(&t, "cpu@m:8050=1 ");
  cr_expect(t.g.item[0].found.from == 1 && t.g.item[0].shown.destination == NULL);
  end(&t);
}

Test(extract_gather, other_port) {
  test t;
  begin(&t, "latencyTcp", false, (char *[]){"a.x", "c.x:8060", "b.x:8061"}, 3);
  run(&t);
  expect_names(&t, "");
  end(&t);
}

Test(extract_gather, one_of_two_ports) {
  test t;
  begin(&t, "latencyTcp", false, (char *[]){"a.x", "c.x:8060", "c.x:8061"}, 3);
  run(&t);
  expect_names(&t, "ac@m:8051=0 ac@gone:8050=1 ");
  cr_expect_eq(t.g.item[0].found.to, 2);
  end(&t);
}

Test(extract_gather, own_filter) {
  test t;
  begin(&t, "latencyTcp", false, (char *[]){"a.x"}, 1);
  t.o.filter = "(memory=m:8050)";
  run(&t);
  expect_names(&t, "ab@m:8050=5 ");
  end(&t);
}

Test(extract_gather, what_was_stored_since) {
  test t;
  begin(&t, "latencyTcp", false, (char *[]){"a.x", "b.x"}, 2);
  t.g.since = 102;
  run(&t);
  expect_names(&t, "ab@m:8050=2 ab@old:8050=0 ");
  world_measure(world_find(&t.w, &t.g.item[0].found.memory, "ab"), 110, 1);
  gb_extract_fetch_again(&t.g);
  peer_run(&t.p, &t.g.client);
  expect_names(&t, "ab@m:8050=1 ab@old:8050=0 ");
  cr_expect_eq(t.g.item[0].measurement[0].time, 110);
  gb_extract_fetch_again(&t.g);
  peer_run(&t.p, &t.g.client);
  expect_names(&t, "ab@m:8050=0 ab@old:8050=0 ");
  end(&t);
}

Test(extract_gather, dead_memory) {
  test t;
  begin(&t, "latencyTcp", false, (char *[]){"a.x", "b.x", "c.x"}, 3);
  t.p.refused = 8051;
  gb_nws_address server = address("ns:8090");
  gb_extract_search(&t.g, &server);
  peer_run(&t.p, &t.g.client);
  expect_names(&t, "ab@m:8050=5 ab@old:8050=1 ac@m:8051=0 ac@gone:8050=1 ");
  cr_expect_not_null(strstr(t.g.trouble.message, "m:8051"), "%s", t.g.trouble.message);
  end(&t);
}

Test(extract_gather, dead_name_server) {
  test t;
  begin(&t, "latencyTcp", false, (char *[]){"a.x"}, 1);
  t.p.refused = 8090;
  gb_nws_address server = address("ns:8090");
  gb_extract_search(&t.g, &server);
  peer_run(&t.p, &t.g.client);
  cr_expect_eq(t.g.count, 0);
  cr_expect_not_null(strstr(t.g.trouble.message, "ns:8090"), "%s", t.g.trouble.message);
  end(&t);
}

Test(extract_gather, names_without_a_name_server) {
  static const struct {
    const char *resource, *name;
  } guess[] = {{"latencyTcp", "a.x:8060.latencyTcp.b.x:8061"},
               {"bandwidthTcp", "a.x:8060.bandwidthTcp.32.16.64.b.x:8061"},
               {"availableCpu", "a.x:8060.availableCpu.0"},
               {"freeDisk", "a.x:8060.freeDisk"}};
  for (size_t i = 0; i < sizeof guess / sizeof *guess; i++) {
    test t;
    begin(&t, guess[i].resource, false, (char *[]){"A.x", "b.x:8061"}, 2);
    gb_nws_address memory = address("m:8050");
    gb_extract_ask_memory(&t.g, &memory, (char *[]){"A.x", "b.x:8061"});
    peer_run(&t.p, &t.g.client);
    cr_expect_eq(t.g.count, gb_extract_has_target(guess[i].resource) ? 1u : 2u); /* for each host */
    cr_expect_str_eq(t.g.item[0].found.name, guess[i].name);
    cr_expect(!t.g.item[0].any && t.w.searches == 0 && t.g.trouble.message[0] == '\0');
    end(&t);
  }
}

/* Sensors may have registered with their domains or without. */
Test(extract_gather, names_with_domains) {
  test t;
  begin(&t, "latencyTcp", false, (char *[]){"a", "b.x:8061", "c:8062"}, 3);
  gb_nws_address memory = address("m:8050");
  gb_extract_ask_memory(&t.g, &memory, (char *[]){"a.x", "b.x:8061", "c.x:8062"});
  static const char *const names[] = {"a.x:8060.latencyTcp.b.x:8061", "a:8060.latencyTcp.b.x:8061",
                                      "a.x:8060.latencyTcp.c.x:8062", "a:8060.latencyTcp.c:8062"};
  cr_assert_eq(t.g.count, 4);
  for (uint32_t i = 0; i < 4; i++)
    cr_expect_str_eq(t.g.item[i].found.name, names[i]);
  end(&t);
}

/* Searches as NWS has them: prefix terms, each host with and without its domain. */
Test(extract_gather, filter) {
  gb_bytes out = {0};
  gb_extract_options o = {.resource = "latencyTcp", .host = (char *[]){"a", "b.x:8061"}, .host_count = 2};
  gb_extract_filter(&o, &out);
  gb_put(&out, "", 1);
  cr_expect_str_eq((const char *)out.data,
                   "(&(objectclass=nwsSeries)(resource=latencyTcp)(|(host=a:*)(host=a.*:*))"
                   "(|(target=b.x:8061)(target=b.x.*:8061)))");
  gb_bytes_release(&out);
}
