/* Random live values over random platforms: the links have what the rules say, said again in another way. */
#include "tests/support/overlays.h"
#include "tests/support/random_platform.h"

#include <ctype.h>

static const gb_grid_kind all_kinds = {
    .sites = 6, .hosts = 4, .slots = 1, .caps = true, .sparse = true, .measured = true};

enum { PLANNED = 10 }; /* of so many platforms one: planning takes the most time */

/* A name for something in the cluster; *end tells two ends from each other. */
static void random_name(gb_random *r, const gbcast_platform *p, uint32_t cluster, char name[64],
                        uint32_t *end) {
  const gb_cluster *c = &p->cluster[cluster];
  uint32_t k = random_below(r, c->host_count + 1);
  uint32_t host = k < c->host_count ? p->host_of_cluster[c->host_start + k] : GB_NONE;
  *end = host == GB_NONE ? p->host_count + cluster : host;
  snprintf(name, 64, "%s%s", host == GB_NONE ? c->name : p->host[host].name,
           host != GB_NONE && random_below(r, 2) ? ":8060" : "");
  if (random_below(r, 2))
    name[0] = (char)toupper((unsigned char)name[0]);
}

Test(overlay_random, the_files_own_values_change_nothing) {
  for (uint64_t seed = 1; seed <= 300; seed++) {
    gb_random r = {seed};
    gbcast_platform *p = random_platform(&r, all_kinds);
    char *before = print(p);
    uint64_t plain = seed % PLANNED == 0 ? hash(p) : 0;
    gb_live live = {.source = "own"};
    for (uint32_t i = 0; i < p->link_count; i++) {
      const gb_link *l = &p->link[i];
      char from[64], to[64];
      uint32_t end;
      random_name(&r, p, l->from, from, &end);
      random_name(&r, p, l->to, to, &end);
      double rate = isfinite(l->stream_bandwidth) ? l->stream_bandwidth : l->bandwidth;
      add(&live, (gb_live_value){from, to, l->latency, -1, rate, -1, random_below(&r, 600)});
    }
    gbcast_error err = {""};
    cr_assert_eq(gb_live_overlay(p, &live, 600, &err), GBCAST_OK, "%s", err.message);
    cr_assert_eq(p->weather->count, p->link_count, "not every name was found");
    char *after = print(p);
    cr_assert_str_eq(after, before);
    if (seed % PLANNED == 0)
      cr_assert_eq(hash(p), plain);
    free(before);
    free(after);
    gb_live_release(&live);
    gbcast_platform_free(p);
  }
}

/* One of many random values, with what the test knows about it. */
typedef struct drawn {
  uint32_t from, to, ends[2];
  gb_live_value value;
} drawn;

enum { DRAWN = 60, MAX_AGE = 100 };

static bool usable(double value, double age) {
  return isfinite(value) && value > 0 && age <= MAX_AGE;
}

/* The rules of overlay.h, said again: the newest usable value of each series, and of these the best. */
static double expected(const drawn *d, const gb_link *l, bool rate, double otherwise) {
  double best = otherwise;
  bool any = false, certain = false;
  for (int i = 0; i < DRAWN; i++) {
    double value = rate ? d[i].value.bandwidth : d[i].value.latency;
    double error = rate ? d[i].value.bandwidth_error : d[i].value.latency_error;
    if (d[i].from != l->from || d[i].to != l->to || !usable(value, d[i].value.age))
      continue;
    bool newest = true;
    for (int k = 0; k < DRAWN; k++)
      if (d[k].ends[0] == d[i].ends[0] && d[k].ends[1] == d[i].ends[1] &&
          usable(rate ? d[k].value.bandwidth : d[k].value.latency, d[k].value.age) &&
          (d[k].value.age < d[i].value.age || (d[k].value.age == d[i].value.age && k > i)))
        newest = false;
    if (!newest)
      continue;
    bool sure = !(error > value / 4);
    bool better = rate ? value > best : value < best;
    if (!any || (sure && !certain) || (sure == certain && better))
      best = value;
    certain = certain || sure;
    any = true;
  }
  return best;
}

static drawn draw(gb_random *r, const gbcast_platform *p, char name[2][64]) {
  static const double odd[] = {-1, 0, NAN, INFINITY, 1e300};
  drawn d = {.from = random_below(r, p->cluster_count), .to = random_below(r, p->cluster_count)};
  random_name(r, p, d.from, name[0], &d.ends[0]);
  random_name(r, p, d.to, name[1], &d.ends[1]);
  d.value.latency = random_below(r, 5) ? 1e-3 * (1 + random_below(r, 9)) : odd[random_below(r, 4)];
  d.value.bandwidth = random_below(r, 5) ? 1e6 * (1 + random_below(r, 9)) : odd[random_below(r, 5)];
  d.value.latency_error = random_below(r, 2) ? 5e-4 * random_below(r, 5) : -1;
  d.value.bandwidth_error = random_below(r, 2) ? 5e5 * random_below(r, 5) : -1;
  d.value.age = random_below(r, MAX_AGE * 5 / 4);
  d.value.from = name[0];
  d.value.to = name[1];
  if (d.value.bandwidth > 1e18)
    d.value.bandwidth = INFINITY;
  return d;
}

Test(overlay_random, random_values) {
  uint32_t changed = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    gb_random r = {seed};
    gb_grid_kind kind = all_kinds;
    kind.sites = 4;
    gbcast_platform *p = random_platform(&r, kind), *old;
    char *before = print(p);
    old = parse(before);
    drawn d[DRAWN];
    gb_live live = {.source = "random"};
    for (int i = 0; i < DRAWN; i++) {
      char name[2][64];
      d[i] = draw(&r, p, name);
      add(&live, d[i].value);
    }
    gbcast_error err = {""};
    cr_assert_eq(gb_live_overlay(p, &live, MAX_AGE, &err), GBCAST_OK, "%s", err.message);
    cr_assert_eq(p->link_count, old->link_count, "a link came or went");
    for (uint32_t i = 0; i < p->link_count; i++) {
      const gb_link *l = &p->link[i], *was = &old->link[i];
      bool stream = isfinite(was->stream_bandwidth);
      double latency = expected(d, was, false, was->latency);
      double rate = expected(d, was, true, stream ? was->stream_bandwidth : was->bandwidth);
      cr_assert_eq(l->latency, latency, "seed %d: latency %g instead of %g", (int)seed, l->latency, latency);
      cr_assert_eq(stream ? l->stream_bandwidth : l->bandwidth, rate, "seed %d, of %g: bandwidth %g not %g",
                   (int)seed, was->bandwidth, l->bandwidth, rate);
      cr_assert(l->bandwidth == was->bandwidth || l->bandwidth == rate);
      cr_assert(l->injection == was->injection && l->overhead == was->overhead);
      bool dropped = rate != (stream ? was->stream_bandwidth : was->bandwidth);
      cr_assert_eq(l->plogp.count, dropped ? 0 : was->plogp.count);
      for (uint32_t k = 0; k < l->plogp.count; k++) {
        double moved = was->plogp.point[k].latency + (latency - was->latency);
        cr_assert_eq(l->plogp.point[k].latency, moved < 1e-15 ? 0 : moved);
        cr_assert_eq(l->plogp.point[k].gap, was->plogp.point[k].gap);
      }
      changed += latency != was->latency;
    }
    for (uint32_t c = 0; c < p->cluster_count; c++)
      cr_assert(p->cluster[c].latency == old->cluster[c].latency &&
                p->cluster[c].wan_bandwidth == old->cluster[c].wan_bandwidth);
    if (seed % PLANNED == 0)
      (void)hash(p); /* is planned on as any other */
    char *after = print(p);
    gbcast_platform_free(parse(after)); /* and prints as a hosts file */
    free(after);
    free(before);
    gb_live_release(&live);
    gbcast_platform_free(p);
    gbcast_platform_free(old);
  }
  cr_assert_gt(changed, 1000, "only %u links changed", changed);
}
