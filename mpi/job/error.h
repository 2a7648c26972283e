/* Errors leave through the communicator's handler, as those of MPI do. */
#ifndef GB_MPI_JOB_ERROR_H
#define GB_MPI_JOB_ERROR_H

#include <mpi.h>

/* Calls the error handler of `comm`, and returns `code` when that comes back. MPI_SUCCESS: does nothing. */
int gb_raise(MPI_Comm comm, int code);

/* For a rank that has no memory to go on while the others wait for it on the program's own communicator,
 * where they would take what comes next for something else: ends the job. Returns MPI_ERR_NO_MEM if that
 * comes back. */
int gb_give_up(MPI_Comm comm);

/* The error class of an MPI error code. */
int gb_class_of_code(int code);

/* The MPI error class for a gbcast_status. */
int gb_class_of_status(int status);

#endif
