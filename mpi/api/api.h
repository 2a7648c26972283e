/* The calls of gbcast/gbcast.h, which the exported functions call once they know that the program uses this
 * MPI library (exported.h). */
#ifndef GB_MPI_API_API_H
#define GB_MPI_API_API_H

#include "mpi/api/args.h"
#include "mpi/comm/comm.h"
#include "mpi/exec/exec.h"

int gb_api_bcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);
int gb_api_scatter(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int gb_api_scatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm);
int gb_api_alltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);

/* At the start of a call, and before one is explained: takes in what ranks have been told since the last one.
 */
void gb_api_adopt(gb_comm *c);

/* The schedule of a call that begins now. An error class. */
int gb_api_schedule(gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, gb_role **out);

/* Whether it is run, and not MPI's own collective. The first time for which it is, the call is collective: it
 * makes the duplicate. bytes: of the message or block. */
bool gb_api_planned(gb_comm *c, const gb_role *role, size_t bytes);

#endif
