#include "nws/serve/session.h"

#include "platform/text/text.h"

#include <stdlib.h>

void gb_turns_release(gb_turns *t) {
  free(t->waiting);
  *t = (gb_turns){0};
}

void gb_turns_join(const gb_turns *t, gb_session *s) {
  s->cost = t->floor + GB_CREDIT;
}

void gb_turns_add(gb_turns *t, gb_session *s) {
  void *waiting =
      gb_session_has_work(s) ? gb_grow(t->waiting, t->count, &t->capacity, sizeof *t->waiting) : NULL;
  if (waiting == NULL)
    return;
  t->waiting = waiting;
  if (s->cost < t->floor)
    s->cost = t->floor;
  t->waiting[t->count] = (struct gb_waiting){s, t->count};
  t->count++;
}

static int by_cost(const void *a, const void *b) {
  const struct gb_waiting *x = a, *y = b;
  if (x->session->cost != y->session->cost)
    return x->session->cost < y->session->cost ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

static void raise_floor(gb_turns *t, uint64_t cost) {
  if (t->floor < cost)
    t->floor = cost;
}

size_t gb_turns_work(gb_turns *t, double now) {
  size_t count = t->count, spent = 0;
  uint64_t last = 0;
  if (count == 0)
    return 0;
  qsort(t->waiting, count, sizeof *t->waiting, by_cost);
  size_t share = GB_ITERATION_COST / count, most = share > GB_TURN_COST ? share : GB_TURN_COST;
  for (size_t i = 0; i < count && spent < GB_ITERATION_COST; i++) {
    gb_session *s = t->waiting[i].session;
    last = s->cost;
    size_t cost = gb_session_work(s, now, most);
    s->cost += cost;
    spent += cost;
  }
  raise_floor(t, t->floor + spent / count / 2);
  raise_floor(t, last > 2 * GB_CREDIT ? last - 2 * GB_CREDIT : 0);
  t->count = 0;
  return spent;
}
