/* An all-to-all in the executor: what is posted, and when. */
#include "mpi/exec/exchanging.h"
#include "mpi/exec/requests.h"
#include "mpi/exec/types.h"
#include <math.h>

enum { AHEAD = 256 }; /* steps for which receives are posted */

static unsigned sync_use(uint32_t track) {
  return GB_FOR_SYNC + track % (GB_FOR_SYNC_MOST - GB_FOR_SYNC);
}

int gb_exchanging_post(gb_run *run, gb_request request, void *at, unsigned use) {
  const int tag = gb_data_tag(run, use);
  MPI_Request *handle = gb_requests_next(run);
  if (handle == NULL)
    return MPI_ERR_NO_MEM;
  int rc = gb_request_is_receive(&request)
               ? MPI_Irecv(at, (int)request.length, MPI_BYTE, request.peer, tag, run->w->comm, handle)
               : MPI_Isend(at, (int)request.length, MPI_BYTE, request.peer, tag, run->w->comm, handle);
  if (rc == MPI_SUCCESS)
    gb_requests_add(run, &request);
  return rc;
}

size_t gb_exchanging_length(const gb_run *run, uint32_t track) {
  return track == GB_OWN_HOST ? run->bytes : run->bytes * gb_exchanging_part(run)->track[track].blocks;
}

size_t gb_exchanging_piece(const gb_run *run, uint32_t track) {
  const size_t bytes = gb_exchanging_length(run, track);
  return bytes < GB_MESSAGE_MAX ? bytes : GB_MESSAGE_MAX;
}

static char *message_at(const gb_run *run, const gb_request *request, bool sent) {
  const gb_exchanging *x = run->exchanging;
  const size_t at = (size_t)request->peer * run->bytes;
  if (gb_exchanging_part(run)->group > 0 && request->stream != GB_OWN_HOST)
    return gb_exchanging_staged(run, request, sent);
  return sent ? (char *)x->send + at : x->receive + at;
}

/* Posts all pieces of a message. */
static int post_block(gb_run *run, gb_request request, char *block, bool dummy) {
  const size_t piece = gb_exchanging_piece(run, request.stream),
               length = gb_exchanging_length(run, request.stream);
  int rc = MPI_SUCCESS;
  for (request.offset = 0; rc == MPI_SUCCESS && request.offset < length; request.offset += request.length) {
    request.length = length - request.offset < piece ? length - request.offset : piece;
    rc = gb_exchanging_post(run, request, block + request.offset, dummy ? GB_FOR_DUMMY : GB_FOR_BLOCK);
  }
  return rc;
}

static unsigned pieces_of(const gb_run *run, uint32_t track) {
  const size_t piece = gb_exchanging_piece(run, track), length = gb_exchanging_length(run, track);
  return (unsigned)(length / piece + (length % piece != 0));
}

static int send_block(gb_run *run, gb_request request, bool dummy) {
  request.kind = GB_REQUEST_BLOCK_OUT;
  return post_block(run, request, message_at(run, &request, true), dummy);
}

static int receive_block(gb_run *run, gb_request request, bool dummy) {
  request.kind = GB_REQUEST_BLOCK_IN;
  return post_block(run, request, dummy ? run->exchanging->dummy : message_at(run, &request, false), dummy);
}

/* Copies the block for this rank itself, and begins those to and from the other ranks of its host. */
static int begin_own_host(gb_run *run) {
  const gb_wire *w = run->w;
  const gb_exchanging *x = run->exchanging;
  const uint32_t host = w->rank_host[w->rank];
  const size_t own = (size_t)w->rank * run->bytes;
  int rc = MPI_SUCCESS;
  for (uint32_t k = 0; rc == MPI_SUCCESS && k < w->host_ranks[host]; k++) {
    const gb_request request = {.peer = gb_wire_rank_of(w, host, k), .stream = GB_OWN_HOST};
    if (request.peer == w->rank)
      continue;
    rc = receive_block(run, request, false);
    if (rc == MPI_SUCCESS)
      rc = send_block(run, request, false);
  }
  return rc == MPI_SUCCESS ? gb_copy(x->receive + own, x->send + own, run->bytes, w->local) : rc;
}

static uint32_t blocks_in(const gb_run *run, const gb_exchange_step *step) {
  return run->w->host_ranks[step->peer];
}

static int begin(gb_run *run) {
  gb_exchanging *x = run->exchanging;
  const gb_exchange *part = gb_exchanging_part(run);
  for (uint32_t t = 0; t < part->track_count; t++)
    for (uint32_t i = 0; i < part->track[t].receive_count; i++)
      x->track[t].left[i] = blocks_in(run, &part->track[t].receive[i]) * pieces_of(run, t);
  x->own_left = (run->w->host_ranks[run->w->rank_host[run->w->rank]] - 1) * pieces_of(run, GB_OWN_HOST);
  x->begun = true;
  return begin_own_host(run);
}

/* Posts syncs from or to all ranks of these hosts; adds their number to *open unless that is NULL. */
static int post_syncs(gb_run *run, enum gb_request_kind kind, uint32_t track, uint32_t first, uint32_t count,
                      unsigned *open) {
  const gb_wire *w = run->w;
  int rc = MPI_SUCCESS;
  for (uint32_t i = first; i < first + count; i++) {
    const uint32_t host = gb_exchanging_part(run)->signal_host[i];
    for (uint32_t k = 0; rc == MPI_SUCCESS && k < w->host_ranks[host]; k++) {
      const gb_request request = {.kind = kind, .peer = gb_wire_rank_of(w, host, k), .stream = track};
      rc = gb_exchanging_post(run, request, NULL, sync_use(track));
      if (open != NULL)
        ++*open;
    }
  }
  return rc;
}

static int send_syncs(gb_run *run, uint32_t track, const gb_exchange_step *step) {
  return post_syncs(run, GB_REQUEST_SYNC_OUT, track, step->signal, step->signals, NULL);
}

static int pump_receives(gb_run *run, uint32_t t) {
  const gb_exchange_track *track = &gb_exchanging_part(run)->track[t];
  gb_exchanging_track *x = &run->exchanging->track[t];
  int rc = MPI_SUCCESS;
  for (; rc == MPI_SUCCESS && x->received < track->receive_count && x->left[x->received] == 0; x->received++)
    rc = send_syncs(run, t, &track->receive[x->received]);
  while (rc == MPI_SUCCESS && x->posted < track->receive_count && x->posted < x->received + AHEAD) {
    const gb_exchange_step *step = &track->receive[x->posted];
    for (uint32_t k = 0; rc == MPI_SUCCESS && k < run->w->host_ranks[step->peer]; k++) {
      const gb_request request = {
          .peer = gb_wire_rank_of(run->w, step->peer, k), .stream = t, .child = x->posted};
      rc = receive_block(run, request, step->dummy);
    }
    x->posted++;
  }
  return rc;
}

/* Sends the syncs of each step that is over, with all before it. */
static int end_sends(gb_run *run, uint32_t t) {
  gb_exchanging_track *x = &run->exchanging->track[t];
  int rc = MPI_SUCCESS;
  while (rc == MPI_SUCCESS && x->over < x->begun && x->going[x->over] == 0) {
    const gb_exchange_step *step = &gb_exchanging_part(run)->track[t].send[x->over++];
    if (step->pace == 0)
      rc = send_syncs(run, t, step);
  }
  return rc;
}

static int begin_send(gb_run *run, uint32_t t, const gb_exchange_step *step) {
  gb_exchanging_track *x = &run->exchanging->track[t];
  gb_request request = {.stream = t, .child = x->begun++};
  int rc = MPI_SUCCESS;
  x->asked = x->heard = false;
  for (uint32_t k = 0; rc == MPI_SUCCESS && k < blocks_in(run, step); k++) {
    x->going[request.child] += pieces_of(run, t);
    request.peer = gb_wire_rank_of(run->w, step->peer, k);
    rc = send_block(run, request, step->dummy);
  }
  return rc == MPI_SUCCESS && step->pace > 0 ? send_syncs(run, t, step) : rc;
}

/* Whether a paced step may begin. Hosts send one after the other at the pace of the link or the path. If more
 * were sent than a link carries, the streams would share it by round-trip time, so that the farthest one, for
 * which all wait in the end, got least. And a host that waited to be told that a message is over would leave
 * the link idle until its own begins. */
static bool is_time(gb_run *run, gb_exchanging_track *x, const gb_exchange_step *step) {
  const double pace = step->pace * (double)run->bytes;
  if (pace == 0)
    return true;
  const double now = MPI_Wtime();
  if (step->waits > 0 && !x->heard)
    x->next = fmax(x->next, now + pace);
  x->heard = true;
  if (now < x->next) {
    run->wake = fmin(run->wake, x->next);
    return false;
  }
  const double late = x->next > 0 ? fmin(now - x->next, pace) : 0; /* it can make up for one pace */
  x->next = now + pace - late;
  return true;
}

/* Begins sends as far as is possible now. */
static int pump_sends(gb_run *run, uint32_t t) {
  const gb_exchange *part = gb_exchanging_part(run);
  const gb_exchange_track *track = &part->track[t];
  gb_exchanging_track *x = &run->exchanging->track[t];
  int rc = end_sends(run, t);
  if (part->group > 0 && t > run->exchanging->steps_over)
    return rc;
  while (rc == MPI_SUCCESS && x->begun < track->send_count) {
    const gb_exchange_step *step = &track->send[x->begun];
    if (x->begun - x->over > step->ahead ||
        (part->barriers > 0 && step->phase / part->block > run->exchanging->passed))
      return rc;
    if (!x->asked) {
      x->asked = true;
      rc = post_syncs(run, GB_REQUEST_SYNC_IN, t, step->wait, step->waits, &x->syncs);
    }
    if (rc != MPI_SUCCESS || x->syncs > 0 || !is_time(run, x, step))
      return rc;
    rc = begin_send(run, t, step);
    if (rc == MPI_SUCCESS)
      rc = end_sends(run, t);
  }
  return rc;
}

int gb_exchanging_pump(gb_run *run) {
  gb_exchanging *x = run->exchanging;
  const gb_exchange *part = gb_exchanging_part(run);
  int rc = MPI_SUCCESS;
  if (!x->begun)
    rc = begin(run);
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < part->track_count; t++)
    rc = pump_receives(run, t);
  if (rc == MPI_SUCCESS && part->group > 0)
    rc = gb_exchanging_pass_on(run);
  for (uint32_t passed = UINT32_MAX; rc == MPI_SUCCESS && passed != x->passed;) {
    passed = x->passed;
    for (uint32_t t = 0; rc == MPI_SUCCESS && t < part->track_count; t++)
      rc = pump_sends(run, t);
    if (rc == MPI_SUCCESS && part->barriers > 0)
      rc = gb_exchanging_pump_barriers(run);
  }
  return rc;
}
