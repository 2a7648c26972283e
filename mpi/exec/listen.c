/* Keeps receives for headers from any rank posted. */
#include "mpi/exec/listen.h"
#include "mpi/exec/offer.h"
#include "mpi/exec/requests.h"
#include "mpi/exec/unexpected.h"

int gb_listen_post(gb_wire *w, unsigned ear) {
  if (w->exec->listen[ear] != MPI_REQUEST_NULL)
    return MPI_SUCCESS;
  return MPI_Irecv(&w->exec->heard[ear], (int)sizeof w->exec->heard[ear], MPI_BYTE, MPI_ANY_SOURCE,
                   gb_ear_tag(ear), w->comm, &w->exec->listen[ear]);
}

/* Each look delays the first byte of the call. */
int gb_listen_peek(gb_wire *w, uint64_t sequence, bool hellos) {
  int rc = MPI_SUCCESS, done = true;
  while (rc == MPI_SUCCESS && done) {
    MPI_Status status;
    int ear;
    rc = gb_machine_look(hellos ? GB_EARS : GB_EAR_HEADERS + 1, w->exec->listen, &ear, &done, &status);
    if (rc != MPI_SUCCESS || !done || ear == MPI_UNDEFINED)
      break;
    const gb_header h = w->exec->heard[ear];
    if (h.kind == GB_HEADER_ABORT && h.sequence < sequence && w->doubt < h.sequence)
      w->doubt = h.sequence;
    const bool offer = h.kind == GB_HEADER_OFFER && gb_header_is_sound(&h);
    rc = offer ? gb_offer_heard(w, &h) : gb_unexpected_add(&w->exec->unexpected, &h, status.MPI_SOURCE);
    if (rc == MPI_SUCCESS)
      rc = gb_listen_post(w, (unsigned)ear);
  }
  return rc;
}

int gb_listen(gb_run *run, unsigned ear) {
  MPI_Request *handle = gb_requests_next(run);
  int rc = handle == NULL ? MPI_ERR_NO_MEM : gb_listen_post(run->w, ear);
  if (rc != MPI_SUCCESS)
    return rc;
  *handle = run->w->exec->listen[ear];
  run->w->exec->listen[ear] = MPI_REQUEST_NULL;
  gb_requests_add(run, &(gb_request){.kind = GB_REQUEST_LISTEN, .ear = ear});
  return MPI_SUCCESS;
}

/* Ends a receive with a header to this rank itself, because not every MPI cancels a receive whose message is
 * on its way. The receive may already hold another rank's header, and not every MPI keeps a message to itself
 * for which no receive is posted. */
static void end(gb_wire *w, unsigned ear) {
  gb_header last = {.sequence = w->sequence};
  MPI_Status status = {.MPI_SOURCE = w->rank};
  MPI_Request sent;
  if (w->exec->listen[ear] == MPI_REQUEST_NULL ||
      MPI_Isend(&last, (int)sizeof last, MPI_BYTE, w->rank, gb_ear_tag(ear), w->comm, &sent) != MPI_SUCCESS)
    return;
  int rc = MPI_Wait(&w->exec->listen[ear], &status);
  while (rc == MPI_SUCCESS && status.MPI_SOURCE != w->rank)
    rc = MPI_Recv(&w->exec->heard[ear], (int)sizeof w->exec->heard[ear], MPI_BYTE, MPI_ANY_SOURCE,
                  gb_ear_tag(ear), w->comm, &status);
  (void)(rc == MPI_SUCCESS ? MPI_Wait(&sent, MPI_STATUS_IGNORE) : MPI_Request_free(&sent));
}

void gb_listen_end(gb_wire *w) {
  for (unsigned ear = 0; ear < GB_EARS; ear++)
    end(w, ear);
}
