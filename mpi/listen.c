/* A receive for headers, from any rank, is always posted. */
#include "mpi/listen.h"
#include "mpi/agree.h"
#include "mpi/requests.h"

int gb_listen_post(gb_comm *c) {
  if (c->listen != MPI_REQUEST_NULL)
    return MPI_SUCCESS;
  return MPI_Irecv(&c->heard, (int)sizeof c->heard, MPI_BYTE, MPI_ANY_SOURCE, GB_HEADER_TAG, c->dup,
                   &c->listen);
}

int gb_listen(gb_run *run) {
  MPI_Request *request = gb_requests_next(run);
  int rc = request == NULL ? MPI_ERR_NO_MEM : gb_listen_post(run->c);
  if (rc != MPI_SUCCESS)
    return rc;
  *request = run->c->listen;
  run->c->listen = MPI_REQUEST_NULL;
  gb_requests_add(run, &(gb_slot){.kind = GB_SLOT_LISTEN});
  return MPI_SUCCESS;
}

int gb_listen_heard(gb_run *run, const MPI_Status *status) {
  gb_header h = run->c->heard; /* which listening overwrites */
  int rc = gb_agree_heard(run, &h, status->MPI_SOURCE);
  return rc == MPI_SUCCESS ? gb_listen(run) : rc;
}

int gb_listen_stop(gb_run *run, bool *heard) {
  *heard = false;
  unsigned at = 0;
  while (at < run->used && run->slot[at].kind != GB_SLOT_LISTEN)
    at++;
  if (at == run->used)
    return MPI_SUCCESS;
  MPI_Status status;
  int done = 0, rc = MPI_SUCCESS;
  if (run->failed) /* others hear in the next call what came since they last waited */
    rc = MPI_Test(&run->request[at], &done, &status);
  if (rc != MPI_SUCCESS)
    return rc;
  if (!done) /* it stays posted for the next call */
    run->c->listen = run->request[at];
  run->request[at] = MPI_REQUEST_NULL;
  gb_requests_compact(run);
  *heard = done != 0;
  return done ? gb_listen_heard(run, &status) : MPI_SUCCESS;
}

/* By a word to itself: not every MPI takes back a receive whose message is on its way. */
void gb_listen_end(gb_comm *c) {
  gb_header last = {.sequence = c->sequence};
  MPI_Status status = {.MPI_SOURCE = c->rank};
  if (c->listen == MPI_REQUEST_NULL ||
      MPI_Send(&last, (int)sizeof last, MPI_BYTE, c->rank, GB_HEADER_TAG, c->dup) != MPI_SUCCESS)
    return;
  int rc = MPI_Wait(&c->listen, &status);
  while (rc == MPI_SUCCESS && status.MPI_SOURCE != c->rank)
    rc = MPI_Recv(&c->heard, (int)sizeof c->heard, MPI_BYTE, MPI_ANY_SOURCE, GB_HEADER_TAG, c->dup, &status);
}
