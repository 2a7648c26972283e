/* The hosts of a batch system's job, and which hosts of a file they are. */
#include "platform/platform.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* "n1:4 n2:1": the hosts and slots, in their order; to be freed. */
static char *told(const gbcast_platform *p) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_not_null(out);
  for (uint32_t h = 0; h < p->host_count; h++)
    fprintf(out, "%s%s:%u", h > 0 ? " " : "", p->host[h].name, p->host[h].slots);
  cr_assert_eq(fclose(out), 0);
  return text;
}

static void expect(int status, gbcast_platform *p, const gbcast_error *err, const char *hosts) {
  cr_assert_eq(status, GBCAST_OK, "%s", err->message);
  char *text = told(p);
  cr_expect_str_eq(text, hosts);
  free(text);
  gbcast_platform_free(p);
}

static void slurm(const char *nodes, const char *tasks, const char *hosts) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  int status =
      gb_job_slurm(&(gb_slurm_part){nodes, tasks, "SLURM_JOB_NODELIST", "SLURM_TASKS_PER_NODE"}, 1, &p, &err);
  expect(status, p, &err, hosts);
}

Test(job, of_slurm) {
  slurm("n[01-03,7],gpu-a[1-2]b", NULL, "n01:1 n02:1 n03:1 n7:1 gpu-a1b:1 gpu-a2b:1");
  slurm("r[0-1]n[8-9]", "2", "r0n8:2 r0n9:2 r1n8:2 r1n9:2");
  slurm("a,b.c[1,3]", "4(x2),3", "a:4 b.c1:4 b.c3:3");
  slurm("n[098-101]", "1,2(x2),16", "n098:1 n099:2 n100:2 n101:16");
  slurm("login", "36", "login:36");
  slurm("a,b", "7(x2)", "a:7 b:7");
  slurm("link,n1", NULL, "link:1 n1:1");
}

/* A host may be in several components. */
Test(job, of_slurm_in_several_components) {
  const gb_slurm_part part[] = {
      {"gpu[01-02]", "2(x2)", "A", "B"}, {"cpu[1-2],gpu01", NULL, "C", "D"}, {"x", "4", "E", "F"}};
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  int status = gb_job_slurm(part, 3, &p, &err);
  expect(status, p, &err, "gpu01:3 gpu02:2 cpu1:1 cpu2:1 x:4");
  const gb_slurm_part wrong[] = {{"a", NULL, "A", "B"}, {"b", "1,2", "C", "D"}};
  cr_expect_eq(gb_job_slurm(wrong, 2, &p, &err), GBCAST_EINPUT);
  cr_expect_str_eq(err.message,
                   "D:1:3: found '2', expected numbers of slots for as many hosts as the job has");
}

Test(job, of_lsf) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  int status = gb_job_lsf_counts("n1 4 n2 16  n1 1", &p, &err);
  expect(status, p, &err, "n1:5 n2:16");
  status = gb_job_lsf_words("cluster n1", &p, &err);
  expect(status, p, &err, "cluster:1 n1:1");
  status = gb_job_lsf_words(" n1 n1 n2 n1", &p, &err);
  expect(status, p, &err, "n1:3 n2:1");
}

enum list { SLURM, COUNTS, WORDS };

static const struct {
  enum list list;
  const char *hosts, *tasks, *message;
} bad[] = {
    {SLURM, "", NULL, "SLURM_JOB_NODELIST:1:1: found the end of the line, expected the names of hosts"},
    {SLURM, "n1,,n2", NULL, "SLURM_JOB_NODELIST:1:1: found 'n1,,n2', expected names with one comma"},
    {SLURM, "n1,n[2-", NULL, "SLURM_JOB_NODELIST:1:"},
    {SLURM, "n1,n[3-2]", NULL, "SLURM_JOB_NODELIST:1:6: found '3-2', expected a range from the smaller"},
    {SLURM, "n1,n2]", NULL, "SLURM_JOB_NODELIST:1:6: found ']', expected a [ before the ]"},
    {SLURM, "n1,u@n2", NULL, "SLURM_JOB_NODELIST:1:5: found '@n2', expected the names of hosts"},
    {SLURM, "n1#n2", NULL, "SLURM_JOB_NODELIST:1:3: found '#n2', expected the names of hosts"},
    {SLURM, "n1 n2", NULL, "SLURM_JOB_NODELIST:1:4: found 'n2', expected a list without blanks"},
    {SLURM, "n1\nn2", NULL, "SLURM_JOB_NODELIST:1:3: found the control character 0x0a"},
    {SLURM, "n[1-1048576],m", NULL,
     "SLURM_JOB_NODELIST:1:1: found 'n[1-1048576],m', expected at most 1048576 hosts"},
    {SLURM, "n[1-3]", "2(x2)",
     "SLURM_TASKS_PER_NODE:1:6: found the end of the line, expected a number of slots for each"},
    {SLURM, "n[1-3]", "2(x2),1,4(x2)",
     "SLURM_TASKS_PER_NODE:1:9: found '4(x2)', expected numbers of slots for as many"},
    {SLURM, "n[1-3]", "2(x4)",
     "SLURM_TASKS_PER_NODE:1:6: found the end of the line, expected numbers of slots for as many"},
    {SLURM, "n[1-3]", "2(x3",
     "SLURM_TASKS_PER_NODE:1:2: found '(x3', expected a number of hosts such as (x2)"},
    {SLURM, "n[1-3]", "2(x)",
     "SLURM_TASKS_PER_NODE:1:2: found '(x)', expected a number of hosts such as (x2)"},
    {SLURM, "n[1-3]", "2(x0)", "SLURM_TASKS_PER_NODE:1:4: found '0', expected a whole number from 1"},
    {SLURM, "n[1-3]", "0(x3)", "SLURM_TASKS_PER_NODE:1:1: found '0', expected a whole number from 1"},
    {SLURM, "n[1-3]", "2(x3),",
     "SLURM_TASKS_PER_NODE:1:7: found the end of the line, expected a number of slots"},
    {SLURM, "n[1-3]", "", "SLURM_TASKS_PER_NODE:1:1: found the end of the line, expected a whole number"},
    {COUNTS, "n1 4 n2", NULL, "LSB_MCPU_HOSTS:1:8: found the end of the line, expected a whole number"},
    {COUNTS, "n1 n2", NULL, "LSB_MCPU_HOSTS:1:4: found 'n2', expected a whole number"},
    {COUNTS, "", NULL, "LSB_MCPU_HOSTS:1:1: found the end of the line, expected the names of hosts"},
    {WORDS, "n1 n[2-3]", NULL, "LSB_HOSTS:1:5: found '[2-3]', expected the names of hosts"},
    {WORDS, "n1,n2", NULL, "LSB_HOSTS:1:3: found ',n2', expected the names of hosts"},
    {WORDS, "2*h1 h2", NULL, "LSB_HOSTS:1:2: found '*h1', expected the names of hosts"},
    {WORDS, "h1 h2/3", NULL, "LSB_HOSTS:1:6: found '/3', expected the names of hosts"},
    {WORDS, "h1 #h2", NULL, "LSB_HOSTS:1:4: found '#h2', expected the names of hosts"},
    {COUNTS, "h1 4 h;2 4", NULL, "LSB_MCPU_HOSTS:1:7: found ';2', expected the names of hosts"},
    {COUNTS, "\"h1 4\"", NULL, "LSB_MCPU_HOSTS:1:1: found '\"h1', expected the names of hosts"},
    {SLURM, "n[1-2]*", NULL, "SLURM_JOB_NODELIST:1:7: found '*', expected the names of hosts"},
    {SLURM, "n1;n2", NULL, "SLURM_JOB_NODELIST:1:3: found ';n2', expected the names of hosts"},
};

Test(job, that_cannot_be_read_is_told_with_its_place) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    gbcast_platform *p = NULL;
    gbcast_error err = {""};
    int status = bad[i].list == SLURM
                     ? gb_job_slurm(&(gb_slurm_part){bad[i].hosts, bad[i].tasks, "SLURM_JOB_NODELIST",
                                                     "SLURM_TASKS_PER_NODE"},
                                    1, &p, &err)
                     : (bad[i].list == COUNTS ? gb_job_lsf_counts : gb_job_lsf_words)(bad[i].hosts, &p, &err);
    cr_expect_eq(status, GBCAST_EINPUT, "'%s' '%s': status %d", bad[i].hosts, bad[i].tasks, status);
    cr_expect(strncmp(err.message, bad[i].message, strlen(bad[i].message)) == 0, "'%s' does not begin '%s'",
              err.message, bad[i].message);
    cr_expect_null(p);
  }
}

static gbcast_platform *parse(const char *hosts) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_parse(hosts, strlen(hosts), "hosts", &p, &err), GBCAST_OK, "%s", err.message);
  return p;
}

/* The ranks on each host of `file`, such as "0 3 1", or the message. */
static void ranks_are(const char *file, const char *job, const char *expected) {
  gbcast_platform *p = parse(file), *j = parse(job);
  gb_job_places places = {0};
  gbcast_error err = {""};
  char text[sizeof err.message] = "";
  int status = gb_job_place(p, j, NULL, &places, &err);
  for (uint32_t h = 0, length = 0; status == GBCAST_OK && h < p->host_count; h++)
    length +=
        (uint32_t)snprintf(text + length, sizeof text - length, "%s%u", h > 0 ? " " : "", places.ranks[h]);
  cr_expect_str_eq(status == GBCAST_OK ? text : err.message, expected);
  gb_job_places_release(&places);
  gbcast_platform_free(p);
  gbcast_platform_free(j);
}

Test(job, keeps_the_order_of_its_slots) {
  gbcast_platform *p = parse("a\nb\nc\n"), *j = parse("C.x\nb\nC.x:2\nb\n");
  gb_job_places places = {0};
  gbcast_error err = {""};
  const uint32_t expected[] = {2, 1, 2, 2, 1};
  cr_assert_eq(gb_job_place(p, j, NULL, &places, &err), GBCAST_OK, "%s", err.message);
  for (uint32_t r = 0; r < 5; r++)
    cr_expect_eq(places.rank_host[r], expected[r], "slot %u", r);
  gb_job_places_release(&places);
  gbcast_platform_free(p);
  gbcast_platform_free(j);
}

Test(job, takes_part_on_hosts_of_a_file) {
  ranks_are("a:8\nb:8\nc:8\n", "c:2\nb:3\n", "0 3 2");
  ranks_are("a.x\nb.x\n", "b\na:4\n", "4 1"); /* short there */
  ranks_are("a\nb\n", "b.x:2\n", "0 2");      /* short here */
  ranks_are("a.x\na\n", "a:2\n", "0 2");      /* the whole name first */
  ranks_are("a.x\na.y\n", "a.y\n", "0 1");
  ranks_are("a.x\na.y\nb\n", "a\n", "hosts:2:1: the job has 'a', which 2 hosts of the file could be");
  ranks_are("a.x\n", "a.y\n",
            "hosts:1:1: the job has 'a.y', which is not in the file: 'a.x' there is of another domain");
  ranks_are("10.0.0.1\n10.0.0.2\n", "10\n",
            "hosts:1:1: the job has '10', which is not in the file: the first there is '10.0.0.1'");
  ranks_are("a\n", "a.x\na.y\n",
            "hosts:1:1: the job has 'a.y', which could be the host 'a', but so could 'a.x'");
}

Test(job, letter_case_of_names_does_not_matter) {
  ranks_are("N0\nn1\n", "n0:2\nN1\n", "2 1");
  ranks_are("N0.a.example\nn1.a.example\n", "n0:2\nN1\n", "2 1");
  ranks_are("n0\nN1\n", "N0.a.example\nn1.a.example\n", "1 1");
  ranks_are("N0\nn0\n", "n0\n", "0 1"); /* an exact match wins, */
  ranks_are("N0.x\nn0.y\n", "n0\n", "0 1");
  ranks_are("n0.x\nN0\n", "n0\n", "0 1");
  ranks_are("aB\nAb\n", "ab\n", "hosts:2:1: the job has 'ab', which 2 hosts of the file could be");
  ranks_are("N0.x\nn0.y\n", "n0\nN0\n", "1 1");
  ranks_are("N0\n", "n0.X\nn0.x\n", "2");
}

Test(job, short_names_are_told_once) {
  gbcast_platform *p = parse("a.x\nb.x\n");
  gbcast_error err = {""};
  gb_matcher m;
  uint32_t host = GB_NONE;
  bool assumed = false;
  cr_assert_eq(gb_matcher_open(&m, p, &err), GBCAST_OK);
  cr_expect_eq(gb_match(&m, "rank 0 runs on", "b", &host, &assumed, &err), GBCAST_OK);
  cr_expect(assumed && host == 1);
  cr_expect_eq(gb_match(&m, "rank 1 runs on", "b", &host, &assumed, &err), GBCAST_OK);
  cr_expect(!assumed && host == 1);
  cr_expect_eq(gb_match(&m, "rank 2 runs on", "a.x", &host, &assumed, &err), GBCAST_OK);
  cr_expect(!assumed && host == 0);
  gb_matcher_close(&m);
  gbcast_platform_free(p);
}
