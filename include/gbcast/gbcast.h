/* gbcast/gbcast.h: broadcast, scatter and all-to-all for MPI jobs that span several clusters. gbcast(7) is
 * the introduction.
 *
 * Every call has the meaning, the argument rules and the error classes of the MPI call that it stands for.
 * Errors go through the communicator's error handler and are returned. No set-up is needed: the first call on
 * a communicator reads GBCAST_HOSTS on its rank 0. */
#ifndef GBCAST_GBCAST_H
#define GBCAST_GBCAST_H

#include <gbcast/error.h>
#include <mpi.h>
#include <stddef.h>

#define GBCAST_VERSION_MAJOR 0
#define GBCAST_VERSION_MINOR 1
#define GBCAST_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0": of the library that runs, not of this header. */
GBCAST_API const char *gbcast_version(void);

/* Broadcasts n bytes. */
GBCAST_API int gbcast(void *buf, size_t n, int root, MPI_Comm comm);

GBCAST_API int gbcast_bcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);

GBCAST_API int gbcast_scatter(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                              MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

GBCAST_API int gbcast_scatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                               MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                               MPI_Datatype recvtype, int root, MPI_Comm comm);

/* Blocks of `sendcount` elements, one to each rank; they are the same size everywhere. */
GBCAST_API int gbcast_alltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                               MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);

/* Collective, optional. hosts_path (read on rank 0; NULL: GBCAST_HOSTS) and info (keys are the settings in
 * lower case) take the place of the environment for this communicator. */
GBCAST_API int gbcast_setup(MPI_Comm comm, const char *hosts_path, MPI_Info info);

/* Collective: read the hosts file, the live values and the settings again and plan anew. */
GBCAST_API int gbcast_refresh(MPI_Comm comm);

/* Collective: what a broadcast of n bytes, or a scatter or all-to-all of blocks of n bytes, will do and why.
 * Each rank gets its own copy of the text, to be given to free(). */
GBCAST_API int gbcast_explain(MPI_Comm comm, size_t n, int root, char **text);
GBCAST_API int gbcast_explain_scatter(MPI_Comm comm, size_t block, int root, char **text);
GBCAST_API int gbcast_explain_alltoall(MPI_Comm comm, size_t block, char **text);

#ifdef __cplusplus
}
#endif

#endif
