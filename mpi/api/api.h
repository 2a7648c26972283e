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
  size_t room;    /* bytes of what is received into: of this rank's own block, where lengths differ */
  size_t all_sent, all_received; /* unequal blocks: bytes of all, where this rank has their lengths */
  int sends, receives;           /* blocks of the caller's that this rank sends and receives */
  bool native;                   /* MPI's own collective is run, on every rank ... */
  bool native_at_once;           /* ... or where the call is non-blocking or persistent */
} gb_sizes;

typedef struct gb_api_call gb_api_call; /* collective.h */
typedef struct gb_transfer gb_transfer;

enum gb_flow_of_data { GB_ALL_TO_ALL, GB_ROOT_TO_ALL, GB_ALL_TO_ROOT, GB_EACH_TO_ALL };

typedef struct gb_collective { /* its file defines it */
  enum gb_call_kind kind;
  enum gbcast_operation operation; /* for which its calls are planned */
  const char *name;                /* in messages */
  enum gb_flow_of_data flow;
  bool lengths; /* its name ends with v: each block has its own */
  size_t
      nominal; /* bytes of a block for which such a call is planned; 0: all ranks know how many there are */
  bool never_native;                /* MPI's own collective cannot take the arguments */
  bool uneven;                      /* as in gb_handle */
  unsigned runs;                    /* of the executor, for the data */
  const struct gb_collective *sums; /* moves the checksums: this one or another; NULL: there are none */
  /* Checks the arguments as MPI does, with the same error classes. The checks are local and come before
   * anything is sent, even before a communicator is set up. So a call that is wrong on one rank alone returns
   * there, as MPI's does, and the other ranks are not affected. */
  int (*check)(const struct gb_collective *what, const gb_comm *c, const gb_arguments *a, gb_sizes *sizes);
  /* Makes x->h.run, the next one of the data or that of the checksums. An error class. */
  int (*begin)(gb_api_call *x, gb_transfer *t);
  /* The last run is over: puts what has come where the caller wants it. An error class. */
  int (*end)(gb_api_call *x, gb_transfer *t);
  /* MPI's own collective. request: NULL: blocking. An error code, of MPI's call by gb_handle_native(). */
  int (*native)(gb_api_call *x, gb_transfer *t, MPI_Request *request);
  /* In place of that, where there is one count at each end: the same with the counts and types that MPI
   * takes. What MPI's call returns. */
  int (*native_counted)(const gb_api_call *x, const gb_transfer *t, const gb_counted *send,
                        const gb_counted *receive, MPI_Request *request);
} gb_collective;

#define GB_DECLARE_API(name, title) extern const gb_collective gb_api_##name;
GB_EACH_COLLECTIVE(GB_DECLARE_API)

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

/* Blocks of one length, and of lengths of their own. */
static inline gb_buffer gb_equal_blocks(const void *buf, MPI_Count count, gb_word type) {
  return (gb_buffer){(void *)buf, count, GB_HANDLE(MPI_Datatype, type), NULL, NULL};
}

static inline gb_buffer gb_unequal_blocks(const void *buf, const MPI_Count *counts, const MPI_Aint *places,
                                          gb_word type) {
  return (gb_buffer){(void *)buf, 0, GB_HANDLE(MPI_Datatype, type), counts, places};
}

/* gb_bcast_arguments() and so on: the arguments of each, from those of the exported function. */
#define GB_ARGUMENTS(name, send, receive, root, op)                                                          \
  static inline gb_arguments gb_##name##_arguments(GB_PARAMETERS(name, MPI_Count, MPI_Aint, gb_word)) {      \
    return (gb_arguments){send, receive, root, GB_HANDLE(MPI_Comm, comm), op};                               \
  }

#define GB_SENT gb_equal_blocks(sendbuf, sendcount, sendtype)
#define GB_SENT_V(places) gb_unequal_blocks(sendbuf, sendcounts, places, sendtype)
#define GB_RECEIVED gb_equal_blocks(recvbuf, recvcount, recvtype)
#define GB_RECEIVED_V(places) gb_unequal_blocks(recvbuf, recvcounts, places, recvtype)

GB_ARGUMENTS(barrier, gb_equal_blocks(NULL, 0, (gb_word)MPI_BYTE),
             gb_equal_blocks(NULL, 0, (gb_word)MPI_BYTE), 0, MPI_OP_NULL)
GB_ARGUMENTS(bcast, gb_equal_blocks(MPI_IN_PLACE, count, type), gb_equal_blocks(buf, count, type), root,
             MPI_OP_NULL)
GB_ARGUMENTS(scatter, GB_SENT, GB_RECEIVED, root, MPI_OP_NULL)
GB_ARGUMENTS(scatterv, GB_SENT_V(displs), GB_RECEIVED, root, MPI_OP_NULL)
GB_ARGUMENTS(gather, GB_SENT, GB_RECEIVED, root, MPI_OP_NULL)
GB_ARGUMENTS(gatherv, GB_SENT, GB_RECEIVED_V(displs), root, MPI_OP_NULL)
GB_ARGUMENTS(allgather, GB_SENT, GB_RECEIVED, 0, MPI_OP_NULL)
GB_ARGUMENTS(allgatherv, GB_SENT, GB_RECEIVED_V(displs), 0, MPI_OP_NULL)
GB_ARGUMENTS(alltoall, GB_SENT, GB_RECEIVED, 0, MPI_OP_NULL)
GB_ARGUMENTS(alltoallv, GB_SENT_V(sdispls), GB_RECEIVED_V(rdispls), 0, MPI_OP_NULL)
GB_ARGUMENTS(reduce, gb_equal_blocks(sendbuf, count, type), gb_equal_blocks(recvbuf, count, type), root,
             GB_HANDLE(MPI_Op, op))
GB_ARGUMENTS(allreduce, gb_equal_blocks(sendbuf, count, type), gb_equal_blocks(recvbuf, count, type), 0,
             GB_HANDLE(MPI_Op, op))
GB_ARGUMENTS(reduce_scatter_block, gb_equal_blocks(sendbuf, count, type),
             gb_equal_blocks(recvbuf, count, type), 0, GB_HANDLE(MPI_Op, op))

#endif
