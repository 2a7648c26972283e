/* The functions that Fortran programs call. With MPICH nearly all of these call MPI's C functions and reach
 * this library by themselves. Open MPI's mpif.h and module mpi call PMPI_Bcast, and its module mpi_f08 an
 * internal function.
 *
 *   program -- mpi_bcast_     (mpif.h, mpi) --+
 *           -- mpi_bcast_f08_ (mpi_f08) ------+--> MPI_Bcast of collectives.c
 *
 * Both take addresses of all arguments. Handles of mpi_f08 are structures of one integer, so they are the
 * same in memory, and its error code may be absent (NULL). A program of another MPI library is passed on to
 * that library's functions of the same names. */
#include "mpi/pmpi/next.h"

/* Defines a function of a call, from its parameters, their names alone, and the C call. */
// NOLINTBEGIN(bugprone-macro-parentheses)
#define FORTRAN_NAMED(symbol, parameters, arguments, before, call, after)                                    \
  GBCAST_API void symbol parameters;                                                                         \
  void symbol parameters {                                                                                   \
    if (!gb_library_is_ours()) {                                                                             \
      void(*next) parameters = (void(*) parameters)gb_next_named(#symbol);                                   \
      next arguments;                                                                                        \
      return;                                                                                                \
    }                                                                                                        \
    before const int rc = call;                                                                              \
    after if (ierror != NULL) *ierror = rc;                                                                  \
  }
// NOLINTEND(bugprone-macro-parentheses)

#ifdef OPEN_MPI

/* Fortran's MPI_BOTTOM and MPI_IN_PLACE are variables of these names. */
extern int mpi_fortran_bottom_, mpi_fortran_in_place_;

static void *place(void *buffer) {
  return buffer == &mpi_fortran_bottom_     ? MPI_BOTTOM
         : buffer == &mpi_fortran_in_place_ ? MPI_IN_PLACE
                                            : buffer;
}

static gb_word type_of(const MPI_Fint *type) {
  return (gb_word)MPI_Type_f2c(*type);
}

static gb_word op_of(const MPI_Fint *op) {
  return (gb_word)MPI_Op_f2c(*op);
}

static gb_word comm_of(const MPI_Fint *comm) {
  return (gb_word)MPI_Comm_f2c(*comm);
}

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "counts are handed on where they are");

/* Defines both functions of a call, from its parameters, their names alone, and the C call. */
#define FORTRAN(name, parameters, arguments, call)                                                           \
  FORTRAN_NAMED(mpi_##name##_, parameters, arguments, , call, )                                              \
  FORTRAN_NAMED(mpi_##name##_f08_, parameters, arguments, , call, )

/* The same for a call that makes a request. */
#define FORTRAN_AT_ONCE(name, parameters, arguments, call)                                                   \
  FORTRAN_NAMED(mpi_##name##_, parameters, arguments, MPI_Request made = MPI_REQUEST_NULL;                   \
                , call, *request = MPI_Request_c2f(made);)                                                   \
  FORTRAN_NAMED(mpi_##name##_f08_, parameters, arguments, MPI_Request made = MPI_REQUEST_NULL;               \
                , call, *request = MPI_Request_c2f(made);)

FORTRAN(init, (MPI_Fint * ierror), (ierror), gb_pmpi_init(NULL, NULL))

FORTRAN(init_thread, (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *ierror),
        (required, provided, ierror), gb_pmpi_init_thread(NULL, NULL, *required, provided))

FORTRAN(finalize, (MPI_Fint * ierror), (ierror), gb_pmpi_finalize())

FORTRAN(bcast, (void *buf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror),
        (buf, count, type, root, comm, ierror),
        gb_pmpi_bcast(place(buf), *count, type_of(type), *root, comm_of(comm)))

FORTRAN(scatter,
        (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount,
         MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror),
        gb_pmpi_scatter(place(sendbuf), *sendcount, type_of(sendtype), place(recvbuf), *recvcount,
                        type_of(recvtype), *root, comm_of(comm)))

FORTRAN(scatterv,
        (void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *displs, MPI_Fint *sendtype, void *recvbuf,
         MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror),
        (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror),
        gb_pmpi_scatterv(place(sendbuf), sendcounts, displs, type_of(sendtype), place(recvbuf), *recvcount,
                         type_of(recvtype), *root, comm_of(comm)))

FORTRAN(gather,
        (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount,
         MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror),
        gb_pmpi_gather(place(sendbuf), *sendcount, type_of(sendtype), place(recvbuf), *recvcount,
                       type_of(recvtype), *root, comm_of(comm)))

FORTRAN(gatherv,
        (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts,
         MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror),
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, ierror),
        gb_pmpi_gatherv(place(sendbuf), *sendcount, type_of(sendtype), place(recvbuf), recvcounts, displs,
                        type_of(recvtype), *root, comm_of(comm)))

FORTRAN(allgather,
        (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount,
         MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror),
        gb_pmpi_allgather(place(sendbuf), *sendcount, type_of(sendtype), place(recvbuf), *recvcount,
                          type_of(recvtype), comm_of(comm)))

FORTRAN(allgatherv,
        (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts,
         MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror),
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror),
        gb_pmpi_allgatherv(place(sendbuf), *sendcount, type_of(sendtype), place(recvbuf), recvcounts, displs,
                           type_of(recvtype), comm_of(comm)))

FORTRAN(alltoall,
        (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount,
         MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror),
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror),
        gb_pmpi_alltoall(place(sendbuf), *sendcount, type_of(sendtype), place(recvbuf), *recvcount,
                         type_of(recvtype), comm_of(comm)))

FORTRAN(alltoallv,
        (void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtype, void *recvbuf,
         MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror),
        (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, ierror),
        gb_pmpi_alltoallv(place(sendbuf), sendcounts, sdispls, type_of(sendtype), place(recvbuf), recvcounts,
                          rdispls, type_of(recvtype), comm_of(comm)))

FORTRAN(reduce,
        (void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *root,
         MPI_Fint *comm, MPI_Fint *ierror),
        (sendbuf, recvbuf, count, type, op, root, comm, ierror),
        gb_pmpi_reduce(place(sendbuf), place(recvbuf), *count, type_of(type), op_of(op), *root,
                       comm_of(comm)))

FORTRAN(allreduce,
        (void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm,
         MPI_Fint *ierror),
        (sendbuf, recvbuf, count, type, op, comm, ierror),
        gb_pmpi_allreduce(place(sendbuf), place(recvbuf), *count, type_of(type), op_of(op), comm_of(comm)))

FORTRAN(reduce_scatter_block,
        (void *sendbuf, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm,
         MPI_Fint *ierror),
        (sendbuf, recvbuf, recvcount, type, op, comm, ierror),
        gb_pmpi_reduce_scatter_block(place(sendbuf), place(recvbuf), *recvcount, type_of(type), op_of(op),
                                     comm_of(comm)))

FORTRAN(barrier, (MPI_Fint * comm, MPI_Fint *ierror), (comm, ierror), gb_pmpi_barrier(comm_of(comm)))

FORTRAN_AT_ONCE(ibarrier, (MPI_Fint * comm, MPI_Fint *request, MPI_Fint *ierror), (comm, request, ierror),
                gb_pmpi_ibarrier(comm_of(comm), &made))

FORTRAN_AT_ONCE(ireduce,
                (void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *root,
                 MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror),
                (sendbuf, recvbuf, count, type, op, root, comm, request, ierror),
                gb_pmpi_ireduce(place(sendbuf), place(recvbuf), *count, type_of(type), op_of(op), *root,
                                comm_of(comm), &made))

FORTRAN_AT_ONCE(iallreduce,
                (void *sendbuf, void *recvbuf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm,
                 MPI_Fint *request, MPI_Fint *ierror),
                (sendbuf, recvbuf, count, type, op, comm, request, ierror),
                gb_pmpi_iallreduce(place(sendbuf), place(recvbuf), *count, type_of(type), op_of(op),
                                   comm_of(comm), &made))

FORTRAN_AT_ONCE(ireduce_scatter_block,
                (void *sendbuf, void *recvbuf, MPI_Fint *recvcount, MPI_Fint *type, MPI_Fint *op,
                 MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror),
                (sendbuf, recvbuf, recvcount, type, op, comm, request, ierror),
                gb_pmpi_ireduce_scatter_block(place(sendbuf), place(recvbuf), *recvcount, type_of(type),
                                              op_of(op), comm_of(comm), &made))

FORTRAN_AT_ONCE(ibcast,
                (void *buf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm,
                 MPI_Fint *request, MPI_Fint *ierror),
                (buf, count, type, root, comm, request, ierror),
                gb_pmpi_ibcast(place(buf), *count, type_of(type), *root, comm_of(comm), &made))

FORTRAN_AT_ONCE(iscatter,
                (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount,
                 MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror),
                (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror),
                gb_pmpi_iscatter(place(sendbuf), *sendcount, type_of(sendtype), place(recvbuf), *recvcount,
                                 type_of(recvtype), *root, comm_of(comm), &made))

FORTRAN_AT_ONCE(iscatterv,
                (void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *displs, MPI_Fint *sendtype, void *recvbuf,
                 MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request,
                 MPI_Fint *ierror),
                (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request,
                 ierror),
                gb_pmpi_iscatterv(place(sendbuf), sendcounts, displs, type_of(sendtype), place(recvbuf),
                                  *recvcount, type_of(recvtype), *root, comm_of(comm), &made))

FORTRAN_AT_ONCE(igather,
                (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount,
                 MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror),
                (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror),
                gb_pmpi_igather(place(sendbuf), *sendcount, type_of(sendtype), place(recvbuf), *recvcount,
                                type_of(recvtype), *root, comm_of(comm), &made))

FORTRAN_AT_ONCE(igatherv,
                (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts,
                 MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *request,
                 MPI_Fint *ierror),
                (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request,
                 ierror),
                gb_pmpi_igatherv(place(sendbuf), *sendcount, type_of(sendtype), place(recvbuf), recvcounts,
                                 displs, type_of(recvtype), *root, comm_of(comm), &made))

FORTRAN_AT_ONCE(iallgather,
                (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount,
                 MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror),
                (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror),
                gb_pmpi_iallgather(place(sendbuf), *sendcount, type_of(sendtype), place(recvbuf), *recvcount,
                                   type_of(recvtype), comm_of(comm), &made))

FORTRAN_AT_ONCE(iallgatherv,
                (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcounts,
                 MPI_Fint *displs, MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror),
                (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request, ierror),
                gb_pmpi_iallgatherv(place(sendbuf), *sendcount, type_of(sendtype), place(recvbuf), recvcounts,
                                    displs, type_of(recvtype), comm_of(comm), &made))

FORTRAN_AT_ONCE(ialltoall,
                (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount,
                 MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror),
                (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror),
                gb_pmpi_ialltoall(place(sendbuf), *sendcount, type_of(sendtype), place(recvbuf), *recvcount,
                                  type_of(recvtype), comm_of(comm), &made))

FORTRAN_AT_ONCE(ialltoallv,
                (void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *sdispls, MPI_Fint *sendtype, void *recvbuf,
                 MPI_Fint *recvcounts, MPI_Fint *rdispls, MPI_Fint *recvtype, MPI_Fint *comm,
                 MPI_Fint *request, MPI_Fint *ierror),
                (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
                 request, ierror),
                gb_pmpi_ialltoallv(place(sendbuf), sendcounts, sdispls, type_of(sendtype), place(recvbuf),
                                   recvcounts, rdispls, type_of(recvtype), comm_of(comm), &made))

#else

/* Those of MPICH's module mpi_f08 call PMPI_Init, PMPI_Barrier and so on. Its handles are the same in C. */
FORTRAN_NAMED(mpi_init_f08_, (MPI_Fint * ierror), (ierror), , gb_pmpi_init(NULL, NULL), )
FORTRAN_NAMED(mpi_init_thread_f08_, (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *ierror),
              (required, provided, ierror), , gb_pmpi_init_thread(NULL, NULL, *required, provided), )
FORTRAN_NAMED(mpi_finalize_f08_, (MPI_Fint * ierror), (ierror), , gb_pmpi_finalize(), )
FORTRAN_NAMED(mpi_barrier_f08_, (MPI_Fint * comm, MPI_Fint *ierror), (comm, ierror), ,
              gb_pmpi_barrier((gb_word)*comm), )
FORTRAN_NAMED(mpi_ibarrier_f08_, (MPI_Fint * comm, MPI_Fint *request, MPI_Fint *ierror),
              (comm, request, ierror), , gb_pmpi_ibarrier((gb_word)*comm, request), )

#endif
