/* Which messages of an all-to-all wait for which, against the transitive reduction by brute force. */
#include "intra/intra.h"
#include "tests/support/random_cluster.h"

#define LINKS (4 * MOST)
#define FEW 9u
#define MESSAGES (FEW * (FEW - 1))

typedef struct relation {
  bool holds[MESSAGES][MESSAGES];
} relation;

static void close_transitively(relation *r, uint32_t count) {
  for (uint32_t via = 0; via < count; via++) {
    for (uint32_t a = 0; a < count; a++) {
      for (uint32_t b = 0; r->holds[a][via] && b < count; b++) {
        r->holds[a][b] |= r->holds[via][b];
      }
    }
  }
}

/* Every two messages that share a directed link: the earlier phase's is before the other. */
static void brute_order(const cluster_fixture *f, const uint32_t *host, const gb_phases *phases,
                        relation *order) {
  static uint32_t used[MESSAGES][LINKS];
  memset(order, 0, sizeof *order);
  memset(used, 0, sizeof used);
  for (uint32_t k = 0; k < phases->message_count; k++) {
    mark_path(f, host[phases->message[k].from], host[phases->message[k].to], used[k]);
  }
  for (uint32_t b = 0; b < phases->message_count; b++) {
    for (uint32_t a = 0; a < phases->message_count; a++) {
      for (uint32_t link = 0; link < LINKS && phases->phase[a] < phases->phase[b]; link++) {
        order->holds[a][b] |= used[a][link] && used[b][link];
      }
    }
  }
}

/* Whether a is before b, and not by way of another. */
static bool is_direct(const relation *closed, uint32_t a, uint32_t b, uint32_t count) {
  bool direct = closed->holds[a][b];
  for (uint32_t via = 0; direct && via < count; via++) {
    direct = !(closed->holds[a][via] && closed->holds[via][b]);
  }
  return direct;
}

static void expect_reduction(const cluster_fixture *f, const uint32_t *host, const gb_phases *phases,
                             const gb_dependences *found) {
  static relation closed;
  const uint32_t count = phases->message_count;
  brute_order(f, host, phases, &closed);
  close_transitively(&closed, count);
  size_t at = 0;
  for (uint32_t b = 0; b < count; b++) {
    for (uint32_t a = 0; a < count; a++) {
      if (is_direct(&closed, a, b, count)) {
        cr_assert(at < found->count && found->dependence[at].before == a && found->dependence[at].after == b,
                  "%u before %u of %u is missing, or something else is too many", a, b, count);
        at++;
      }
    }
  }
  cr_assert_eq(at, found->count);
}

Test(alltoall_order, is_the_transitive_reduction) {
  for (uint32_t round = 0; round < 600; round++) {
    cluster_fixture f;
    uint32_t chosen[MOST] = {0};
    const uint32_t hosts = 1 + rng(FEW);
    random_cluster(&f, rng(round % 2 == 0 ? 5 : 20), hosts);
    (void)pick(hosts, chosen);
    gb_machines m;
    gb_phases phases;
    gb_dependences found;
    gbcast_error err = {""};
    cr_assert_eq(gb_machines_new(&f.p, chosen, hosts, &m, &err), GBCAST_OK, "%s", err.message);
    cr_assert_eq(gb_phases_new(&m, &phases, &err), GBCAST_OK, "%s", err.message);
    cr_assert_eq(gb_dependences_new(&m, &phases, &found, &err), GBCAST_OK, "%s", err.message);
    expect_reduction(&f, chosen, &phases, &found);
    gb_dependences_free(&found);
    gb_phases_free(&phases);
    gb_machines_free(&m);
  }
}

/* On more machines than a row of the table holds: the neighbours on each link, and only those, are ordered
 * by what is left, which loses a pair when any of it is taken away. */
Test(alltoall_order, keeps_all_links_ordered_among_many_machines) {
  cluster_fixture f;
  random_cluster(&f, 7, MOST);
  uint32_t chosen[MOST] = {0};
  (void)pick(MOST, chosen);
  gb_machines m;
  gb_phases phases;
  gb_dependences found;
  gbcast_error err = {""};
  cr_assert_eq(gb_machines_new(&f.p, chosen, MOST, &m, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_phases_new(&m, &phases, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_dependences_new(&m, &phases, &found, &err), GBCAST_OK, "%s", err.message);
  const uint32_t count = phases.message_count;
  bool *before = calloc((size_t)count * count, sizeof *before); /* after * count + before */
  uint32_t last[LINKS], used[LINKS];
  memset(last, 0xff, sizeof last);
  size_t at = 0;
  for (uint32_t k = 0; k < count; k++) {
    bool *row = &before[(size_t)k * count];
    const size_t first = at;
    for (; at < found.count && found.dependence[at].after == k; at++) {
      const uint32_t earlier = found.dependence[at].before;
      cr_assert(phases.phase[earlier] < phases.phase[k]);
      for (uint32_t a = 0; a < earlier; a++) {
        row[a] |= before[(size_t)earlier * count + a];
      }
    }
    for (size_t i = first; i < at; i++) { /* none of them follows from the others */
      cr_assert(!row[found.dependence[i].before]);
    }
    for (size_t i = first; i < at; i++) {
      row[found.dependence[i].before] = true;
    }
    memset(used, 0, sizeof used);
    mark_path(&f, chosen[phases.message[k].from], chosen[phases.message[k].to], used);
    for (uint32_t link = 0; link < LINKS; link++) {
      if (used[link] > 0) {
        cr_assert(last[link] == GB_NONE || row[last[link]], "%u is not before %u", last[link], k);
        last[link] = k;
      }
    }
  }
  free(before);
  gb_dependences_free(&found);
  gb_phases_free(&phases);
  gb_machines_free(&m);
}
