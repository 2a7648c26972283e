/* Errors leave through the communicator's handler, as those of MPI do. */
#ifndef GB_MPI_ERROR_H
#define GB_MPI_ERROR_H

#include <mpi.h>

/* Calls the error handler of `comm`, and returns `code` when that comes back. MPI_SUCCESS: does nothing. */
int gb_raise(MPI_Comm comm, int code);

/* The MPI error class for a gbcast_status. */
int gb_class_of_status(int status);

#endif
