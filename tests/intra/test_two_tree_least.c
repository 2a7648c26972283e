/* The depth of the two-tree against the least that any pair of trees has, found by trying all of them. */
#include "tests/intra/two_tree_checks.h"
#include "tests/support/rounds.h"

/* All trees over f.chosen in which no host has more than two children and the source one, by what pairing
 * them has to know: the inner hosts and how often each cable is used. A cable that a tree uses twice away
 * from the source leaves no room for the other tree, so such trees are left out; uses towards the source are
 * 0 .. 2. */
enum { FEW = 8, CABLES = 5, KINDS = 1 << (FEW - 1 + 2 * CABLES) };

typedef struct search {
  uint8_t least[KINDS]; /* the least depth of a tree of a kind, 0: there is none */
  uint32_t kind[KINDS], kinds;
  uint32_t parent[FEW], children[FEW];
  uint32_t used[FEW][FEW][2]; /* cables on the path from a to b, one bit each: up, down */
  uint32_t up_to_source;      /* cables that lead up towards the source's side */
} search;

static search all;

static void count_kind(void) {
  uint32_t depth[FEW] = {0}, most = 0, kind = 0, down = 0, up = 0, twice = 0;
  uint32_t uses[CABLES] = {0};
  for (uint32_t i = 1; i < f.count; i++) {
    uint32_t at = i;
    for (; at != 0 && depth[i] <= f.count; at = all.parent[at]) {
      depth[i]++;
    }
    if (at != 0) {
      return; /* a cycle */
    }
    most = depth[i] > most ? depth[i] : most;
    kind |= all.children[i] > 0 ? 1u << (i - 1) : 0;
    for (uint32_t c = 0; c < CABLES; c++) {
      /* away from the source, towards it */
      uint32_t flip = all.up_to_source >> c & 1;
      uint32_t away = all.used[all.parent[i]][i][1 - flip] >> c & 1;
      uint32_t towards = all.used[all.parent[i]][i][flip] >> c & 1;
      twice |= away & (down >> c);
      down |= away << c;
      uses[c] += towards;
    }
  }
  for (uint32_t c = 0; c < CABLES; c++) {
    up |= uses[c] << (2 * c);
    twice |= uses[c] > 2;
  }
  kind |= up << (FEW - 1);
  if (twice == 0 && (all.least[kind] == 0 || most < all.least[kind])) {
    if (all.least[kind] == 0) {
      all.kind[all.kinds++] = kind;
    }
    all.least[kind] = (uint8_t)most;
  }
}

static bool fits(uint32_t a, uint32_t b) {
  const uint32_t inner = (1u << (FEW - 1)) - 1;
  if ((a & b & inner) != 0) {
    return false;
  }
  for (uint32_t c = 0; c < CABLES; c++) {
    uint32_t shift = FEW - 1 + 2 * c;
    if ((a >> shift & 3) + (b >> shift & 3) > 2) {
      return false;
    }
  }
  return true;
}

/* The least depth that the deeper one of a pair of trees can have. */
static uint32_t least_depth(void) {
  memset(all.least, 0, sizeof all.least);
  memset(all.children, 0, sizeof all.children);
  all.kinds = 0;
  for (uint32_t a = 0; a < f.count; a++) {
    for (uint32_t b = 0; b < f.count; b++) {
      static uint32_t used[4 * MOST];
      memset(used, 0, sizeof used);
      mark_path(f.chosen[a], f.chosen[b], used);
      all.used[a][b][0] = all.used[a][b][1] = 0;
      for (uint32_t c = 0; c < CABLES; c++) {
        all.used[a][b][0] |= (uint32_t)(used[2 * (MOST + c)] > 0) << c;
        all.used[a][b][1] |= (uint32_t)(used[2 * (MOST + c) + 1] > 0) << c;
      }
    }
  }
  /* the source is below a cable: away from it is up */
  all.up_to_source = 0;
  for (uint32_t s = f.host[f.chosen[0]].sw; s != GB_NONE; s = f.sw[s].uplink) {
    all.up_to_source |= 1u << s;
  }
  uint32_t at = 1;
  all.parent[1] = GB_NONE;
  while (at > 0) { /* counts through all parents of 1 .. count - 1 */
    if (all.parent[at] != GB_NONE) {
      all.children[all.parent[at]]--;
    }
    do {
      all.parent[at]++; /* from GB_NONE to 0 */
    } while (all.parent[at] < f.count &&
             (all.parent[at] == at || all.children[all.parent[at]] == (all.parent[at] == 0 ? 1u : 2u)));
    if (all.parent[at] == f.count) {
      all.parent[at] = GB_NONE;
      at--;
    } else {
      all.children[all.parent[at]]++;
      if (at + 1 < f.count) {
        all.parent[++at] = GB_NONE;
      } else {
        count_kind();
      }
    }
  }
  uint32_t best = GB_NONE;
  for (uint32_t a = 0; a < all.kinds; a++) {
    for (uint32_t b = a; b < all.kinds; b++) {
      uint32_t x = all.least[all.kind[a]], y = all.least[all.kind[b]], deeper = x > y ? x : y;
      if (deeper < best && fits(all.kind[a], all.kind[b])) {
        best = deeper;
      }
    }
  }
  return best;
}

/* On 500 random clusters the depth is at most one more than the least of all pairs, and mostly that. */
Test(intra_two_tree_least, all_pairs_of_few_hosts) {
  uint32_t more = 0;
  for (int round = 0; round < 500; round++) {
    uint32_t hosts = round < ROUNDS(30) ? 8 : round < ROUNDS(150) ? 7 : 2 + rng(5);
    random_cluster(rng(CABLES + 1), hosts, rng(3) == 0 ? 1 : 1 + rng(4));
    f.count = hosts;
    build();
    uint32_t depth = expect_two_trees(), least = least_depth();
    cr_assert(least != GB_NONE && least <= depth, "round %d: depth %u, least %u", round, depth, least);
    cr_assert(depth <= least + 1, "round %d: depth %u, least %u of %u hosts", round, depth, least, f.count);
    more += depth > least;
  }
  cr_assert(more <= 10, "%u of 500 are deeper", more);
}
