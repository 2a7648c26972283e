/* Slurm's topology files: names of nodes, and formats that are not read. */
#include "platform/platform.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads `hosts` beside a file t.conf with this text. */
static int read_beside(const char *hosts, const char *topology, gbcast_platform **p, gbcast_error *err) {
  char folder[] = "/tmp/gbcast-test-XXXXXX", path[64], name[64];
  cr_assert_not_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/t.conf", folder);
  snprintf(name, sizeof name, "%s/hosts", folder);
  FILE *out = fopen(path, "w");
  cr_assert_not_null(out);
  cr_assert(fputs(topology, out) >= 0);
  cr_assert_eq(fclose(out), 0);
  int status = gbcast_platform_parse(hosts, strlen(hosts), name, p, err);
  cr_assert_eq(unlink(path), 0);
  cr_assert_eq(rmdir(folder), 0);
  return status;
}

/* "n1:s0 n2:s1": the hosts and their switches, "-" for none; or what is wrong, without the folder. */
static void expect(const char *hosts, const char *topology, const char *expected) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  char text[sizeof err.message] = "";
  if (read_beside(hosts, topology, &p, &err) != GBCAST_OK) {
    const char *at = strstr(err.message, "t.conf:");
    snprintf(text, sizeof text, "%.*s", (int)strlen(expected), at != NULL ? at : err.message);
  }
  for (uint32_t h = 0, length = 0; p != NULL && h < p->host_count; h++)
    length += (uint32_t)snprintf(text + length, sizeof text - length, "%s%s:%s", h > 0 ? " " : "",
                                 p->host[h].name, p->host[h].sw == GB_NONE ? "-" : p->sw[p->host[h].sw].name);
  cr_expect_str_eq(text, expected, "%s\n%s\n%s", err.message, hosts, topology);
  gbcast_platform_free(p);
}

Test(topology, nodes_are_hosts_by_short_names_and_in_any_letter_case) {
  expect("cluster a\ntopology slurm=t.conf\nn1.a.example\nn2.a.example\n", "SwitchName=s0 Nodes=n[1-2]\n",
         "n1.a.example:s0 n2.a.example:s0");
  expect("cluster a\ntopology slurm=t.conf\nn1\nn2\n", "SwitchName=s0 Nodes=n1.a.example,N2.a.example\n",
         "n1:s0 n2:s0");
  expect("cluster a\ntopology slurm=t.conf\nN1\nn2\n", "SwitchName=s0 Nodes=n1\nSwitchName=s1 Nodes=N2\n",
         "N1:s0 n2:s1");
  expect("cluster a\ntopology slurm=t.conf\nn1\nN1\n", "SwitchName=s0 Nodes=n1\nSwitchName=s1 Nodes=N1\n",
         "n1:s0 N1:s1"); /* an exact match wins */
  expect("cluster a\ntopology slurm=t.conf\nn1.a\ncluster b\nn1.b\nlink a b latency=1ms bandwidth=1Gbit/s\n",
         "SwitchName=s0 Nodes=n1\n", "n1.a:s0 n1.b:-"); /* in the topology's cluster */
  expect("topology slurm=t.conf\nn1.a\nn2.a\n", "SwitchName=s0 Nodes=n[1-3]\n", "n1.a:s0 n2.a:s0");
  expect("cluster a\ntopology slurm=t.conf\nn1.a\nn1.b\n", "SwitchName=s0 Nodes=n1\n",
         "t.conf:1:21: found 'n1', expected the names of hosts; 'n1' could be 2 of them");
  expect("cluster a\ntopology slurm=t.conf\nn1.a\n", "SwitchName=s0 Nodes=n1\nSwitchName=s1 Nodes=n1.a\n",
         "t.conf:2:21: found 'n1.a', expected each host on one switch; 'n1.a' is on 's0' already");
}

Test(topology, other_names_are_noted) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(
      read_beside("topology slurm=t.conf\nn1.a\nn2.a\nm.a\n", "SwitchName=s Nodes=n[1-2],m.a,x\n", &p, &err),
      GBCAST_OK, "%s", err.message);
  bool noted = false;
  for (size_t i = 0; gbcast_platform_note(p, i) != NULL; i++)
    noted |= strstr(gbcast_platform_note(p, i),
                    "2 of the nodes in t.conf are hosts by another name, the first is n1 for n1.a") != NULL;
  cr_expect(noted);
  gbcast_platform_free(p);
}

Test(topology, other_formats_are_named) {
  static const char hosts[] = "cluster a\ntopology slurm=t.conf\nn1\n";
  static const struct {
    const char *text, *expected;
  } list[] = {
      {"---\n- topology: x\n",
       "t.conf:1:1: found '---', expected SwitchName= as in a topology.conf of topology/tree: "
       "this is a topology.yaml, or other YAML, which is not supported"},
      {"# Slurm\n- topology: x\n",
       "t.conf:2:1: found '-', expected SwitchName= as in a topology.conf of topology/tree: "
       "this is a topology.yaml"},
      {"topology: x\n",
       "t.conf:1:1: found 'topology:', expected SwitchName= as in a topology.conf of topology/tree: "
       "this is a topology.yaml"},
      {"BlockName=b1 Nodes=n1\n",
       "t.conf:1:1: found 'BlockName=b1', expected SwitchName= as in a topology.conf of "
       "topology/tree: this is a file of topology/block, which is not supported"},
      {"blocksizes = 2,4\n", "t.conf:1:1: found 'blocksizes', expected SwitchName= as in a topology.conf of "
                             "topology/tree: this is a file of topology/block"},
      {"SwitchName=s Nodes=n1\nInclude more.conf\n",
       "t.conf:2:1: found 'Include', expected SwitchName= as in a "
       "topology.conf of topology/tree: this is a line that includes"},
      {"TopologyPlugin=topology/tree\n",
       "t.conf:1:1: found 'TopologyPlugin=topology/tree', expected SwitchName= as in "
       "a topology.conf of topology/tree: this is a slurm.conf"},
      {"{\n",
       "t.conf:1:1: found '{', expected SwitchName= as in a topology.conf of topology/tree: this is JSON"},
      {"SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n1\n",
       "t.conf:1:15: found 'Level', expected the topology.conf itself: what scontrol show topology prints"},
      {"SwitchName=s Nodes=n1;n2\n", "t.conf:1:22: found ';n2', expected the names of hosts"},
      {"SwitchName=a//b Nodes=n1\n",
       "t.conf:1:12: found 'a//b', expected the name of a switch, without // and /*"},
      {"RingName=r Nodes=n1\n",
       "t.conf:1:1: found 'RingName', expected SwitchName=, Switches=, Nodes= or LinkSpeed="},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    expect(hosts, list[i].text, list[i].expected);
}
