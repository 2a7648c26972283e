/* Calls of a program that runs with another MPI library than this one was built for (mpi/job/library.h). They
 * are passed on to that library with handles as integers and counts of type int. */
#ifndef GB_MPI_API_FOREIGN_H
#define GB_MPI_API_FOREIGN_H

#include "mpi/job/job.h"

/* All collectives. Of each its parameters, with handles of type WORD, and their names, with conversions of
 * the handles. */
#define GB_EACH_COLLECTIVE(DO) DO(bcast) DO(scatter) DO(scatterv) DO(alltoall) DO(reduce) DO(allreduce)

#define GB_PARAMETERS_bcast(WORD) void *buf, MPI_Count count, WORD type, int root, WORD comm
#define GB_NAMES_bcast(TYPE, OP, COMM) buf, count, TYPE(type), root, COMM(comm)

#define GB_PARAMETERS_scatter(WORD)                                                                          \
  const void *sendbuf, MPI_Count sendcount, WORD sendtype, void *recvbuf, MPI_Count recvcount,               \
      WORD recvtype, int root, WORD comm
#define GB_NAMES_scatter(TYPE, OP, COMM)                                                                     \
  sendbuf, sendcount, TYPE(sendtype), recvbuf, recvcount, TYPE(recvtype), root, COMM(comm)

#define GB_PARAMETERS_scatterv(WORD)                                                                         \
  const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], WORD sendtype, void *recvbuf,  \
      MPI_Count recvcount, WORD recvtype, int root, WORD comm
#define GB_NAMES_scatterv(TYPE, OP, COMM)                                                                    \
  sendbuf, sendcounts, displs, TYPE(sendtype), recvbuf, recvcount, TYPE(recvtype), root, COMM(comm)

#define GB_PARAMETERS_alltoall(WORD)                                                                         \
  const void *sendbuf, MPI_Count sendcount, WORD sendtype, void *recvbuf, MPI_Count recvcount,               \
      WORD recvtype, WORD comm
#define GB_NAMES_alltoall(TYPE, OP, COMM)                                                                    \
  sendbuf, sendcount, TYPE(sendtype), recvbuf, recvcount, TYPE(recvtype), COMM(comm)

#define GB_PARAMETERS_reduce(WORD)                                                                           \
  const void *sendbuf, void *recvbuf, MPI_Count count, WORD type, WORD op, int root, WORD comm
#define GB_NAMES_reduce(TYPE, OP, COMM) sendbuf, recvbuf, count, TYPE(type), OP(op), root, COMM(comm)

#define GB_PARAMETERS_allreduce(WORD)                                                                        \
  const void *sendbuf, void *recvbuf, MPI_Count count, WORD type, WORD op, WORD comm
#define GB_NAMES_allreduce(TYPE, OP, COMM) sendbuf, recvbuf, count, TYPE(type), OP(op), COMM(comm)

#define GB_AS_IT_IS(word) word
#define GB_DECLARE_FOREIGN(name) int gb_foreign_##name(GB_PARAMETERS_##name(gb_word));
GB_EACH_COLLECTIVE(GB_DECLARE_FOREIGN)

/* The other library's handles for Fortran's. */
gb_word gb_foreign_type(MPI_Fint type);
gb_word gb_foreign_op(MPI_Fint op);
gb_word gb_foreign_comm(MPI_Fint comm);

#endif
