/* Headers that come during a call. */
#include "mpi/exec/hear.h"
#include "mpi/exec/agree.h"
#include "mpi/exec/listen.h"
#include "mpi/exec/requests.h"

int gb_hear(gb_run *run, unsigned ear, const MPI_Status *status) {
  gb_header h = run->w->exec->heard[ear]; /* which listening overwrites */
  int rc = gb_agree_heard(run, &h, status->MPI_SOURCE);
  return rc == MPI_SUCCESS ? gb_listen(run, ear) : rc;
}

/* A message of so many bytes may be read from its sender's buffer only when it is received. A sender that has
 * poisoned the communicator may have changed the buffer since; its word of that is there before such data
 * are, so that a last look finds it. Open MPI copies less than 4 KiB over shared memory at once, others more.
 */
enum { UNCOPIED = 4096 };

static int stop(gb_run *run, unsigned ear, bool *heard) {
  unsigned at = 0;
  while (at < run->used && !(run->slot[at].kind == GB_SLOT_LISTEN && run->slot[at].ear == ear))
    at++;
  if (at == run->used)
    return MPI_SUCCESS;
  MPI_Status status;
  int done = 0, rc = MPI_SUCCESS;
  if (run->failed || (ear == GB_EAR_HEADERS && run->bytes >= UNCOPIED))
    rc = MPI_Test(&run->request[at], &done, &status);
  if (rc != MPI_SUCCESS)
    return rc;
  if (!done) /* it stays posted for the next call */
    run->w->exec->listen[ear] = run->request[at];
  run->request[at] = MPI_REQUEST_NULL;
  gb_requests_compact(run);
  *heard |= done != 0;
  return done ? gb_hear(run, ear, &status) : MPI_SUCCESS;
}

int gb_hear_last(gb_run *run, bool *heard) {
  int rc = MPI_SUCCESS;
  *heard = false;
  for (unsigned ear = 0; rc == MPI_SUCCESS && ear < GB_EARS; ear++)
    rc = stop(run, ear, heard);
  for (unsigned ear = 0; *heard && rc == MPI_SUCCESS && ear < GB_EARS; ear++) /* the call goes on */
    if (run->w->exec->listen[ear] != MPI_REQUEST_NULL)
      rc = gb_listen(run, ear);
  return rc;
}
