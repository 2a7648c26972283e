/* Handles headers that arrive during a call. */
#include "mpi/exec/hear.h"
#include "mpi/exec/agree.h"
#include "mpi/exec/listen.h"
#include "mpi/exec/requests.h"

int gb_hear(gb_run *run, unsigned ear, const MPI_Status *status) {
  gb_header h = run->w->exec->heard[ear]; /* overwritten by the next receive */
  int rc = gb_agree_heard(run, &h, status->MPI_SOURCE);
  return rc == MPI_SUCCESS ? gb_listen(run, ear) : rc;
}

/* MPI may read a message of this many bytes from the sender's buffer only when it is received. If the sender
 * has poisoned the communicator since, it may have changed the buffer; its POISON header arrives before such
 * data, so a last look finds it. Open MPI copies less than 4 KiB over shared memory at once, other libraries
 * more. */
enum { UNCOPIED = 4096 };

static int stop(gb_run *run, unsigned ear, bool *heard) {
  unsigned at = 0;
  while (at < run->used && !(run->request[at].kind == GB_REQUEST_LISTEN && run->request[at].ear == ear))
    at++;
  if (at == run->used)
    return MPI_SUCCESS;
  MPI_Status status;
  int done = 0, rc = MPI_SUCCESS;
  if (run->failed || (ear == GB_EAR_HEADERS && run->bytes >= UNCOPIED))
    rc = MPI_Test(&run->handle[at], &done, &status);
  if (rc != MPI_SUCCESS)
    return rc;
  if (!done) /* it stays posted for the next call */
    run->w->exec->listen[ear] = run->handle[at];
  run->handle[at] = MPI_REQUEST_NULL;
  gb_requests_compact(run);
  *heard |= done != 0;
  return done ? gb_hear(run, ear, &status) : MPI_SUCCESS;
}

int gb_hear_last(gb_run *run, bool *heard) {
  int rc = MPI_SUCCESS;
  *heard = false;
  for (unsigned ear = 0; rc == MPI_SUCCESS && ear < GB_EARS; ear++)
    rc = stop(run, ear, heard);
  for (unsigned ear = 0; *heard && rc == MPI_SUCCESS && ear < GB_EARS; ear++) /* the call continues */
    if (run->w->exec->listen[ear] != MPI_REQUEST_NULL)
      rc = gb_listen(run, ear);
  return rc;
}
