/* How much of a processor's time planning takes, and how much memory: grids of the sizes that the project
 * promises, with uniform clusters on one switch each and with unlike ones on four, all links present or a
 * fifth of them; a small message, and those that take longest, as a job plans them: no candidates are
 * listed. */
#include <gbcast/plan.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned long draw(unsigned long *state, unsigned long bound) {
  *state = (*state * 6364136223846793005ul + 1442695040888963407ul) & 0xffffffffffffffful;
  return (*state >> 20) % bound;
}

static char *describe(unsigned hosts, unsigned sites, bool alike, size_t *length) {
  static const unsigned rate[] = {50, 100, 200, 622, 1000};
  char *text = NULL;
  FILE *out = open_memstream(&text, length);
  if (!out)
    return NULL;
  unsigned long seed = 7;
  unsigned each = hosts / sites;
  for (unsigned c = 0; c < sites; c++) {
    unsigned latency = alike ? 50 : 20 + (unsigned)draw(&seed, 180);
    fprintf(out, "cluster c%u latency=%uus bandwidth=%uMbit/s\n", c, latency,
            alike ? 1000 : rate[draw(&seed, 5)]);
    for (unsigned s = 0; s < 4 && !alike; s++) {
      fprintf(out, "switch c%us%u", c, s);
      if (s)
        fprintf(out, " uplink=c%us%lu", c, draw(&seed, s));
      fprintf(out, "\nn[0-%u].s%u.c%u\n", each / 4 - 1, s, c);
    }
    if (alike)
      fprintf(out, "n[0-%u].c%u\n", each - 1, c);
  }
  for (unsigned a = 0; a < sites; a++)
    for (unsigned b = 0; b < a; b++)
      if (alike || b + 1 == a || draw(&seed, 5) == 0) {
        unsigned long us = 1000 + draw(&seed, 80000);
        fprintf(out, "link c%u c%u latency=%luus bandwidth=%uMbit/s\n", a, b, us, rate[draw(&seed, 5)]);
      }
  fclose(out);
  return text;
}

static int measure(unsigned hosts, unsigned sites, bool alike, uint64_t bytes) {
  size_t length = 0;
  char *text = describe(hosts, sites, alike, &length);
  if (!text)
    return 1;
  gbcast_platform *platform = NULL;
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  double start = now();
  int status = gbcast_platform_parse(text, length, "bench", &platform, &err);
  double read = now();
  gbcast_request request = {.bytes = bytes, .chosen_only = true};
  if (status == GBCAST_OK)
    status = gbcast_plan_make(platform, &request, &plan, &err);
  double end = now();
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  if (status == GBCAST_OK)
    printf("%6u %6u  %-9s %10llu  %7.3f s %7.3f s  %6ld MiB  %.3f\n", hosts, sites,
           alike ? "alike" : "unlike", (unsigned long long)bytes, read - start, end - read,
           usage.ru_maxrss / 1024, gbcast_plan_predicted(plan) / gbcast_plan_lower_bound(plan));
  else
    fprintf(stderr, "plan_speed: %s\n", err.message);
  gbcast_plan_free(plan);
  gbcast_platform_free(platform);
  free(text);
  return status != GBCAST_OK;
}

int main(void) {
  static const uint64_t size[] = {1 << 10, 1 << 17, 1 << 18, 1 << 22, 1 << 30};
  printf(" hosts  sites  clusters       bytes    reading   planning  memory  predicted/bound\n");
  int failed = 0;
  for (int alike = 1; alike >= 0; alike--)
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
      failed |= measure(128, 8, alike, size[i]);
      failed |= measure(1024, 32, alike, size[i]);
      failed |= measure(16384, 256, alike, size[i]);
    }
  return failed;
}
