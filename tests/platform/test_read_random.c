/* Random platforms print and read back as the same bits; damaged files never do harm. The seeds are fixed. */
#include "platform/platform.h"
#include "tests/support/rounds.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#ifndef GB_TEST_DATA
#define GB_TEST_DATA "tests/data"
#endif

typedef struct maker {
  uint64_t state;
  FILE *out;
  unsigned clusters, hosts, switches;
} maker;

static unsigned pick(maker *m, unsigned below) { /* xorshift64* */
  m->state ^= m->state >> 12;
  m->state ^= m->state << 25;
  m->state ^= m->state >> 27;
  return (unsigned)((m->state * 2685821657736338717u) >> 33) % below;
}

static void number(maker *m, const char *key, bool rate) {
  static const char *const times[] = {"ns", "us", "ms", "s"};
  static const char *const rates[] = {"bit/s", "kbit/s",  "Mbit/s", "Gbit/s", "Tbit/s",
                                      "MiB/s", "Kibit/s", "kB/s",   "GB/s"};
  const char *unit = rate ? rates[pick(m, 9)] : times[pick(m, 4)];
  if (pick(m, 3) == 0)
    fprintf(m->out, " %s=%u.%u%ue-%u%s", key, 1 + pick(m, 9), pick(m, 1u << 30), pick(m, 1u << 30),
            pick(m, 3), unit);
  else
    fprintf(m->out, " %s=%u%s", key, 1 + pick(m, 2000), unit);
}

static void maybe(maker *m, const char *key, bool rate) {
  if (pick(m, 2) == 0)
    number(m, key, rate);
}

static void host(maker *m, bool lines, bool suffix) {
  static const char *const extra[] = {"", " max_slots=9", " foo=bar", " a = b c=d"};
  if (pick(m, 6) == 0)
    fprintf(m->out, "u%u@", pick(m, 3));
  unsigned h = m->hosts++;
  unsigned kind = pick(m, 8);
  if (kind == 0)
    fprintf(m->out, "[fe80::%x]", h);
  else if (kind == 1)
    fprintf(m->out, "r%u[0-%u,0%u]", h, pick(m, 3), 10 + pick(m, 9));
  else
    fprintf(m->out, "h%u", h);
  if (suffix && kind != 0)
    fprintf(m->out, ".c%u", pick(m, m->clusters));
  if (pick(m, 3) == 0)
    fprintf(m->out, ":%u", 1 + pick(m, 9));
  if (lines && pick(m, 5) == 0)
    fprintf(m->out, " cluster=c%u", pick(m, m->clusters));
  fprintf(m->out, "%s\n", extra[pick(m, 4)]);
}

static void links(maker *m) {
  for (unsigned i = 0; i < m->clusters; i++) {
    unsigned next = (i + 1) % m->clusters;
    if (m->clusters == 1 || (m->clusters == 2 && i == 1))
      return;
    fprintf(m->out, "link c%u c%u", i, next);
    number(m, "latency", false);
    number(m, "bandwidth", true);
    maybe(m, "injection", false);
    maybe(m, "stream-bandwidth", true);
    if (pick(m, 3) == 0)
      fprintf(m->out, " initial-window=%u", 1 + pick(m, 1000000));
    if (pick(m, 3) == 0)
      fprintf(m->out,
              " egress=%uUSD/Ti"
              "B",
              pick(m, 200));
    fputc('\n', m->out);
    if (pick(m, 2) == 0) {
      fprintf(m->out, "link c%u -> c%u overhead=0us", next, i);
      number(m, "latency", false);
      number(m, "bandwidth", true);
      fputc('\n', m->out);
    }
    for (unsigned k = pick(m, 4); k > 0; k--) {
      fprintf(m->out, "plogp c%u %sc%u size=%u%s", i, pick(m, 2) ? "-> " : "", next, k,
              pick(m, 2) ? "k" : "");
      number(m, "gap", false);
      number(m, "latency", false);
      maybe(m, "os", false);
      maybe(m, "or", false);
      fputc('\n', m->out);
    }
  }
}

/* style 0: cluster lines; 1: groups by suffix with links; 2: groups by suffix alone */
static void make(maker *m, unsigned style) {
  m->clusters = 1 + pick(m, 5);
  if (style < 2 && pick(m, 2) == 0)
    links(m), style += 4;
  unsigned first = pick(m, m->clusters);
  for (unsigned i = 0; i < m->clusters; i++) {
    unsigned c = (first + i) % m->clusters;
    if (pick(m, 3) == 0) {
      fprintf(m->out, "plogp c%u size=%u", c, 1 + pick(m, 99999));
      number(m, "gap", false);
      fprintf(m->out, " latency=0us");
      maybe(m, "os", false);
      maybe(m, "or", false);
      fputc('\n', m->out);
    }
    if (style % 4 == 0) {
      fprintf(m->out, "cluster c%u", c);
      maybe(m, "latency", false);
      maybe(m, "bandwidth", true);
      maybe(m, "overhead", false);
      maybe(m, "reduce", false);
      maybe(m, "wan-bandwidth", true);
      if (pick(m, 3) == 0)
        fprintf(m->out, " contention=%.*g", 1 + (int)pick(m, 17), pick(m, 1000000) / 9999.0);
      if (pick(m, 3) == 0)
        fprintf(m->out, " egress=0.%02uUSD/GB", pick(m, 100));
      if (pick(m, 3) == 0)
        fprintf(m->out, " hire=%u.%uUSD/h", pick(m, 10), pick(m, 1000));
      if (pick(m, 4) == 0)
        fputs(" relay", m->out);
      if (pick(m, 3) == 0)
        fprintf(m->out, " leader=lead%u", c);
      fputc('\n', m->out);
    }
    fprintf(m->out, style % 4 == 0 ? "lead%u\n" : "lead%u.c%u\n", c, c);
    if (style % 4 == 0 && pick(m, 2) == 0)
      fprintf(m->out, "beside%u\nu0@lead%u:%u\n", c, c, 1 + pick(m, 3));
    for (unsigned s = 0, n = pick(m, 4); s < n && style % 4 == 0; s++) {
      fprintf(m->out, "switch s%u", s);
      if (s > 0 && pick(m, 2) == 0)
        fprintf(m->out, " uplink=s%u", pick(m, s));
      maybe(m, "latency", false);
      maybe(m, "bandwidth", true);
      fputc('\n', m->out);
      for (unsigned k = pick(m, 4); k > 0; k--)
        host(m, true, false);
      if (pick(m, 2) == 0)
        fprintf(m->out, "[fe80:%x::%x]\nodd%u-%u:2\n[fe80:%x::%x]:3\n", c + 1, s + 1, c, s, c + 1, s + 1);
    }
    for (unsigned k = pick(m, 4); k > 0; k--)
      host(m, style % 4 == 0, style % 4 != 0);
    if (style % 4 != 0) { /* the slots of a host need not follow each other, nor those of a cluster */
      unsigned before = (first + pick(m, i + 1)) % m->clusters;
      fprintf(m->out, "lead%u.c%u:%u\n", before, before, 1 + pick(m, 3));
    }
  }
  if (style % 4 != 0 && pick(m, 2) == 0)
    fprintf(m->out, "q.c0 cluster=c%u\nswitch w uplink=v\nw.c0\nw2.c0\nswitch v\n", pick(m, m->clusters));
  if (style < 2)
    links(m);
}

static char *random_text(uint64_t seed, size_t *length) {
  maker m = {.state = seed * 2654435761u + 1};
  char *text = NULL;
  m.out = open_memstream(&text, length);
  make(&m, (unsigned)(seed % 3));
  fclose(m.out);
  return text;
}

static char *print(const gbcast_platform *p, size_t *length) {
  char *text = NULL;
  FILE *out = open_memstream(&text, length);
  cr_assert_eq(gbcast_platform_print(p, out), GBCAST_OK);
  fclose(out);
  return text;
}

static bool same_text(const char *a, const char *b) {
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_bits(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

static void same_table(const gb_plogp *a, const gb_plogp *b) {
  cr_assert_eq(a->count, b->count);
  for (uint32_t i = 0; i < a->count; i++) {
    const gb_plogp_point *x = &a->point[i];
    const gb_plogp_point *y = &b->point[i];
    cr_assert(x->bytes == y->bytes && same_bits(x->gap, y->gap) && same_bits(x->latency, y->latency) &&
              same_bits(x->send_overhead, y->send_overhead) &&
              same_bits(x->receive_overhead, y->receive_overhead));
    cr_assert(i == 0 || a->point[i - 1].bytes < x->bytes);
  }
}

static void same_platform(const gbcast_platform *a, const gbcast_platform *b) {
  cr_assert_eq(a->host_count, b->host_count);
  cr_assert_eq(a->switch_count, b->switch_count);
  cr_assert_eq(a->cluster_count, b->cluster_count);
  cr_assert_eq(a->link_count, b->link_count);
  cr_assert_eq(a->assumed_mesh, b->assumed_mesh);
  cr_assert_eq(a->slot_count, b->slot_count);
  for (uint32_t i = 0; i < a->host_count; i++) {
    const gb_host *x = &a->host[i];
    const gb_host *y = &b->host[i];
    cr_assert(same_text(x->name, y->name) && same_text(x->user, y->user) && same_text(x->extra, y->extra));
    cr_assert(x->cluster == y->cluster && x->sw == y->sw && x->slots == y->slots, "%s", x->name);
    cr_assert_eq(a->host_of_cluster[i], b->host_of_cluster[i]);
  }
  cr_assert_eq(a->run_count, b->run_count);
  cr_assert_eq(memcmp(a->run, b->run, a->run_count * sizeof *a->run), 0, "the slots are in another order");
  for (uint32_t i = 0; i < a->switch_count; i++) {
    const gb_switch *x = &a->sw[i];
    const gb_switch *y = &b->sw[i];
    cr_assert(same_text(x->name, y->name) && x->cluster == y->cluster && x->uplink == y->uplink &&
              x->depth == y->depth && same_bits(x->bandwidth, y->bandwidth) &&
              same_bits(x->latency, y->latency));
  }
  for (uint32_t i = 0; i < a->cluster_count; i++) {
    const gb_cluster *x = &a->cluster[i];
    const gb_cluster *y = &b->cluster[i];
    cr_assert(same_text(x->name, y->name) && x->leader == y->leader && same_bits(x->latency, y->latency) &&
              same_bits(x->bandwidth, y->bandwidth) && same_bits(x->overhead, y->overhead) &&
              same_bits(x->wan_bandwidth, y->wan_bandwidth) && x->assumed_bandwidth == y->assumed_bandwidth &&
              same_bits(x->contention, y->contention));
    cr_assert(x->host_start == y->host_start && x->host_count == y->host_count &&
              x->switch_count == y->switch_count && x->top_count == y->top_count &&
              x->has_loose_hosts == y->has_loose_hosts);
    cr_assert_eq(a->link_start[i + 1], b->link_start[i + 1]);
    same_table(&x->plogp, &y->plogp);
  }
  for (uint32_t i = 0; i < a->link_count; i++) {
    const gb_link *x = &a->link[i];
    const gb_link *y = &b->link[i];
    cr_assert(x->from == y->from && x->to == y->to && same_bits(x->latency, y->latency) &&
              same_bits(x->bandwidth, y->bandwidth) && same_bits(x->overhead, y->overhead) &&
              same_bits(x->stream_bandwidth, y->stream_bandwidth) &&
              same_bits(x->initial_window, y->initial_window) && same_bits(x->injection, y->injection));
    same_table(&x->plogp, &y->plogp);
  }
}

static void round_trip(const gbcast_platform *p) {
  size_t length = 0;
  size_t again = 0;
  gbcast_platform *back = NULL;
  gbcast_error err = {""};
  char *text = print(p, &length);
  cr_assert_eq(gbcast_platform_parse(text, length, "printed", &back, &err), GBCAST_OK, "%s\n%s", err.message,
               text);
  same_platform(p, back);
  char *twice = print(back, &again);
  cr_assert_str_eq(text, twice);
  gbcast_platform_free(back);
  free(text);
  free(twice);
}

Test(platform_random, round_trip) {
  unsigned good = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)ROUNDS(3000); seed++) {
    size_t length = 0;
    gbcast_platform *p = NULL;
    gbcast_error err = {""};
    char *text = random_text(seed, &length);
    int status = gbcast_platform_parse(text, length, "random", &p, &err);
    if (status == GBCAST_OK) /* repeated links and sizes are thrown now and then */
      round_trip(p);
    good += status == GBCAST_OK;
    gbcast_platform_free(p);
    free(text);
  }
  cr_assert_gt(good, (unsigned)ROUNDS(1000), "%u", good);
}

Test(platform_random, round_trip_of_the_example) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_read(GB_TEST_DATA "/platforms/platform-sites.txt", &p, &err), GBCAST_OK, "%s",
               err.message);
  round_trip(p);
  gbcast_platform_free(p);
}

Test(platform_random, mutations_do_no_harm) {
  static const char dictionary[] = "[]-,:=@# \t\n\r\0\x7f\xff\xc3\xa9.0123456789>kMGusbit/";
  maker m = {.state = 42};
  for (uint64_t seed = 1; seed <= (uint64_t)ROUNDS(20000); seed++) {
    size_t length = 0;
    char *text = random_text(seed % 200, &length);
    char *bad = malloc(length + 16); /* no spare byte is readable under the sanitizer once it is cut */
    memcpy(bad, text, length);
    for (unsigned n = 1 + pick(&m, 4); n > 0 && length > 1; n--) {
      size_t at = pick(&m, (unsigned)length);
      char byte = pick(&m, 4) == 0 ? (char)pick(&m, 256) : dictionary[pick(&m, sizeof dictionary - 1)];
      unsigned kind = pick(&m, 3);
      if (kind == 0) {
        bad[at] = byte;
      } else if (kind == 1) {
        memmove(bad + at, bad + at + 1, --length - at);
      } else {
        memmove(bad + at + 1, bad + at, length++ - at);
        bad[at] = byte;
      }
    }
    char *exact = malloc(length);
    memcpy(exact, bad, length);
    gbcast_platform *p = NULL;
    gbcast_error err = {""};
    int status = gbcast_platform_parse(exact, length, "mutated", &p, &err);
    free(exact);
    if (status == GBCAST_OK && gbcast_platform_hosts(p) < 1000)
      round_trip(p);
    if (status != GBCAST_OK)
      cr_assert(status == GBCAST_EINPUT && strncmp(err.message, "mutated:", 8) == 0 && p == NULL, "%s",
                err.message);
    gbcast_platform_free(p);
    free(bad);
    free(text);
  }
}
