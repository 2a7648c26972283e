/* The calls of gbcast/gbcast.h, which the exported functions call once they know that the program uses this
 * MPI library (exported.h). Each has three forms:
 *
 *   handle NULL               blocking
 *   GB_API_AT_ONCE            non-blocking: begins, and *handle is to be given to gbcast_wait() or
 * gbcast_test() GB_API_LATER              persistent: *handle is to be given to gbcast_start() */
#ifndef GB_MPI_API_API_H
#define GB_MPI_API_API_H

#include "mpi/api/args.h"
#include "mpi/comm/comm.h"
#include "mpi/exec/exec.h"
#include <gbcast/gbcast.h>

enum gb_api_form { GB_API_BLOCKING, GB_API_AT_ONCE, GB_API_LATER };

typedef struct gb_api_form_of { /* how a call is made */
  enum gb_api_form form;
  gbcast_handle *handle;
} gb_how;

#define GB_HOW_BLOCKING ((gb_how){GB_API_BLOCKING, NULL})

int gb_api_bcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm, gb_how how);
int gb_api_scatter(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, gb_how how);
int gb_api_scatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm, gb_how how);
int gb_api_alltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, gb_how how);

/* Makes the call in `h`, of `size` bytes, whose arguments have been checked: rc, or its error class. h->start
 * begins it. For other than blocking calls *h is copied. The error class, which has gone through the error
 * handler. */
int gb_api_make(gb_handle *h, size_t size, int rc, gb_how how);

#endif
