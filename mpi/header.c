/* What travels before the data the first time that a plan is used. */
#include "mpi/header.h"

void gb_header_close(MPI_Request *listen, MPI_Comm dup) {
  int done = 1;
  if (*listen != MPI_REQUEST_NULL && MPI_Test(listen, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done &&
      MPI_Cancel(listen) == MPI_SUCCESS)
    (void)MPI_Wait(listen, MPI_STATUS_IGNORE);
  for (;;) {
    MPI_Status status;
    int waiting = 0, count = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, dup, &waiting, &status) != MPI_SUCCESS || !waiting)
      return;
    gb_header header;
    if (MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS || count != (int)sizeof header)
      return; /* data of a failed call: not worth a buffer */
    if (MPI_Recv(&header, count, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, dup, MPI_STATUS_IGNORE) !=
        MPI_SUCCESS)
      return;
  }
}
