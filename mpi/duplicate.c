/* To agree on a duplicate takes MPI several rounds over all ranks, so it is made while names and inputs are
 * exchanged on the user's communicator, where that is safe: with MPICH, but for 4.1 to 5.0.0, whose threads
 * may get the same context for two communicators (pmodels/mpich#6854). With Open MPI other collectives beside
 * it may wait for ever (open-mpi/ompi#2025), and SimGrid has no MPI_Comm_idup.
 *
 * There may be no communicator left to be had. That must not end a program that does not know of gbcast, as
 * its error handler would; the handler of one that does is called once, by gb_raise(). */
#include "mpi/duplicate.h"

static int begin(MPI_Comm comm, MPI_Comm *made, MPI_Request *request) {
#if GB_DUPLICATES_BESIDES
  return MPI_Comm_idup(comm, made, request);
#else
  *request = MPI_REQUEST_NULL;
  return MPI_Comm_dup(comm, made);
#endif
}

void gb_duplicate_begin(gb_comm *c, gb_duplicate *d) {
  *d = (gb_duplicate){MPI_REQUEST_NULL, MPI_ERRHANDLER_NULL, MPI_SUCCESS};
  d->code = MPI_Comm_get_errhandler(c->user, &d->handler);
  if (d->code == MPI_SUCCESS)
    d->code = MPI_Comm_set_errhandler(c->user, MPI_ERRORS_RETURN);
  if (d->code == MPI_SUCCESS)
    d->code = begin(c->user, &c->dup, &d->request);
}

int gb_duplicate_end(gb_comm *c, gb_duplicate *d) {
  int rc = d->code;
  if (rc == MPI_SUCCESS)
    rc = MPI_Wait(&d->request, MPI_STATUS_IGNORE);
  if (rc != MPI_SUCCESS) {
    c->dup = MPI_COMM_NULL; /* MPICH leaves something there */
    if (c->rank == 0)
      gb_comm_complain(c, "MPI_Comm_dup() failed, there may be too many communicators");
  } else
    rc = MPI_Comm_set_errhandler(c->dup, MPI_ERRORS_RETURN);
  if (d->handler != MPI_ERRHANDLER_NULL) {
    (void)MPI_Comm_set_errhandler(c->user, d->handler);
    (void)MPI_Errhandler_free(&d->handler);
  }
  return rc;
}
