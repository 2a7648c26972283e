/* What TCP's settings cost on the links of a file, and the reading of these settings. */
#include "tools/doctor/doctor.h"
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <unistd.h>

/* 1 Gbit/s with a round trip of 40 ms: 5 MB under way, which take buffers of 10 MB. */
static const char far[] = "cluster a bandwidth=1Gbit/s\na0\ncluster b bandwidth=1Gbit/s\nb0\n"
                          "link a b latency=20ms bandwidth=1Gbit/s\n",
                  known[] = "cluster a\na0\ncluster b\nb0\n"
                            "link a b latency=20ms bandwidth=1Gbit/s initial-window=14480\n",
                  near[] = "cluster a\na0\ncluster b\nb0\nlink a b latency=50us bandwidth=10Mbit/s\n";

/* What is found; to be freed. */
static char *judge(const char *text, gb_tcp tcp, unsigned bad) {
  gb_doctor d = {.hosts = "hosts.txt"};
  gbcast_error err = {""};
  char *said = calloc(4096, 1);
  cr_redirect_stdout();
  cr_assert_eq(gbcast_platform_parse(text, strlen(text), "hosts.txt", &d.platform, &err), GBCAST_OK, "%s",
               err.message);
  gb_tcp_judge(&d, &tcp);
  fflush(stdout);
  cr_assert_gt(fread(said, 1, 4095, cr_get_redirected_stdout()), 0);
  cr_expect_eq(d.bad, bad, "%u findings: %s", d.bad, said);
  gbcast_platform_free(d.platform);
  return said;
}

static void expect(const char *text, gb_tcp tcp, unsigned bad, const char *told) {
  char *said = judge(text, tcp, bad);
  cr_expect(strstr(said, told) != NULL, "'%s' is not in: %s", told, said);
  free(said);
}

Test(tcp, buffers_that_are_too_small) {
  expect(
      far, (gb_tcp){.receive = 6e6, .send = 16e6}, 1,
      "warn  tcp       tcp_rmem allows a stream 600Mbit/s of the 1Gbit/s of a -> b: on all hosts sysctl -w "
      "net.ipv4.tcp_rmem='4096 131072 16777216'\n");
}

Test(tcp, the_other_buffer) {
  expect(far, (gb_tcp){.receive = 16e6, .send = 1e6}, 1, "tcp_wmem allows a stream 100Mbit/s ");
}

Test(tcp, buffers_that_are_large_enough) {
  expect(far, (gb_tcp){.receive = 10e6, .send = 10e6}, 0, "ok    tcp ");
}

Test(tcp, nothing_is_known) {
  expect(far, (gb_tcp){0}, 0, "ok    tcp ");
}

Test(tcp, slow_start_that_plans_do_not_know) {
  expect(far, (gb_tcp){.receive = 16e6, .send = 16e6, .starts_slowly = true}, 1,
         "add initial-window=14480 to the lines of its links");
}

Test(tcp, slow_start_that_plans_know) {
  expect(known, (gb_tcp){.receive = 16e6, .send = 16e6, .starts_slowly = true}, 0, "as plans know");
}

Test(tcp, slow_start_that_is_off) {
  expect(known, (gb_tcp){.receive = 16e6, .send = 16e6}, 1, "remove initial-window= from hosts.txt");
}

Test(tcp, slow_start_on_a_short_way) {
  expect(near, (gb_tcp){.receive = 16e6, .send = 16e6, .starts_slowly = true}, 0, "ok    tcp ");
}

static void write_file(const char *folder, const char *name, const char *text) {
  char path[256];
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *out = fopen(path, "w");
  cr_assert(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
}

Test(tcp, settings_of_a_machine) {
  char folder[] = "/tmp/gbcast-tcp.XXXXXX", path[256];
  static const char *const name[] = {"tcp_rmem", "tcp_wmem", "tcp_slow_start_after_idle"};
  cr_assert(mkdtemp(folder) != NULL);
  write_file(folder, name[0], "4096\t131072\t6291456\n");
  write_file(folder, name[1], "4096\t16384\t4194304\n");
  write_file(folder, name[2], "1\n");
  const gb_tcp tcp = gb_tcp_read(folder);
  cr_expect(tcp.receive == 6291456 && tcp.send == 4194304 && tcp.starts_slowly);
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
    (void)snprintf(path, sizeof path, "%s/%s", folder, name[i]);
    cr_expect_eq(unlink(path), 0);
  }
  const gb_tcp none = gb_tcp_read(folder);
  cr_expect(none.receive == 0 && none.send == 0 && !none.starts_slowly);
  cr_expect_eq(rmdir(folder), 0);
}
