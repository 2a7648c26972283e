/* The first use of an all-to-all's plan: agree.h says what ranks tell each other. */
#include "mpi/agree.h"
#include "mpi/exchanging.h"

/* Of HELLOs. */
static uint32_t rounds(const gb_run *run) {
  uint32_t all = 0;
  while (UINT64_C(1) << all < (uint64_t)run->c->size)
    all++;
  return run->role->native ? all : 1;
}

static int say_hello(gb_run *run) {
  gb_header hello = gb_agree_header(run, GB_HEADER_HELLO);
  const uint32_t size = (uint32_t)run->c->size, far = UINT32_C(1) << run->exchanging->said;
  hello.tree = run->exchanging->said++;
  return gb_agree_tell(run, (int)(((uint32_t)run->c->rank + far) % size), &hello);
}

int gb_exchanging_greet(gb_run *run) {
  run->hellos += rounds(run);
  return say_hello(run);
}

int gb_exchanging_greeted(gb_run *run, const gb_header *h) {
  gb_exchanging *x = run->exchanging;
  int rc = MPI_SUCCESS;
  x->greeted |= UINT32_C(1) << h->tree % 32;
  run->hellos--;
  while (rc == MPI_SUCCESS && x->said < rounds(run) && (x->greeted >> (x->said - 1) & 1) != 0)
    rc = say_hello(run);
  return rc;
}

int gb_exchanging_announce(gb_run *run, int to, size_t piece) {
  gb_header start = gb_agree_header(run, GB_HEADER_START);
  start.length = run->bytes;
  start.segment = piece;
  start.agreeing = true;
  return gb_agree_tell(run, to, &start);
}

bool gb_exchanging_announced(gb_run *run, int source, bool same) {
  gb_exchanging *x = run->exchanging;
  if (x->announced == NULL)
    return false;
  if (!x->announced[source] && x->silent > 0)
    x->silent--;
  x->announced[source] = true;
  return same && run->agreeing && !run->failed && !x->nothing;
}

int gb_exchanging_expect(gb_run *run, int source) {
  const gb_exchange *part = &run->role->exchange;
  const uint32_t host = run->c->rank_host[source];
  gb_slot slot = {.peer = source, .flow = GB_OWN_HOST};
  for (uint32_t t = 0; t < part->track_count; t++)
    for (uint32_t i = 0; i < part->track[t].receive_count; i++)
      if (part->track[t].receive[i].peer == host && !part->track[t].receive[i].dummy) {
        slot.flow = t;
        slot.child = i;
      }
  return gb_exchanging_receive(run, slot, false);
}
