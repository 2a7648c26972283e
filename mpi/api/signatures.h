/* The parameters of all collectives (mpi/job/job.h lists them). What follows from these is defined
 * from here: exported functions (exported.c), calls of another MPI library, the preloaded library
 * (mpi/pmpi).
 *
 * Of each there are its parameters, with counts of type COUNT, displacements of type PLACE and handles of
 * type WORD, and their names, with conversions of the counts that are no arrays and of the handles. */
#ifndef GB_MPI_API_SIGNATURES_H
#define GB_MPI_API_SIGNATURES_H

#include "mpi/job/job.h"

#define GB_PARAMETERS_barrier(COUNT, PLACE, WORD) WORD comm
#define GB_NAMES_barrier(COUNT, TYPE, OP, COMM) COMM(comm)

#define GB_PARAMETERS_bcast(COUNT, PLACE, WORD) void *buf, COUNT count, WORD type, int root, WORD comm
#define GB_NAMES_bcast(COUNT, TYPE, OP, COMM) buf, COUNT(count), TYPE(type), root, COMM(comm)

#define GB_PARAMETERS_scatter(COUNT, PLACE, WORD)                                                            \
  const void *sendbuf, COUNT sendcount, WORD sendtype, void *recvbuf, COUNT recvcount, WORD recvtype,        \
      int root, WORD comm
#define GB_NAMES_scatter(COUNT, TYPE, OP, COMM)                                                              \
  sendbuf, COUNT(sendcount), TYPE(sendtype), recvbuf, COUNT(recvcount), TYPE(recvtype), root, COMM(comm)

#define GB_PARAMETERS_scatterv(COUNT, PLACE, WORD)                                                           \
  const void *sendbuf, const COUNT *sendcounts, const PLACE *displs, WORD sendtype, void *recvbuf,           \
      COUNT recvcount, WORD recvtype, int root, WORD comm
#define GB_NAMES_scatterv(COUNT, TYPE, OP, COMM)                                                             \
  sendbuf, sendcounts, displs, TYPE(sendtype), recvbuf, COUNT(recvcount), TYPE(recvtype), root, COMM(comm)

#define GB_PARAMETERS_gather GB_PARAMETERS_scatter
#define GB_NAMES_gather GB_NAMES_scatter

#define GB_PARAMETERS_gatherv(COUNT, PLACE, WORD)                                                            \
  const void *sendbuf, COUNT sendcount, WORD sendtype, void *recvbuf, const COUNT *recvcounts,               \
      const PLACE *displs, WORD recvtype, int root, WORD comm
#define GB_NAMES_gatherv(COUNT, TYPE, OP, COMM)                                                              \
  sendbuf, COUNT(sendcount), TYPE(sendtype), recvbuf, recvcounts, displs, TYPE(recvtype), root, COMM(comm)

#define GB_PARAMETERS_allgather GB_PARAMETERS_alltoall
#define GB_NAMES_allgather GB_NAMES_alltoall

#define GB_PARAMETERS_allgatherv(COUNT, PLACE, WORD)                                                         \
  const void *sendbuf, COUNT sendcount, WORD sendtype, void *recvbuf, const COUNT *recvcounts,               \
      const PLACE *displs, WORD recvtype, WORD comm
#define GB_NAMES_allgatherv(COUNT, TYPE, OP, COMM)                                                           \
  sendbuf, COUNT(sendcount), TYPE(sendtype), recvbuf, recvcounts, displs, TYPE(recvtype), COMM(comm)

#define GB_PARAMETERS_alltoall(COUNT, PLACE, WORD)                                                           \
  const void *sendbuf, COUNT sendcount, WORD sendtype, void *recvbuf, COUNT recvcount, WORD recvtype,        \
      WORD comm
#define GB_NAMES_alltoall(COUNT, TYPE, OP, COMM)                                                             \
  sendbuf, COUNT(sendcount), TYPE(sendtype), recvbuf, COUNT(recvcount), TYPE(recvtype), COMM(comm)

#define GB_PARAMETERS_alltoallv(COUNT, PLACE, WORD)                                                          \
  const void *sendbuf, const COUNT *sendcounts, const PLACE *sdispls, WORD sendtype, void *recvbuf,          \
      const COUNT *recvcounts, const PLACE *rdispls, WORD recvtype, WORD comm
#define GB_NAMES_alltoallv(COUNT, TYPE, OP, COMM)                                                            \
  sendbuf, sendcounts, sdispls, TYPE(sendtype), recvbuf, recvcounts, rdispls, TYPE(recvtype), COMM(comm)

#define GB_PARAMETERS_reduce(COUNT, PLACE, WORD)                                                             \
  const void *sendbuf, void *recvbuf, COUNT count, WORD type, WORD op, int root, WORD comm
#define GB_NAMES_reduce(COUNT, TYPE, OP, COMM)                                                               \
  sendbuf, recvbuf, COUNT(count), TYPE(type), OP(op), root, COMM(comm)

#define GB_PARAMETERS_allreduce(COUNT, PLACE, WORD)                                                          \
  const void *sendbuf, void *recvbuf, COUNT count, WORD type, WORD op, WORD comm
#define GB_NAMES_allreduce(COUNT, TYPE, OP, COMM)                                                            \
  sendbuf, recvbuf, COUNT(count), TYPE(type), OP(op), COMM(comm)

#define GB_PARAMETERS_reduce_scatter_block(COUNT, PLACE, WORD)                                               \
  const void *sendbuf, void *recvbuf, COUNT recvcount, WORD type, WORD op, WORD comm
#define GB_NAMES_reduce_scatter_block(COUNT, TYPE, OP, COMM)                                                 \
  sendbuf, recvbuf, COUNT(recvcount), TYPE(type), OP(op), COMM(comm)

#define GB_AS_IT_IS(word) word
#define GB_NAMES(name) GB_NAMES_##name(GB_AS_IT_IS, GB_AS_IT_IS, GB_AS_IT_IS, GB_AS_IT_IS)

/* Calls of a program that runs with another MPI library than this one was built for (mpi/job/library.h). They
 * are passed on to that library with handles as integers and counts of type int (foreign.c). */
#define GB_DECLARE_FOREIGN(name, title)                                                                      \
  int gb_foreign_##name(GB_PARAMETERS_##name(MPI_Count, MPI_Aint, gb_word));
GB_EACH_COLLECTIVE(GB_DECLARE_FOREIGN)

/* The other library's handles for Fortran's. */
gb_word gb_foreign_type(MPI_Fint type);
gb_word gb_foreign_op(MPI_Fint op);
gb_word gb_foreign_comm(MPI_Fint comm);

#endif
