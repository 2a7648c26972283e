/* Errors go through the communicator's error handler, as those of MPI do. */
#include "mpi/job/job.h"
#include <gbcast/error.h>
#include <stdbool.h>
#include <stdio.h>

int gb_raise(MPI_Comm comm, int code) {
  if (code == MPI_SUCCESS || !gb_library_is_ours())
    return code;
  MPI_Errhandler handler;
  if (MPI_Comm_get_errhandler(comm, &handler) == MPI_SUCCESS) {
    bool returns = handler == MPI_ERRORS_RETURN;
    (void)MPI_Errhandler_free(&handler); /* what was got is a reference */
    if (returns)                         /* SMPI 3.32 crashes when it is asked to call this one */
      return code;
  }
  (void)MPI_Comm_call_errhandler(comm, code);
  return code;
}

int gb_give_up(MPI_Comm comm) {
  fprintf(stderr, "gbcast: out of memory while a communicator is set up; the job ends\n");
  (void)MPI_Abort(comm, MPI_ERR_NO_MEM);
  return MPI_ERR_NO_MEM;
}

int gb_class_of_code(int code) {
  int class = code;
  if (code != MPI_SUCCESS)
    (void)MPI_Error_class(code, &class);
  return class;
}

int gb_class_of_status(int status) {
  switch (status) {
  case GBCAST_OK:
    return MPI_SUCCESS;
  case GBCAST_EMEMORY:
    return MPI_ERR_NO_MEM;
  default:
    return MPI_ERR_ARG;
  }
}
