/* What meets at one switch, hosts and bundles behind cables, becomes one bundle: each tree comes in at one
 * item and goes on from item to item.
 *
 *   hosts a b c d e and a bundle X of an even number     first tree   second tree
 *                                                            a             b
 *   a c e have their exits in the first tree,               / \           / \
 *   b d in the second, X has one in each;                  c   X         d   X
 *   a .. e, X are odd in number: both exits               / \  |        / \  |
 *   of the whole, *, are in the first tree               e   * b       a   c e
 *                                                       / \
 *                                                      d   *
 *
 * A free exit is a slot: an edge that may still be drawn, and the time at which it arrives. Each item takes
 * the earliest slot and brings its own: what has exits goes before what has none, unless a bundle without is
 * so high that it cannot wait. The exits of the whole are slots too. A few orders are tried: how many hosts
 * come before the first bundle, how many exits are kept back as soon as there are two slots. One
 * order takes O(items log items), there are O(log bundles). */
#include "intra/two_tree.h"

#include <stdlib.h>

typedef struct placement { /* how the items of one tree are placed */
  uint32_t side;
  uint32_t lead;  /* hosts before the first bundle */
  uint32_t early; /* exits that are kept as soon as possible */
  uint32_t exits; /* of the bundle that is made */
  uint32_t source;
} placement;

gb_bundle gb_two_tree_host(uint32_t host) {
  gb_two_tree_side both = {
      .entry = host, .exits = 2, .from = {host, host}, .delay = {GB_TWO_TREE_FIRST, GB_TWO_TREE_SECOND}};
  return (gb_bundle){.hosts = 1, .node = GB_NONE, .side = {both, {.entry = host}}};
}

static void push(gb_two_tree_slot *heap, uint32_t *size, gb_two_tree_slot slot) {
  uint32_t at = (*size)++;
  while (at > 0 && slot.time < heap[(at - 1) / 2].time) {
    heap[at] = heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  heap[at] = slot;
}

static gb_two_tree_slot pop(gb_two_tree_slot *heap, uint32_t *size) {
  gb_two_tree_slot least = heap[0], last = heap[--*size];
  uint32_t at = 0;
  for (uint32_t child = 1; child < *size; child = 2 * at + 1) {
    child += child + 1 < *size && heap[child + 1].time < heap[child].time;
    if (heap[child].time >= last.time) {
      break;
    }
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = last;
  return least;
}

static const gb_two_tree_side *side_of(const gb_bundle *item, uint32_t side) {
  return &item->side[item->swapped ? 1 - side : side];
}

/* Takes the earliest slot for an item. */
static void place(gb_joiner *j, const placement *p, uint32_t node, const gb_bundle *item, uint32_t *slots,
                  gb_two_tree_side *made) {
  const gb_two_tree_side *it = side_of(item, p->side);
  gb_two_tree_slot slot = pop(j->heap, slots);
  if (slot.parent == GB_NONE) {
    made->entry = it->entry;
  } else if (node != GB_NONE) {
    j->edge[2 * (size_t)it->entry + j->edge_count[it->entry]++] =
        (gb_two_tree_edge){.parent = slot.parent, .node = node, .side = p->side};
  }
  if (slot.time + it->height > made->height) {
    made->height = slot.time + it->height;
  }
  for (uint32_t k = 0; k < it->exits; k++) {
    push(j->heap, slots, (gb_two_tree_slot){.time = slot.time + it->delay[k], .parent = it->from[k]});
  }
}

static void keep_exit(gb_joiner *j, uint32_t *slots, gb_two_tree_side *made) {
  gb_two_tree_slot slot = pop(j->heap, slots);
  made->from[made->exits] = slot.parent;
  made->delay[made->exits++] = slot.time;
}

typedef struct item_queue { /* what waits to be placed, but for hosts without exits */
  uint32_t bundle, through; /* key[bundle] .. key[through - 1]: bundles with exits, the highest first */
  uint32_t dead_end;        /* key[dead_end] ..: bundles without */
  uint32_t host;            /* item[host] .., where they have exits */
  uint32_t lead;            /* hosts still to go before the bundles */
} item_queue;

/* The item that comes next, given the number of slots; GB_NONE at the end. What has no exits must leave a
 * slot for those that have. */
static uint32_t next_item(const gb_joiner *j, uint32_t side, uint32_t slots, item_queue *queue) {
  while (queue->host < j->item_count && side_of(&j->item[queue->host], side)->exits == 0) {
    queue->host++;
  }
  bool hosts = queue->host < j->item_count, bundles = queue->bundle < queue->through;
  if (queue->dead_end < j->subtree_count) {
    uint32_t dead_end = j->key[queue->dead_end].item;
    uint32_t rival = bundles ? side_of(&j->item[j->key[queue->bundle].item], side)->height : 0;
    bool higher = side_of(&j->item[dead_end], side)->height > rival;
    if ((!hosts && !bundles) || (slots > 1 && (queue->lead == 0 || !hosts) && higher)) {
      queue->dead_end++;
      return dead_end;
    }
  }
  if (hosts && (!bundles || queue->lead > 0)) {
    queue->lead -= queue->lead > 0;
    return queue->host++;
  }
  return bundles ? j->key[queue->bundle++].item : GB_NONE;
}

/* With node GB_NONE nothing is written down. */
static gb_two_tree_side place_all(gb_joiner *j, const placement *p, uint32_t node, uint32_t through) {
  gb_two_tree_side made = {.entry = p->source};
  item_queue queue = {.through = through, .dead_end = through, .host = j->subtree_count, .lead = p->lead};
  uint32_t slots = 0;
  push(j->heap, &slots, (gb_two_tree_slot){.time = 0, .parent = p->source});
  for (uint32_t i; (i = next_item(j, p->side, slots, &queue)) != GB_NONE;) {
    place(j, p, node, &j->item[i], &slots, &made);
    while (slots > 1 && made.exits < p->early) {
      keep_exit(j, &slots, &made);
    }
  }
  while (made.exits < p->exits) {
    keep_exit(j, &slots, &made);
  }
  for (uint32_t host = j->subtree_count; host < j->item_count; host++) {
    if (side_of(&j->item[host], p->side)->exits == 0) {
      place(j, p, node, &j->item[host], &slots, &made);
    }
  }
  return made;
}

static int by_rank(const void *a, const void *b) {
  const gb_two_tree_key *x = a, *y = b;
  if (x->rank != y->rank) {
    return x->rank < y->rank ? -1 : 1;
  }
  return (x->item > y->item) - (x->item < y->item);
}

/* Bundles with exits before those without, the highest first. Returns how many have exits. */
static uint32_t rank_bundles(gb_joiner *j, uint32_t side) {
  uint32_t through = 0;
  for (uint32_t i = 0; i < j->subtree_count; i++) {
    const gb_two_tree_side *it = side_of(&j->item[i], side);
    j->key[i] = (gb_two_tree_key){.rank = UINT32_MAX - it->height, .item = i};
    if (it->exits > 0) {
      through++;
    } else {
      j->key[i].rank += UINT64_C(1) << 32;
    }
  }
  if (j->subtree_count > 1) {
    qsort(j->key, j->subtree_count, sizeof *j->key, by_rank);
  }
  return through;
}

static int by_height(const void *a, const void *b) {
  const gb_bundle *x = a, *y = b;
  uint64_t high = (uint64_t)x->side[0].height + x->side[1].height;
  uint64_t low = (uint64_t)y->side[0].height + y->side[1].height;
  if (high != low) {
    return high > low ? -1 : 1;
  }
  return (x->node > y->node) - (x->node < y->node);
}

/* Decides for each item which of its trees belongs to which: every other odd item has its exits in the second
 * tree, every other even item is swapped. The highest even item decides how they begin: its high side belongs
 * where the exits of an odd bundle are, for a tree without exits must come in ahead of it at the next switch.
 */
static void swap_trees(gb_joiner *j, uint32_t hosts) {
  bool swap[2] = {false, false}; /* of the next even, odd item */
  if (j->subtree_count > 1) {
    qsort(j->item, j->subtree_count, sizeof *j->item, by_height);
  }
  for (uint32_t i = 0; i < j->subtree_count; i++) {
    if (j->item[i].hosts % 2 == 0) {
      swap[0] = hosts % 2 == 1 && j->item[i].side[1].height > j->item[i].side[0].height;
      break;
    }
  }
  for (uint32_t i = 0; i < j->item_count; i++) {
    uint32_t odd = j->item[i].hosts % 2;
    j->item[i].swapped = swap[odd];
    swap[odd] = !swap[odd];
  }
}

static uint64_t cost(const gb_joiner *j, const gb_two_tree_side *made) {
  uint64_t delays = 0;
  for (uint32_t k = 0; k < made->exits; k++) {
    delays += made->delay[k];
  }
  return 64 * (uint64_t)made->height + j->exit_worth * delays;
}

static gb_two_tree_side join_side(gb_joiner *j, uint32_t node, placement p) {
  uint32_t through = rank_bundles(j, p.side), most = 2 * j->subtree_count;
  placement best = p;
  uint64_t least = UINT64_MAX;
  for (uint32_t lead = 0; lead <= most; lead = 2 * lead + 1) {
    for (uint32_t early = 0; early <= p.exits; early++) {
      p.lead = lead;
      p.early = early;
      gb_two_tree_side made = place_all(j, &p, GB_NONE, through);
      if (cost(j, &made) < least) {
        least = cost(j, &made);
        best = p;
      }
    }
  }
  return place_all(j, &best, node, through);
}

void gb_two_tree_join(gb_joiner *j, uint32_t node, uint32_t source, gb_bundle *made) {
  *made = (gb_bundle){.node = node};
  for (uint32_t i = 0; i < j->item_count; i++) {
    made->hosts += j->item[i].hosts;
  }
  swap_trees(j, made->hosts);
  for (uint32_t side = 0; side < 2; side++) {
    uint32_t exits = made->hosts % 2 == 0 ? 1 : side == 0 ? 2 : 0;
    placement p = {.side = side, .exits = made->hosts < j->hosts ? exits : 0, .source = source};
    made->side[side] = join_side(j, node, p);
  }
}
