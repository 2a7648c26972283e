/* The grammar of the hosts file: what is read, into what. */
#include "platform/platform.h"

#include <criterion/criterion.h>
#include <string.h>

#ifndef GB_TEST_DATA
#define GB_TEST_DATA "tests/data"
#endif

static gbcast_platform *parse(const char *text) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  int status = gbcast_platform_parse(text, strlen(text), "hosts.txt", &p, &err);
  cr_assert_eq(status, GBCAST_OK, "%s", err.message);
  return p;
}

static bool has_note(const gbcast_platform *p, const char *part) {
  const char *note;
  for (size_t i = 0; (note = gbcast_platform_note(p, i)) != NULL; i++)
    if (strstr(note, part) != NULL)
      return true;
  return false;
}

static void check_names(const gbcast_platform *p, const char *const *names, uint32_t count) {
  cr_assert_eq(gbcast_platform_hosts(p), count);
  for (uint32_t i = 0; i < count; i++)
    cr_assert_str_eq(gbcast_platform_host_name(p, i), names[i]);
}

Test(platform, contract_example) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_read(GB_TEST_DATA "/platforms/platform-sites.txt", &p, &err), GBCAST_OK, "%s",
               err.message);
  cr_assert_eq(gbcast_platform_hosts(p), 52);
  cr_assert_eq(gbcast_platform_clusters(p), 3);
  cr_assert_eq(gbcast_platform_slots(p), 68);
  cr_assert_str_eq(p->cluster[2].name, "lyon");
  cr_assert_eq(p->cluster[0].wan_bandwidth, 62.5e6);
  cr_assert_eq(p->sw[1].uplink, 0);
  cr_assert_eq(p->sw[1].depth, 1);
  cr_assert_eq(p->sw[1].latency, 25e-6);
  cr_assert_eq(p->host[8].sw, 1);
  cr_assert_eq(gb_platform_leader(p, 1), gb_platform_find_host(p, "c0.carleton"));
  const gb_link *l = gb_platform_link(p, 1, 0);
  cr_assert_not_null(l);
  cr_assert_eq(l->latency, 1.6e-3);
  cr_assert_eq(l->injection, 7.3e-3);
  cr_assert_eq(l->plogp.count, 1);
  cr_assert_eq(gb_platform_link(p, 0, 2)->stream_bandwidth, 250e6 / 8);
  cr_assert_eq(gb_platform_link(p, 2, 0)->latency, 48e-3);
  cr_assert_null(gb_platform_link(p, 1, 2));
  cr_assert_eq(p->cluster[0].plogp.count, 2);
  cr_assert_eq(p->cluster[0].plogp.point[1].bytes, 65536);
  cr_assert_eq(p->cluster[2].switch_count, 3);
  cr_assert_eq(p->cluster[2].top_count, 1);
  cr_assert_eq(p->sw[p->host[gb_platform_find_host(p, "l31.lyon")].sw].depth, 1);
  cr_assert(has_note(p, "4 of the nodes in platform-topology.conf are not hosts"));
  cr_assert(has_note(p, "cluster lyon: default latency=50us"));
  gbcast_platform_free(p);
}

static void one_host(const char *text, const char *name, uint32_t slots, const char *user) {
  gbcast_platform *p = parse(text);
  cr_expect_eq(gbcast_platform_hosts(p), 1, "%s", text);
  cr_expect_str_eq(p->host[0].name, name);
  cr_expect_eq(p->host[0].slots, slots, "%u slots of\n%s", p->host[0].slots, text);
  cr_expect((user == NULL) == (p->host[0].user == NULL) &&
                (user == NULL || strcmp(user, p->host[0].user) == 0),
            "%s", text);
  gbcast_platform_free(p);
}

/* As Open MPI 4.1 reads them. */
Test(platform, words_and_comments_of_open_mpi) {
  static const char *const count[] = {"slots", "count", "cpu"};
  static const char *const limit[] = {"slots-max", "slots_max", "max-slots", "max_slots",
                                      "cpu-max",   "cpu_max",   "max-cpu",   "max_cpu",
                                      "count-max", "count_max", "max-count", "max_count"};
  static const char *const user[] = {"username=joe", "user-name = joe", "user_name=\"joe\"", "user=joe"};
  char text[128];
  for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
    snprintf(text, sizeof text, "h %s = 3 max_slots=8\n", count[i]);
    one_host(text, "h", 3, NULL);
  }
  for (size_t i = 0; i < sizeof limit / sizeof *limit; i++) {
    snprintf(text, sizeof text, "h %s=5\n", limit[i]);
    one_host(text, "h", 5, NULL); /* as many as it may have */
    snprintf(text, sizeof text, "h %s=5 slots=7\n", limit[i]);
    one_host(text, "h", 7, NULL);
  }
  for (size_t i = 0; i < sizeof user / sizeof *user; i++) {
    snprintf(text, sizeof text, "h slots=2 %s\n", user[i]);
    one_host(text, "h", 2, "joe");
  }
  one_host("h max_slots=2 cpu_max=5\n", "h", 5, NULL);
  one_host("// a comment\nh slots=3\n", "h", 3, NULL);
  one_host("h slots=3 // /* a comment\n", "h", 3, NULL);
  one_host("h slots=3// a comment\n", "h", 3, NULL);
  one_host("h slots=3/* a comment */\n", "h", 3, NULL);
  one_host("# /* a comment\nh slots=3\n", "h", 3, NULL);
  one_host("/* a comment # that\ncluster c\n * goes on */ h slots=3\n/**/\n", "h", 3, NULL);
  one_host("h /* // */ slots=3 /***/\n", "h", 3, NULL);
  one_host("rank slots=2\n", "rank", 2, NULL);
  one_host("rank\n", "rank", 1, NULL);
}

Test(platform, mpi_hostfiles_as_they_are) {
  gbcast_platform *p = parse("n0\nn1:4\n n2 slots=4 max_slots=8\nbob@n3\n10.0.0.1:2\n[fe80::1]:4\n[::1]\n"
                             "n4 slots = 3 binding=user:0,1\nn0:2\nn5 max-slots= 9 binding =x # end\n");
  static const char *const names[] = {"n0", "n1", "n2", "n3", "10.0.0.1", "fe80::1", "::1", "n4", "n5"};
  static const uint32_t slots[] = {3, 4, 4, 1, 2, 4, 1, 3, 9};
  check_names(p, names, 9);
  for (uint32_t i = 0; i < 9; i++)
    cr_assert_eq(p->host[i].slots, slots[i]);
  cr_assert_str_eq(p->host[3].user, "bob");
  cr_assert_str_eq(p->host[7].extra, "binding=user:0,1");
  cr_assert_str_eq(p->host[8].extra, "max-slots=9 binding=x");
  cr_assert_eq(gbcast_platform_clusters(p), 1);
  cr_assert_str_eq(p->cluster[0].name, "local");
  cr_assert(has_note(p, "'binding='"));
  cr_assert_not(has_note(p, "max"));
  cr_assert(p->assumed_mesh);
  gbcast_platform_free(p);
}

Test(platform, ranges) {
  gbcast_platform *p = parse("n[08-10].x\nr[0-1]n[0,2]\n[3-4]\ncluster:2\nm[1,5-6]:2\n");
  static const char *const names[] = {"n08.x", "n09.x", "n10.x",   "r0n0", "r0n2", "r1n0", "r1n2",
                                      "3",     "4",     "cluster", "m1",   "m5",   "m6"};
  check_names(p, names, 13);
  cr_assert_eq(gbcast_platform_slots(p), 9 + 2 + 6);
  gbcast_platform_free(p);
}

Test(platform, groups_by_suffix) {
  gbcast_platform *p = parse("a.x\nb\nc.y.z\nd.x\n10.1.2.3\ne.\n");
  cr_assert_eq(p->cluster_count, 3);
  cr_assert_str_eq(p->cluster[0].name, "x");
  cr_assert_str_eq(p->cluster[1].name, "local");
  cr_assert_str_eq(p->cluster[2].name, "y.z");
  cr_assert_eq(p->cluster[1].host_count, 3);
  cr_assert_eq(p->host_of_cluster[p->cluster[0].host_start + 1], 3);
  cr_assert_eq(gb_platform_link(p, 0, 2)->latency, 10e-3);
  cr_assert_null(gb_platform_link(p, 1, 1));
  cr_assert(has_note(p, "assumed link"));
  cr_assert_eq(gb_platform_find_cluster(p, "y.z"), 2);
  cr_assert_eq(gb_platform_find_cluster(p, "y"), GB_NONE);
  gbcast_platform_free(p);
}

Test(platform, forward_references_and_order_of_mention) {
  gbcast_platform *p =
      parse("link b a latency=1ms bandwidth=1MB/s\nlink b -> a latency=2ms bandwidth=1MB/s\n"
            "plogp a size=1 gap=1us latency=0us os=0us\ncluster a leader=a1\nswitch s uplink=t\na0\n"
            "a1 switch=t\nswitch t\ncluster b overhead=0us\nb0\na2 cluster=a\n");
  cr_assert_str_eq(p->cluster[0].name, "b");
  cr_assert_eq(gb_platform_link(p, 0, 1)->latency, 2e-3);
  cr_assert_eq(gb_platform_link(p, 1, 0)->latency, 1e-3);
  cr_assert_eq(gb_platform_leader(p, 1), 1);
  cr_assert_eq(p->sw[0].uplink, 1);
  cr_assert_eq(p->host[0].sw, 0);
  cr_assert_eq(p->host[1].sw, 1);
  cr_assert_eq(p->host[3].sw, GB_NONE);
  cr_assert(p->cluster[1].has_loose_hosts);
  cr_assert(has_note(p, "assumed core"));
  cr_assert_eq(p->cluster[0].overhead, 0);
  cr_assert_eq(p->cluster[1].plogp.point[0].send_overhead, 0);
  cr_assert_eq(p->cluster[1].plogp.point[0].receive_overhead, -1);
  gbcast_platform_free(p);
}

Test(platform, switches_without_cluster_lines) {
  gbcast_platform *p = parse("switch s\na.x\nswitch t uplink=u\nb.y\nswitch u\nswitch v uplink=u\n");
  cr_assert_eq(p->sw[0].cluster, 0);
  cr_assert_eq(p->sw[1].cluster, 1);
  cr_assert_eq(p->sw[2].cluster, 1);
  cr_assert_eq(p->sw[3].cluster, 1);
  gbcast_platform_free(p);
}

Test(platform, units) {
  gbcast_platform *p =
      parse("cluster a latency=1.5e2ns bandwidth=1Gibit/s\nx\nswitch s latency=1s bandwidth=3KiB/s\n"
            "switch t bandwidth=.5MB/s\nswitch u bandwidth=2Tbit/s\nswitch v bandwidth=8bit/s\n");
  cr_assert_eq(p->cluster[0].latency, 150e-9);
  cr_assert_eq(p->cluster[0].bandwidth, 1024.0 * 1024 * 128);
  cr_assert_eq(p->sw[0].bandwidth, 3072);
  cr_assert_eq(p->sw[0].latency, 1);
  cr_assert_eq(p->sw[1].bandwidth, 5e5);
  cr_assert_eq(p->sw[2].bandwidth, 250e9);
  cr_assert_eq(p->sw[3].bandwidth, 1);
  gbcast_platform_free(p);
}

Test(platform, many_hosts) {
  gbcast_platform *p = parse("n[0-1048575]\n");
  cr_assert_eq(gbcast_platform_hosts(p), 1048576);
  cr_assert_eq(gb_platform_find_host(p, "n1048575"), 1048575);
  cr_assert_eq(gb_platform_find_host(p, "n1048576"), GB_NONE);
  cr_assert_null(gbcast_platform_host_name(p, 1048576));
  gbcast_platform_free(p);
}

Test(platform, free_of_nothing) {
  gbcast_platform_free(NULL);
}
