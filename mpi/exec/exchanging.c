/* An all-to-all in the executor: setting it up, counting what has arrived, and when it is over. */
#include "mpi/exec/exchanging.h"
#include <stdlib.h>

static bool has_dummies(const gb_exchange *part) {
  bool some = false;
  for (uint32_t t = 0; t < part->track_count; t++)
    for (uint32_t i = 0; i < part->track[t].receive_count; i++)
      some |= part->track[t].receive[i].dummy;
  return some;
}

static int begin(gb_run *run) {
  gb_exchanging *x = run->exchanging;
  const gb_exchange *part = gb_exchanging_part(run);
  const bool dummies = has_dummies(part);
  x->track = calloc(part->track_count, sizeof *x->track);
  bool enough = x->track != NULL;
  for (uint32_t t = 0; enough && t < part->track_count; t++) {
    x->track[t].left = calloc(part->track[t].receive_count + (size_t)1, sizeof *x->track[t].left);
    x->track[t].going = calloc(part->track[t].send_count + (size_t)1, sizeof *x->track[t].going);
    enough = x->track[t].left != NULL && x->track[t].going != NULL;
  }
  x->dummy = enough && dummies ? malloc(run->bytes) : NULL;
  enough = enough && (x->dummy != NULL || !dummies);
  if (!enough)
    return MPI_ERR_NO_MEM;
  return part->group > 0 ? gb_exchanging_group(run) : MPI_SUCCESS;
}

int gb_run_exchange(gb_run *run, size_t bytes, const void *send, void *receive) {
  if (bytes == 0)
    return MPI_SUCCESS;
  run->bytes = bytes;
  run->exchanging = malloc(sizeof *run->exchanging);
  if (run->exchanging == NULL)
    return MPI_ERR_NO_MEM;
  *run->exchanging = (gb_exchanging){.send = send, .receive = receive};
  return begin(run);
}

void gb_exchanging_end(gb_run *run) {
  gb_exchanging *x = run->exchanging;
  if (x == NULL)
    return;
  for (uint32_t t = 0; x->track != NULL && t < gb_exchanging_part(run)->track_count; t++) {
    free(x->track[t].left);
    free(x->track[t].going);
  }
  free(x->track);
  free(x->dummy);
  free(x->place);
  for (int t = 0; t < 2; t++) {
    free(x->staged_send[t]);
    free(x->staged_receive[t]);
  }
  free(x);
  run->exchanging = NULL;
}

void gb_exchanging_done(gb_run *run, const gb_request *request) {
  gb_exchanging *x = run->exchanging;
  gb_exchanging_track *track = request->stream != GB_OWN_HOST ? &x->track[request->stream] : NULL;
  switch (request->kind) {
  case GB_REQUEST_BLOCK_IN:
    --*(track != NULL ? &track->left[request->child] : &x->own_left);
    break;
  case GB_REQUEST_BLOCK_OUT:
    if (track != NULL)
      --track->going[request->child];
    break;
  case GB_REQUEST_SYNC_IN:
    if (track != NULL)
      track->syncs--;
    else
      x->unheard = false;
    break;
  default:
    break;
  }
}

bool gb_exchanging_is_waiting(const gb_run *run) {
  const gb_exchange *part = gb_exchanging_part(run);
  const gb_exchanging *x = run->exchanging;
  bool over = x->own_left == 0 && x->passed == part->barriers;
  for (uint32_t t = 0; t < part->track_count; t++)
    over = over && x->track[t].over == part->track[t].send_count &&
           x->track[t].received == part->track[t].receive_count;
  return !over;
}
