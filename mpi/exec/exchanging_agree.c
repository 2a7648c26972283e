/* The first use of an all-to-all's plan: the protocol of agree.h. */
#include "mpi/exec/agree.h"
#include "mpi/exec/exchanging.h"
#include <stdlib.h>

int gb_exchanging_greet(gb_run *run) {
  gb_exchanging *x = run->exchanging;
  const gb_header hello = gb_agree_header(run, GB_HEADER_HELLO);
  x->announced = calloc((size_t)run->w->size, sizeof *x->announced);
  if (x->announced == NULL)
    return MPI_ERR_NO_MEM;
  x->silent = x->nothing ? 0 : (uint32_t)run->w->size - 1;
  run->hellos++;
  return gb_agree_tell(run, (run->w->rank + 1) % run->w->size, &hello);
}

int gb_exchanging_announce(gb_run *run, int to, uint32_t track) {
  gb_header start = gb_agree_header(run, GB_HEADER_START);
  start.length = gb_exchanging_length(run, track);
  start.segment = gb_exchanging_piece(run, track);
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
  const gb_exchange *part = gb_exchanging_part(run);
  const uint32_t host = run->w->rank_host[source];
  gb_request request = {.peer = source, .stream = GB_OWN_HOST};
  for (uint32_t t = 0; t < part->track_count; t++)
    for (uint32_t i = 0; i < part->track[t].receive_count; i++)
      if (part->track[t].receive[i].peer == host && !part->track[t].receive[i].dummy) {
        request.stream = t;
        request.child = i;
      }
  return gb_exchanging_receive(run, request, false);
}
