/* The calls of gbcast/gbcast.h, which the exported functions call once they know that the program uses this
 * MPI library (exported.h). */
#ifndef GB_MPI_API_API_H
#define GB_MPI_API_API_H

#include <mpi.h>

int gb_api_bcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);
int gb_api_scatter(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int gb_api_scatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm);
int gb_api_alltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);

#endif
