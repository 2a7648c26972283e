/* Which messages must wait for which: the transitive reduction of "shares a directed link with, and is in a
 * later phase".
 *
 * The messages on one link are a chain, one a phase. A pair that is not next to each other on a link follows
 * from the ones between, so only neighbours need to be looked at: few for each message. Such a pair follows
 * from others if and only if the earlier message is before another one that the later message waits for.
 *
 * What is before a message is known from one number for each machine: how many of that machine's messages,
 * which are a chain, too, are before it, or are it. These rows are the entrywise greatest of those of the
 * messages that it waits for. They are made for a few machines at a time: memory stays in proportion to the
 * messages, and a row is one line of the cache. */
#include "intra/intra.h"

#include <stdlib.h>
#include <string.h>

enum { ROW = 32 };

typedef struct before_row {
  uint16_t before[ROW]; /* of so many machines; GB_ALLTOALL_MACHINES fits */
} before_row;

typedef struct order {
  const gb_machines *m;
  const gb_phases *phases;
  gb_dependence *pair; /* pair_count, by `after`, then by `before` */
  size_t pair_count, pair_capacity;
  uint32_t *number; /* of a message among those of its sender, from 1 */
  bool *follows;    /* pair_count: from others */
  before_row *row;  /* by message */
} order;

static bool make_room(order *o) {
  if (o->pair_count == o->pair_capacity) {
    size_t capacity = 2 * o->pair_capacity + 64;
    gb_dependence *grown = realloc(o->pair, capacity * sizeof *grown);
    if (grown == NULL) {
      return false;
    }
    o->pair = grown;
    o->pair_capacity = capacity;
  }
  return true;
}

/* Adds a pair unless it is there: the pairs of `after` are those from `first` on, by `before`. */
static bool add_pair(order *o, size_t first, uint32_t before, uint32_t after) {
  size_t at = o->pair_count;
  while (at > first && o->pair[at - 1].before > before) {
    at--;
  }
  if (at > first && o->pair[at - 1].before == before) {
    return true;
  }
  if (!make_room(o)) {
    return false;
  }
  memmove(&o->pair[at + 1], &o->pair[at], (o->pair_count - at) * sizeof *o->pair);
  o->pair[at] = (gb_dependence){before, after};
  o->pair_count++;
  return true;
}

/* Pairs message k with the messages that were last on its links. path: these links; last: by link. */
static bool add_pairs(order *o, uint32_t k, uint32_t *path, uint32_t *last) {
  const gb_message *message = &o->phases->message[k];
  size_t first = o->pair_count;
  bool enough = true;
  for (uint32_t i = gb_machines_path(o->m, message->from, message->to, path); enough && i-- > 0;) {
    enough = last[path[i]] == GB_NONE || add_pair(o, first, last[path[i]], k);
    last[path[i]] = k;
  }
  return enough;
}

static int find_pairs(order *o, gbcast_error *err) {
  uint32_t links = gb_machines_links(o->m);
  uint32_t *last = malloc((links + o->m->order.node_count + 1) * sizeof *last);
  bool enough = last != NULL;
  for (uint32_t i = 0; enough && i < links; i++) {
    last[i] = GB_NONE;
  }
  for (uint32_t k = 0; enough && k < o->phases->message_count; k++) {
    enough = add_pairs(o, k, last + links, last);
  }
  free(last);
  return enough ? GBCAST_OK : gb_no_memory(err);
}

static void number_messages(order *o, uint32_t *sent) {
  for (uint32_t k = 0; k < o->phases->message_count; k++) {
    o->number[k] = ++sent[o->phases->message[k].from];
  }
}

/* Of the pairs first .. end - 1, all that message k is the later one of: whether another one's earlier
 * message comes after that of pair `at`. */
static bool is_implied(const order *o, size_t first, size_t end, size_t at, uint32_t column) {
  uint32_t number = o->number[o->pair[at].before];
  for (size_t i = first; i < end; i++) {
    if (i != at && o->row[o->pair[i].before].before[column] >= number) {
      return true;
    }
  }
  return false;
}

/* Marks what follows from others among the pairs whose earlier message is from machine .. machine + ROW - 1.
 */
static void mark_for(order *o, uint32_t machine) {
  size_t first = 0, end = 0;
  for (uint32_t k = 0; k < o->phases->message_count; k++, first = end) {
    before_row row = {{0}};
    for (; end < o->pair_count && o->pair[end].after == k; end++) {
      const uint16_t *other = o->row[o->pair[end].before].before;
      for (unsigned c = 0; c < ROW; c++) {
        row.before[c] = row.before[c] > other[c] ? row.before[c] : other[c];
      }
    }
    for (size_t i = first; i < end; i++) {
      uint32_t from = o->phases->message[o->pair[i].before].from;
      if (from >= machine && from - machine < ROW) {
        o->follows[i] = is_implied(o, first, end, i, from - machine);
      }
    }
    uint32_t own = o->phases->message[k].from;
    if (own >= machine && own - machine < ROW) {
      row.before[own - machine] = (uint16_t)o->number[k];
    }
    o->row[k] = row;
  }
}

static int reduce(order *o, gbcast_error *err) {
  size_t messages = o->phases->message_count;
  uint32_t *sent = calloc(o->m->count, sizeof *sent);
  o->number = calloc(messages + 1, sizeof *o->number);
  o->follows = calloc(o->pair_count + 1, sizeof *o->follows);
  o->row = calloc(messages + 1, sizeof *o->row);
  int status = sent && o->number && o->follows && o->row ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    number_messages(o, sent);
    for (uint32_t machine = 0; machine < o->m->count; machine += ROW) {
      mark_for(o, machine);
    }
  }
  free(sent);
  return status;
}

int gb_dependences_new(const gb_machines *m, const gb_phases *phases, gb_dependences *d, gbcast_error *err) {
  order o = {.m = m, .phases = phases};
  *d = (gb_dependences){0};
  int status = find_pairs(&o, err);
  if (status == GBCAST_OK) {
    status = reduce(&o, err);
  }
  if (status == GBCAST_OK) {
    for (size_t i = 0; i < o.pair_count; i++) {
      if (!o.follows[i]) {
        o.pair[d->count++] = o.pair[i];
      }
    }
    d->dependence = o.pair;
  } else {
    free(o.pair);
  }
  free(o.number);
  free(o.follows);
  free(o.row);
  return status;
}

void gb_dependences_free(gb_dependences *d) {
  free(d->dependence);
  *d = (gb_dependences){0};
}
