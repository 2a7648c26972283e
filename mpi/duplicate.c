/* The duplicate of a communicator that all traffic of the library goes through. There may be no communicator
 * left to be had. That must not end a program that does not know of gbcast, as its error handler would. */
#include "mpi/setup.h"

int gb_setup_duplicate(gb_comm *c) {
  if (c->overrides.told == NULL)
    return MPI_Comm_dup(c->user, &c->dup);
  MPI_Errhandler handler;
  int rc = MPI_Comm_get_errhandler(c->user, &handler);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = MPI_Comm_set_errhandler(c->user, MPI_ERRORS_RETURN);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_dup(c->user, &c->dup);
  if (rc != MPI_SUCCESS && c->rank == 0)
    gb_comm_complain(c, "MPI_Comm_dup() failed, there may be too many communicators");
  (void)MPI_Comm_set_errhandler(c->user, handler);
  (void)MPI_Errhandler_free(&handler);
  return rc;
}
