/* Barriers between blocks of phases of an all-to-all, if the plan has them. */
#include "mpi/exec/exchanging.h"

/* How many blocks of phases are over on this rank. */
static uint32_t blocks_over(const gb_run *run) {
  const gb_exchange *part = gb_exchanging_part(run);
  uint32_t phase = UINT32_MAX;
  for (uint32_t t = 0; t < part->track_count; t++) {
    const gb_exchange_track *track = &part->track[t];
    const gb_exchanging_track *x = &run->exchanging->track[t];
    if (x->over < track->send_count && track->send[x->over].phase < phase)
      phase = track->send[x->over].phase;
    if (x->received < track->receive_count && track->receive[x->received].phase < phase)
      phase = track->receive[x->received].phase;
  }
  return phase == UINT32_MAX ? part->barriers : phase / part->block;
}

/* The barrier of Hensgen, Finkel and Manber ("Two algorithms for barrier synchronization", 1988): in round k
 * each rank sends a sync to the one 2^k after it, and receives one from the one 2^k before it. */
int gb_exchanging_pump_barriers(gb_run *run) {
  gb_exchanging *x = run->exchanging;
  const uint32_t size = (uint32_t)run->w->size, me = (uint32_t)run->w->rank;
  int rc = MPI_SUCCESS;
  while (rc == MPI_SUCCESS && x->passed < blocks_over(run) && !x->unheard) {
    if (x->in_round) {
      x->in_round = false;
      x->round++;
    }
    const uint32_t far = x->round < 32 ? UINT32_C(1) << x->round : size;
    if (far >= size) {
      x->passed++;
      x->round = 0;
      continue;
    }
    gb_request to = {.kind = GB_REQUEST_SYNC_OUT, .peer = (int)((me + far) % size), .stream = GB_OWN_HOST};
    gb_request from = {
        .kind = GB_REQUEST_SYNC_IN, .peer = (int)((me + size - far) % size), .stream = GB_OWN_HOST};
    x->in_round = x->unheard = true;
    rc = gb_exchanging_post(run, to, NULL, GB_FOR_BARRIER);
    if (rc == MPI_SUCCESS)
      rc = gb_exchanging_post(run, from, NULL, GB_FOR_BARRIER);
  }
  return rc;
}
