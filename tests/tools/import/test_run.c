/* Hosts as ranges: whatever their names, the hosts file names the same ones. */
#include "tests/support/import.h"
#include "tests/support/rounds.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>

enum { MOST_HOSTS = 40 };

/* Runs of numbers, with zeros in front or without, between a few prefixes and suffixes; the number may be
 * missing. */
static void add_hosts(gb_import *m, uint64_t *random) {
  static const char *const prefix[] = {"n", "n1-", "", "link", "a[", "01x"}, *const suffix[] = {"", ".a",
                                                                                                ".2b", "-c",
                                                                                                "9.a"};
  const uint32_t count = 1 + xorshift(random, MOST_HOSTS), slots = 1 + xorshift(random, 2);
  gbcast_error err = {""};
  for (uint32_t made = 0; made < count;) {
    const char *before = prefix[xorshift(random, 6)], *behind = suffix[xorshift(random, 5)];
    const uint32_t first = xorshift(random, 120), length = xorshift(random, 15), width = xorshift(random, 4);
    for (uint32_t i = 0; i <= length; i++, made++) {
      char name[64];
      const int n = width == 0 && i == 0
                        ? snprintf(name, sizeof name, "%sx%s", before, behind)
                        : snprintf(name, sizeof name, "%s%0*u%s", before, (int)width, first + i, behind);
      cr_assert_eq(gb_import_add_host(m, name, (size_t)n, 0, GB_NONE, slots, &(gb_place){"file", 1, 1}, &err),
                   GBCAST_OK);
    }
  }
}

Test(run, names_the_same_hosts) {
  uint32_t lines = 0, hosts = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)ROUNDS(3000); seed++) {
    uint64_t random = seed;
    uint32_t site;
    gb_import m = {0};
    gbcast_error err = {""};
    gbcast_platform *p = NULL;
    char *text = NULL, *files[] = {NULL};
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    cr_assert_eq(gb_import_add_site(&m, "s", 1, &(gb_place){"file", 1, 1}, &site, &err), GBCAST_OK);
    do
      add_hosts(&m, &random);
    while (m.host_count == 0);
    cr_assert_eq(gb_import_write(&m, "slurm", files, out, &err), GBCAST_OK);
    cr_assert_eq(fclose(out), 0);
    cr_assert_eq(gbcast_platform_parse(text, length, "out", &p, &err), GBCAST_OK, "seed %llu: %s\n%s",
                 (unsigned long long)seed, err.message, text);
    cr_assert_eq(p->host_count, m.host_count, "seed %llu:\n%s", (unsigned long long)seed, text);
    for (uint32_t h = 0; h < p->host_count; h++)
      cr_assert(strcmp(p->host[h].name, m.host[h].name) == 0 && p->host[h].slots == m.host[h].slots,
                "seed %llu: %s is not %s\n%s", (unsigned long long)seed, p->host[h].name, m.host[h].name,
                text);
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
      lines++;
    hosts += p->host_count;
    gbcast_platform_free(p);
    gb_import_release(&m);
    free(text);
  }
  cr_expect_gt(hosts, lines, "%u hosts in %u lines", hosts, lines); /* or there would be no ranges */
}
