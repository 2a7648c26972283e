/* The calls of gbcast/gbcast.h. The exported functions make them once they know that the program uses this
 * MPI library (exported.c), and so does the preloaded library. */
#ifndef GB_MPI_API_API_H
#define GB_MPI_API_API_H

#include "mpi/api/signatures.h"
#include "mpi/comm/comm.h"
#include "mpi/exec/exec.h"
#include <gbcast/gbcast.h>

/* Where the blocks are that a rank sends, or those that it receives: one, or one for each rank. */
typedef struct gb_buffer {
  void *buf;       /* what is sent is not written to */
  MPI_Count count; /* of elements in each block */
  MPI_Datatype type;
  const MPI_Count *counts; /* those whose names end with v: of each block, in place of `count`; */
  const MPI_Aint *places;  /* and where it begins, in extents. Else NULL */
} gb_buffer;

typedef struct gb_arguments {
  gb_buffer send, receive; /* a broadcast is one in place */
  int root;                /* 0 where there is none */
  MPI_Comm comm;
  MPI_Op op; /* of reductions */
} gb_arguments;

/* What a rank finds out about right arguments. */
typedef struct gb_sizes {
  size_t planned; /* bytes for which the call is planned, the same on every rank: the message or a block */
  size_t block;   /* bytes of the message or of this rank's block */
  size_t room;    /* bytes of what is received into; 0 if nothing is */
  int sends, receives; /* blocks of the caller's that this rank sends and receives */
  bool native;         /* MPI's own collective is run, on every rank ... */
  bool native_at_once; /* ... or where the call is non-blocking or persistent */
} gb_sizes;

/* What a collective is; its file defines it. */
typedef struct gb_collective gb_collective;
extern const gb_collective gb_api_bcast, gb_api_scatter, gb_api_scatterv, gb_api_gather, gb_api_gatherv,
    gb_api_allgather, gb_api_allgatherv, gb_api_alltoall, gb_api_alltoallv, gb_api_reduce, gb_api_allreduce,
    gb_api_reduce_scatter_block, gb_api_barrier;

/* For which its calls are planned. */
enum gbcast_operation gb_collective_operation(const gb_collective *what);
/* As gb_handle.uneven. */
bool gb_collective_is_uneven(const gb_collective *what);

/* Checks the arguments as MPI does, with the same error classes. The checks are local and come before
 * anything is sent, even before a communicator is set up. So a call that is wrong on one rank alone returns
 * there, as MPI's does, and the other ranks are not affected. */
int gb_api_check(const gb_collective *what, const gb_comm *c, const gb_arguments *a, gb_sizes *sizes);

typedef struct gb_how { /* how a call is made */
  enum gb_call_form form;
  gbcast_handle *handle; /* non-blocking: to be given to gbcast_wait() or gbcast_test(); persistent: to be
                            given to gbcast_start() */
  bool mpi;              /* the program has called MPI's function */
} gb_how;

#define GB_HOW_BLOCKING ((gb_how){.form = GB_CALL_BLOCKING})

/* Bytes of the message or of one block of a call that is passed on to MPI; 0 where this rank does not know.
 * c: may be NULL. */
uint64_t gb_api_bytes(const gb_collective *what, const gb_comm *c, const gb_arguments *a);

/* Whether this rank is the root, so that the arguments of the send side count. */
bool gb_api_is_root(const gb_comm *c, const gb_arguments *a);

/* Makes a call. The error class, which has gone through the error handler. */
int gb_api_make(const gb_collective *what, const gb_arguments *a, gb_how how);

/* The arguments of each, from those of the exported function. */
static inline gb_arguments gb_scatterv_arguments(const void *sendbuf, const MPI_Count *sendcounts,
                                                 const MPI_Aint *displs, gb_word sendtype, void *recvbuf,
                                                 MPI_Count recvcount, gb_word recvtype, int root,
                                                 gb_word comm) {
  return (gb_arguments){{(void *)sendbuf, 0, GB_HANDLE(MPI_Datatype, sendtype), sendcounts, displs},
                        {recvbuf, recvcount, GB_HANDLE(MPI_Datatype, recvtype), NULL, NULL},
                        root,
                        GB_HANDLE(MPI_Comm, comm),
                        MPI_OP_NULL};
}

static inline gb_arguments gb_scatter_arguments(const void *sendbuf, MPI_Count sendcount, gb_word sendtype,
                                                void *recvbuf, MPI_Count recvcount, gb_word recvtype,
                                                int root, gb_word comm) {
  gb_arguments a =
      gb_scatterv_arguments(sendbuf, NULL, NULL, sendtype, recvbuf, recvcount, recvtype, root, comm);
  a.send.count = sendcount;
  return a;
}

static inline gb_arguments gb_gather_arguments(const void *sendbuf, MPI_Count sendcount, gb_word sendtype,
                                               void *recvbuf, MPI_Count recvcount, gb_word recvtype, int root,
                                               gb_word comm) {
  return gb_scatter_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

static inline gb_arguments gb_gatherv_arguments(const void *sendbuf, MPI_Count sendcount, gb_word sendtype,
                                                void *recvbuf, const MPI_Count *recvcounts,
                                                const MPI_Aint *displs, gb_word recvtype, int root,
                                                gb_word comm) {
  gb_arguments a = gb_gather_arguments(sendbuf, sendcount, sendtype, recvbuf, 0, recvtype, root, comm);
  a.receive.counts = recvcounts;
  a.receive.places = displs;
  return a;
}

static inline gb_arguments gb_alltoall_arguments(const void *sendbuf, MPI_Count sendcount, gb_word sendtype,
                                                 void *recvbuf, MPI_Count recvcount, gb_word recvtype,
                                                 gb_word comm) {
  return gb_scatter_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, 0, comm);
}

static inline gb_arguments gb_alltoallv_arguments(const void *sendbuf, const MPI_Count *sendcounts,
                                                  const MPI_Aint *sdispls, gb_word sendtype, void *recvbuf,
                                                  const MPI_Count *recvcounts, const MPI_Aint *rdispls,
                                                  gb_word recvtype, gb_word comm) {
  gb_arguments a =
      gb_scatterv_arguments(sendbuf, sendcounts, sdispls, sendtype, recvbuf, 0, recvtype, 0, comm);
  a.receive.counts = recvcounts;
  a.receive.places = rdispls;
  return a;
}

static inline gb_arguments gb_allgather_arguments(const void *sendbuf, MPI_Count sendcount, gb_word sendtype,
                                                  void *recvbuf, MPI_Count recvcount, gb_word recvtype,
                                                  gb_word comm) {
  return gb_alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

static inline gb_arguments gb_allgatherv_arguments(const void *sendbuf, MPI_Count sendcount, gb_word sendtype,
                                                   void *recvbuf, const MPI_Count *recvcounts,
                                                   const MPI_Aint *displs, gb_word recvtype, gb_word comm) {
  return gb_gatherv_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, 0, comm);
}

static inline gb_arguments gb_reduce_arguments(const void *sendbuf, void *recvbuf, MPI_Count count,
                                               gb_word type, gb_word op, int root, gb_word comm) {
  gb_arguments a = gb_scatter_arguments(sendbuf, count, type, recvbuf, count, type, root, comm);
  a.op = GB_HANDLE(MPI_Op, op);
  return a;
}

static inline gb_arguments gb_allreduce_arguments(const void *sendbuf, void *recvbuf, MPI_Count count,
                                                  gb_word type, gb_word op, gb_word comm) {
  return gb_reduce_arguments(sendbuf, recvbuf, count, type, op, 0, comm);
}

static inline gb_arguments gb_reduce_scatter_block_arguments(const void *sendbuf, void *recvbuf,
                                                             MPI_Count recvcount, gb_word type, gb_word op,
                                                             gb_word comm) {
  return gb_reduce_arguments(sendbuf, recvbuf, recvcount, type, op, 0, comm);
}

static inline gb_arguments gb_barrier_arguments(gb_word comm) {
  const gb_buffer none = {NULL, 0, MPI_BYTE, NULL, NULL};
  return (gb_arguments){none, none, 0, GB_HANDLE(MPI_Comm, comm), MPI_OP_NULL};
}

static inline gb_arguments gb_bcast_arguments(void *buf, MPI_Count count, gb_word type, int root,
                                              gb_word comm) {
  return gb_scatter_arguments(MPI_IN_PLACE, count, type, buf, count, type, root, comm);
}

#endif
