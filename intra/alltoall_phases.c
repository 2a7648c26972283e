/* Which message goes in which phase (sections 4.2 and 4.3). The messages from T_i to T_j have |M_i| |M_j|
 * phases in a row; with |M_0| = 2, |M_1| = 2, |M_2| = 1 (Fig. 3):
 *
 *     phase      0      1      2      3      4      5
 *     from T_0   T_1 .. .. .. .. .. .. .. .. T_2 .. ..
 *     from T_1   T_2 .. ..     T_0 .. .. .. .. .. .. ..
 *     from T_2   T_0 .. ..                   T_1 .. ..
 *
 * so that no subtree sends or receives two messages at a time. Within these phases
 *
 * - T_0 sends by the rotate pattern: each of its machines once in every round of |M_0| phases;
 * - what T_0 receives in round r goes r + 1 machines further than the machine of T_0 that sends (Table 3);
 * - all others send by the broadcast pattern, one machine after the other, and the receivers of a subtree
 * take turns so that the last turn ends with the last phase.
 *
 * A local message goes from the machine that receives to the one that sends in that phase: it shares no link
 * with either (Lemma 3). The patterns bring every pair together. */
#include "intra/intra.h"
#include "platform/text/text.h"

#include <stdlib.h>

typedef struct placed { /* a message on its way into the phases */
  uint32_t phase;
  gb_message message;
} placed;

typedef struct schedule {
  gb_subtrees trees;
  uint32_t phases;
  uint32_t *sender; /* phases: the position in T_0 of its sender */
  placed *placed;
  uint32_t count;
} schedule;

static uint32_t size_of(const schedule *s, uint32_t tree) {
  return s->trees.start[tree + 1] - s->trees.start[tree];
}

/* Machines in the subtrees first .. end - 1. */
static uint32_t size_between(const schedule *s, uint32_t first, uint32_t end) {
  return s->trees.start[end] - s->trees.start[first];
}

/* The first of the phases for T_i -> T_j (section 4.2). */
static uint32_t first_phase(const schedule *s, uint32_t i, uint32_t j) {
  return j > i ? size_of(s, i) * size_between(s, i + 1, j)
               : s->phases - size_of(s, j) * size_between(s, j + 1, i + 1);
}

/* Whose turn it is to receive in a subtree of `size` machines: the last one's in the last phase. */
static uint32_t turn(const schedule *s, uint32_t phase, uint32_t size) {
  return size - 1 - (s->phases - 1 - phase) % size;
}

/* Machine a of T_i to machine b of T_j. */
static void place(schedule *s, uint32_t phase, uint32_t i, uint32_t a, uint32_t j, uint32_t b) {
  const uint32_t *start = s->trees.start, *member = s->trees.member;
  s->placed[s->count++] = (placed){phase, {member[start[i] + a], member[start[j] + b]}};
}

/* Step 1. After each common multiple of the sizes the same pairs would come again, so the senders are rotated
 * by one more. */
static void from_first(schedule *s, uint32_t j) {
  uint32_t senders = size_of(s, 0), receivers = size_of(s, j), begin = first_phase(s, 0, j);
  uint32_t again = senders / gb_common_divisor(senders, receivers) * receivers;
  for (uint32_t t = 0; t < senders * receivers; t++) {
    s->sender[begin + t] = (t + t / again) % senders;
    place(s, begin + t, 0, s->sender[begin + t], j, turn(s, begin + t, receivers));
  }
}

/* Table 3: which machine of T_0, with `size` machines, receives depends on which one sends. Once all local
 * messages have had their phase only the position in the round counts, as in Table 4. */
static uint32_t receiver_in_first(const schedule *s, uint32_t size, uint32_t phase) {
  uint32_t round = phase / size;
  return ((round + 1 < size ? s->sender[phase] : phase) + round + 1) % size;
}

/* Steps 2, 4 and 6 */
static void from_other(schedule *s, uint32_t i, uint32_t j) {
  uint32_t receivers = size_of(s, j), begin = first_phase(s, i, j);
  for (uint32_t t = 0; t < size_of(s, i) * receivers; t++) {
    place(s, begin + t, i, t / receivers, j,
          j == 0 ? receiver_in_first(s, receivers, begin + t) : t % receivers);
  }
}

/* Step 3: the rounds before the one in which sender and receiver are the same. */
static void within_first(schedule *s) {
  uint32_t size = size_of(s, 0);
  for (uint32_t round = 0; round + 1 < size; round++) {
    for (uint32_t phase = round * size; phase < (round + 1) * size; phase++) {
      place(s, phase, 0, receiver_in_first(s, size, phase), 0, s->sender[phase]);
    }
  }
}

/* Step 5: while a machine sends to the subtree before its own, which is no smaller, each machine of its own
 * subtree has its turn to receive. */
static void within_other(schedule *s, uint32_t i) {
  uint32_t size = size_of(s, i), stay = size_of(s, i - 1), begin = first_phase(s, i, i - 1);
  for (uint32_t a = 0; a < size; a++) {
    for (uint32_t t = 0; t < size; t++) {
      uint32_t phase = begin + a * stay + t, from = turn(s, phase, size);
      if (from != a) {
        place(s, phase, i, from, i, a);
      }
    }
  }
}

/* In the order in which messages of one phase are listed. T_0 comes first: the others look at its senders. */
static void place_all(schedule *s) {
  for (uint32_t i = 0; i < s->trees.count; i++) {
    for (uint32_t j = 0; j < s->trees.count; j++) {
      if (i == 0 && j > 0) {
        from_first(s, j);
      } else if (i != j) {
        from_other(s, i, j);
      }
    }
  }
  within_first(s);
  for (uint32_t i = 1; i < s->trees.count; i++) {
    within_other(s, i);
  }
}

static void sort_by_phase(const schedule *s, gb_phases *phases) {
  for (uint32_t k = 0; k < s->count; k++) {
    phases->start[s->placed[k].phase]++;
  }
  for (uint32_t p = 0, before = 0; p <= phases->count; p++) {
    before += phases->start[p];
    phases->start[p] = before; /* the end; counted down to where it begins */
  }
  for (uint32_t k = s->count; k-- > 0;) {
    uint32_t at = --phases->start[s->placed[k].phase];
    phases->message[at] = s->placed[k].message;
    phases->phase[at] = s->placed[k].phase;
  }
}

static int fill(const gb_machines *m, schedule *s, gb_phases *phases, gbcast_error *err) {
  size_t messages = (size_t)m->count * (m->count - 1), count = s->phases;
  s->sender = calloc(count + 1, sizeof *s->sender);
  s->placed = calloc(messages + 1, sizeof *s->placed);
  phases->subtree = calloc(m->count, sizeof *phases->subtree);
  phases->start = calloc(count + 1, sizeof *phases->start);
  phases->message = calloc(messages + 1, sizeof *phases->message);
  phases->phase = calloc(messages + 1, sizeof *phases->phase);
  if (!s->sender || !s->placed || !phases->subtree || !phases->start || !phases->message || !phases->phase) {
    return gb_no_memory(err);
  }
  for (uint32_t t = 0; t < s->trees.count; t++) {
    for (uint32_t i = s->trees.start[t]; i < s->trees.start[t + 1]; i++) {
      phases->subtree[s->trees.member[i]] = t;
    }
  }
  place_all(s);
  phases->root = m->order.sw[s->trees.root];
  phases->count = s->phases;
  phases->message_count = s->count;
  sort_by_phase(s, phases);
  return GBCAST_OK;
}

int gb_phases_new(const gb_machines *m, gb_phases *phases, gbcast_error *err) {
  *phases = (gb_phases){0};
  schedule s = {0};
  int status = gb_subtrees_new(m, &s.trees, err);
  if (status == GBCAST_OK) {
    s.phases = size_of(&s, 0) * (m->count - size_of(&s, 0));
    status = fill(m, &s, phases, err);
  }
  gb_subtrees_free(&s.trees);
  free(s.sender);
  free(s.placed);
  if (status != GBCAST_OK) {
    gb_phases_free(phases);
  }
  return status;
}

void gb_phases_free(gb_phases *phases) {
  free(phases->subtree);
  free(phases->start);
  free(phases->message);
  free(phases->phase);
  *phases = (gb_phases){0};
}
