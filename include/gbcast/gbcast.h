/* gbcast/gbcast.h: broadcast, scatter, gather, reductions, all-to-all and barrier for MPI jobs that
 * span several clusters. gbcast(7) is the introduction.
 *
 * Every call has the meaning, the argument rules and the error classes of the MPI call that it stands for.
 * Errors go through the communicator's error handler and are returned. After one in the middle of a call or
 * of a set-up all later calls on the communicator return it on this rank, until gbcast_setup() or
 * gbcast_refresh(). No set-up is needed: the first call on a communicator reads GBCAST_HOSTS on its rank 0.
 */
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

/* The version of the library that runs, not of this header, such as "0.1.0". */
GBCAST_API const char *gbcast_version(void);

/* Broadcasts the n bytes at buf on rank root to all ranks of comm. */
GBCAST_API int gbcast(void *buf, size_t n, int root, MPI_Comm comm);

/* As MPI_Bcast: `count` elements of `type`. */
GBCAST_API int gbcast_bcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);

/* As MPI_Scatter: `sendcount` elements of sendbuf on rank root to each rank; the root may pass MPI_IN_PLACE
 * as recvbuf. */
GBCAST_API int gbcast_scatter(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                              MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/* As MPI_Scatterv_c: sendcounts[r] elements to rank r, from displs[r] extents of sendtype behind sendbuf. */
GBCAST_API int gbcast_scatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                               MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                               MPI_Datatype recvtype, int root, MPI_Comm comm);

/* As MPI_Gather: `sendcount` elements of each rank to rank root, in the order of ranks; the root may pass
 * MPI_IN_PLACE as sendbuf. */
GBCAST_API int gbcast_gather(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/* As MPI_Gatherv_c: recvcounts[r] elements of rank r to displs[r] extents of recvtype behind recvbuf. */
GBCAST_API int gbcast_gatherv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                              const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                              int root, MPI_Comm comm);

/* As MPI_Allgather: `sendcount` elements of each rank to all ranks, in the order of ranks. All may pass
 * MPI_IN_PLACE as sendbuf. */
GBCAST_API int gbcast_allgather(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);

/* As MPI_Allgatherv_c: recvcounts[r] elements of rank r to displs[r] extents of recvtype behind recvbuf. */
GBCAST_API int gbcast_allgatherv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                 void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                                 MPI_Datatype recvtype, MPI_Comm comm);

/* As MPI_Alltoall: a block of `sendcount` elements from each rank to each rank. All blocks have the same
 * size. */
GBCAST_API int gbcast_alltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                               MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);

/* As MPI_Alltoallv_c: sendcounts[r] elements from sdispls[r] extents of sendtype behind sendbuf to each rank
 * r, recvcounts[r] from it to rdispls[r] extents of recvtype behind recvbuf. With MPI_IN_PLACE as sendbuf,
 * what is sent is what is there in recvbuf. */
GBCAST_API int gbcast_alltoallv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                                const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm);

/* As MPI_Reduce: combines `count` operands of `type` from each rank by `op`; the root has the result. The
 * root may pass MPI_IN_PLACE as sendbuf. The same plan combines in the same order on each call, so the result
 * has the same bits. Left to MPI are operators that do not commute, those of the program in a non-blocking or
 * persistent call, and types with gaps. */
GBCAST_API int gbcast_reduce(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype type,
                             MPI_Op op, int root, MPI_Comm comm);

/* As MPI_Allreduce: every rank has the result, with the same bits. All may pass MPI_IN_PLACE as sendbuf. */
GBCAST_API int gbcast_allreduce(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype type,
                                MPI_Op op, MPI_Comm comm);

/* As MPI_Reduce_scatter_block: combines `recvcount` operands for each rank from each rank by `op`; rank r has
 * those of the r-th block. With MPI_IN_PLACE as sendbuf, the operands are in recvbuf, and the result comes to
 * its beginning. What is left to MPI is as in gbcast_reduce(). */
GBCAST_API int gbcast_reduce_scatter_block(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                           MPI_Datatype type, MPI_Op op, MPI_Comm comm);

/* As MPI_Barrier: returns when all ranks have called it. */
GBCAST_API int gbcast_barrier(MPI_Comm comm);

/* Non-blocking and persistent calls, which pass a handle to the program.
 *
 * gbcast_i...() begins a call, and gbcast_wait() or gbcast_test() ends it: the handle is GBCAST_HANDLE_NULL
 * then. gbcast_..._init() only checks the arguments; each gbcast_start() begins the call, and after its end
 * it may be started again, until gbcast_handle_free(). The rules are those of MPI's non-blocking collectives:
 * all ranks begin the calls on a communicator in the same order, with blocking ones between them, but may end
 * them in any; the program leaves buffers, counts and displacements alone until the end; a blocking
 * call does not match a non-blocking one. The first call on a communicator, and the first that runs a plan,
 * wait for all ranks.
 *
 * A call gets on whenever the process is in any call of gbcast, and with GBCAST_PROGRESS=thread at all times.
 * The program may free its communicator, its datatypes and its operators meanwhile, as in MPI. MPI_Finalize()
 * waits for the call. */
typedef struct gbcast_call *gbcast_handle;
#define GBCAST_HANDLE_NULL ((gbcast_handle)0)

GBCAST_API int gbcast_ibcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
                             gbcast_handle *handle);
GBCAST_API int gbcast_iscatter(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                               MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                               gbcast_handle *handle);
GBCAST_API int gbcast_iscatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                                MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                                MPI_Datatype recvtype, int root, MPI_Comm comm, gbcast_handle *handle);
GBCAST_API int gbcast_igather(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                              MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                              gbcast_handle *handle);
GBCAST_API int gbcast_igatherv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                               const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                               int root, MPI_Comm comm, gbcast_handle *handle);
GBCAST_API int gbcast_iallgather(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                 void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                 gbcast_handle *handle);
GBCAST_API int gbcast_iallgatherv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                                  MPI_Datatype recvtype, MPI_Comm comm, gbcast_handle *handle);
GBCAST_API int gbcast_ialltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                gbcast_handle *handle);
GBCAST_API int gbcast_ialltoallv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                 MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                                 const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                 gbcast_handle *handle);

GBCAST_API int gbcast_ireduce(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype type,
                              MPI_Op op, int root, MPI_Comm comm, gbcast_handle *handle);
GBCAST_API int gbcast_iallreduce(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm, gbcast_handle *handle);
GBCAST_API int gbcast_ireduce_scatter_block(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                            MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                            gbcast_handle *handle);

GBCAST_API int gbcast_ibarrier(MPI_Comm comm, gbcast_handle *handle);

GBCAST_API int gbcast_bcast_init(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
                                 gbcast_handle *handle);
GBCAST_API int gbcast_scatter_init(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                   void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                   MPI_Comm comm, gbcast_handle *handle);
GBCAST_API int gbcast_scatterv_init(const void *sendbuf, const MPI_Count sendcounts[],
                                    const MPI_Aint displs[], MPI_Datatype sendtype, void *recvbuf,
                                    MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                                    gbcast_handle *handle);
GBCAST_API int gbcast_gather_init(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                  MPI_Comm comm, gbcast_handle *handle);
GBCAST_API int gbcast_gatherv_init(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                   void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                                   MPI_Datatype recvtype, int root, MPI_Comm comm, gbcast_handle *handle);
GBCAST_API int gbcast_allgather_init(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                     void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                     gbcast_handle *handle);
GBCAST_API int gbcast_allgatherv_init(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                      void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                                      MPI_Datatype recvtype, MPI_Comm comm, gbcast_handle *handle);
GBCAST_API int gbcast_alltoall_init(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                    void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                    gbcast_handle *handle);
GBCAST_API int gbcast_alltoallv_init(const void *sendbuf, const MPI_Count sendcounts[],
                                     const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                     const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                     MPI_Datatype recvtype, MPI_Comm comm, gbcast_handle *handle);

GBCAST_API int gbcast_reduce_init(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype type,
                                  MPI_Op op, int root, MPI_Comm comm, gbcast_handle *handle);
GBCAST_API int gbcast_allreduce_init(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype type,
                                     MPI_Op op, MPI_Comm comm, gbcast_handle *handle);
GBCAST_API int gbcast_reduce_scatter_block_init(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                                MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                                gbcast_handle *handle);

GBCAST_API int gbcast_barrier_init(MPI_Comm comm, gbcast_handle *handle);

/* Begins a persistent call. MPI_ERR_REQUEST: it is under way, or not persistent. */
GBCAST_API int gbcast_start(gbcast_handle *handle);

/* Whether the call is over: *flag. If so it has ended, and its error is returned. GBCAST_HANDLE_NULL, and a
 * persistent call that has not been started, are over. */
GBCAST_API int gbcast_test(gbcast_handle *handle, int *flag);
GBCAST_API int gbcast_wait(gbcast_handle *handle);

/* Waits for n calls, whatever becomes of one of them. The first error. */
GBCAST_API int gbcast_waitall(int n, gbcast_handle handles[]);

/* Waits for a call that is under way. *handle is GBCAST_HANDLE_NULL then. */
GBCAST_API int gbcast_handle_free(gbcast_handle *handle);

/* Collective, optional. Replaces the environment for this communicator: hosts_path is the hosts file, read on
 * rank 0 (NULL: that of GBCAST_HOSTS), and the keys of info (may be MPI_INFO_NULL) are the settings in lower
 * case. MPI_ERR_ARG: the file or a setting cannot be used. */
GBCAST_API int gbcast_setup(MPI_Comm comm, const char *hosts_path, MPI_Info info);

/* Collective. Reads the hosts file, the live values and the settings again, and makes new plans from them. */
GBCAST_API int gbcast_refresh(MPI_Comm comm);

/* Collective. What a barrier, a broadcast of n bytes, a reduction or allreduce of n bytes from each rank, an
 * allgather or reduce-scatter of n bytes in all, or a scatter, gather or all-to-all of blocks of `block`
 * bytes, will do, and why. Each rank gets its own copy of the text, to be given to free(). */
GBCAST_API int gbcast_explain(MPI_Comm comm, size_t n, int root, char **text);
GBCAST_API int gbcast_explain_scatter(MPI_Comm comm, size_t block, int root, char **text);
GBCAST_API int gbcast_explain_gather(MPI_Comm comm, size_t block, int root, char **text);
GBCAST_API int gbcast_explain_allgather(MPI_Comm comm, size_t n, char **text);
GBCAST_API int gbcast_explain_alltoall(MPI_Comm comm, size_t block, char **text);
GBCAST_API int gbcast_explain_barrier(MPI_Comm comm, char **text);
GBCAST_API int gbcast_explain_reduce(MPI_Comm comm, size_t n, int root, char **text);
GBCAST_API int gbcast_explain_allreduce(MPI_Comm comm, size_t n, char **text);

GBCAST_API int gbcast_explain_reduce_scatter_block(MPI_Comm comm, size_t n, char **text);

#ifdef __cplusplus
}
#endif

#endif
