/* The parameters of all collectives (mpi/job/job.h lists them). What follows from these is defined
 * from here: exported functions (exported.c), calls of another MPI library (foreign.c), the preloaded library
 * (mpi/pmpi), in C and in Fortran.
 *
 * Of each there are its parameters, of types INT, COUNT, COUNTS, PLACES (displacements) and WORD (handles),
 * and their names, with conversions of buffers, of a root, of counts, and of handles. */
#ifndef GB_MPI_API_SIGNATURES_H
#define GB_MPI_API_SIGNATURES_H

#include "mpi/job/job.h"

#define GB_SIGNATURE_barrier(INT, COUNT, COUNTS, PLACES, WORD) WORD comm
#define GB_NAMES_barrier(BUFFER, ROOT, COUNT, TYPE, OP, COMM) COMM(comm)

#define GB_SIGNATURE_bcast(INT, COUNT, COUNTS, PLACES, WORD)                                                 \
  void *buf, COUNT count, WORD type, INT root, WORD comm
#define GB_NAMES_bcast(BUFFER, ROOT, COUNT, TYPE, OP, COMM)                                                  \
  BUFFER(buf), COUNT(count), TYPE(type), ROOT(root), COMM(comm)

#define GB_SIGNATURE_scatter(INT, COUNT, COUNTS, PLACES, WORD)                                               \
  const void *sendbuf, COUNT sendcount, WORD sendtype, void *recvbuf, COUNT recvcount, WORD recvtype,        \
      INT root, WORD comm
#define GB_NAMES_scatter(BUFFER, ROOT, COUNT, TYPE, OP, COMM)                                                \
  BUFFER(sendbuf), COUNT(sendcount), TYPE(sendtype), BUFFER(recvbuf), COUNT(recvcount), TYPE(recvtype),      \
      ROOT(root), COMM(comm)

#define GB_SIGNATURE_scatterv(INT, COUNT, COUNTS, PLACES, WORD)                                              \
  const void *sendbuf, COUNTS sendcounts, PLACES displs, WORD sendtype, void *recvbuf, COUNT recvcount,      \
      WORD recvtype, INT root, WORD comm
#define GB_NAMES_scatterv(BUFFER, ROOT, COUNT, TYPE, OP, COMM)                                               \
  BUFFER(sendbuf), sendcounts, displs, TYPE(sendtype), BUFFER(recvbuf), COUNT(recvcount), TYPE(recvtype),    \
      ROOT(root), COMM(comm)

#define GB_SIGNATURE_gather GB_SIGNATURE_scatter
#define GB_NAMES_gather GB_NAMES_scatter

#define GB_SIGNATURE_gatherv(INT, COUNT, COUNTS, PLACES, WORD)                                               \
  const void *sendbuf, COUNT sendcount, WORD sendtype, void *recvbuf, COUNTS recvcounts, PLACES displs,      \
      WORD recvtype, INT root, WORD comm
#define GB_NAMES_gatherv(BUFFER, ROOT, COUNT, TYPE, OP, COMM)                                                \
  BUFFER(sendbuf), COUNT(sendcount), TYPE(sendtype), BUFFER(recvbuf), recvcounts, displs, TYPE(recvtype),    \
      ROOT(root), COMM(comm)

#define GB_SIGNATURE_allgather GB_SIGNATURE_alltoall
#define GB_NAMES_allgather GB_NAMES_alltoall

#define GB_SIGNATURE_allgatherv(INT, COUNT, COUNTS, PLACES, WORD)                                            \
  const void *sendbuf, COUNT sendcount, WORD sendtype, void *recvbuf, COUNTS recvcounts, PLACES displs,      \
      WORD recvtype, WORD comm
#define GB_NAMES_allgatherv(BUFFER, ROOT, COUNT, TYPE, OP, COMM)                                             \
  BUFFER(sendbuf), COUNT(sendcount), TYPE(sendtype), BUFFER(recvbuf), recvcounts, displs, TYPE(recvtype),    \
      COMM(comm)

#define GB_SIGNATURE_alltoall(INT, COUNT, COUNTS, PLACES, WORD)                                              \
  const void *sendbuf, COUNT sendcount, WORD sendtype, void *recvbuf, COUNT recvcount, WORD recvtype,        \
      WORD comm
#define GB_NAMES_alltoall(BUFFER, ROOT, COUNT, TYPE, OP, COMM)                                               \
  BUFFER(sendbuf), COUNT(sendcount), TYPE(sendtype), BUFFER(recvbuf), COUNT(recvcount), TYPE(recvtype),      \
      COMM(comm)

#define GB_SIGNATURE_alltoallv(INT, COUNT, COUNTS, PLACES, WORD)                                             \
  const void *sendbuf, COUNTS sendcounts, PLACES sdispls, WORD sendtype, void *recvbuf, COUNTS recvcounts,   \
      PLACES rdispls, WORD recvtype, WORD comm
#define GB_NAMES_alltoallv(BUFFER, ROOT, COUNT, TYPE, OP, COMM)                                              \
  BUFFER(sendbuf), sendcounts, sdispls, TYPE(sendtype), BUFFER(recvbuf), recvcounts, rdispls,                \
      TYPE(recvtype), COMM(comm)

#define GB_SIGNATURE_reduce(INT, COUNT, COUNTS, PLACES, WORD)                                                \
  const void *sendbuf, void *recvbuf, COUNT count, WORD type, WORD op, INT root, WORD comm
#define GB_NAMES_reduce(BUFFER, ROOT, COUNT, TYPE, OP, COMM)                                                 \
  BUFFER(sendbuf), BUFFER(recvbuf), COUNT(count), TYPE(type), OP(op), ROOT(root), COMM(comm)

#define GB_SIGNATURE_allreduce(INT, COUNT, COUNTS, PLACES, WORD)                                             \
  const void *sendbuf, void *recvbuf, COUNT count, WORD type, WORD op, WORD comm
#define GB_NAMES_allreduce(BUFFER, ROOT, COUNT, TYPE, OP, COMM)                                              \
  BUFFER(sendbuf), BUFFER(recvbuf), COUNT(count), TYPE(type), OP(op), COMM(comm)

#define GB_SIGNATURE_reduce_scatter_block GB_SIGNATURE_allreduce
#define GB_NAMES_reduce_scatter_block GB_NAMES_allreduce

/* The parameters of a function in C, with counts of type COUNT and displacements of type PLACE. */
#define GB_PARAMETERS(name, COUNT, PLACE, WORD)                                                              \
  GB_SIGNATURE_##name(int, COUNT, const COUNT *, const PLACE *, WORD)

#define GB_AS_IT_IS(argument) argument
#define GB_NAMES(name)                                                                                       \
  GB_NAMES_##name(GB_AS_IT_IS, GB_AS_IT_IS, GB_AS_IT_IS, GB_AS_IT_IS, GB_AS_IT_IS, GB_AS_IT_IS)

/* Calls of a program that runs with another MPI library than this one was built for (mpi/job/library.h). They
 * are passed on to that library with handles as integers and counts of type int (foreign.c). */
#define GB_DECLARE_FOREIGN(name, title)                                                                      \
  int gb_foreign_##name(GB_PARAMETERS(name, MPI_Count, MPI_Aint, gb_word));
GB_EACH_COLLECTIVE(GB_DECLARE_FOREIGN)

/* The other library's handles for Fortran's. */
gb_word gb_foreign_type(MPI_Fint type);
gb_word gb_foreign_op(MPI_Fint op);
gb_word gb_foreign_comm(MPI_Fint comm);

#endif
