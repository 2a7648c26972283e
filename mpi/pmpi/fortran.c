/* What Fortran programs call, where these do not reach MPI's C calls by themselves: those of MPICH do, but
 * Open MPI's mpif.h and module mpi call PMPI_Bcast, and its module mpi_f08 a function inside the library.
 *
 *   program -- mpi_bcast_     (mpif.h, mpi) --+
 *           -- mpi_bcast_f08_ (mpi_f08) ------+--> MPI_Bcast of bcast.c
 *
 * Both take addresses of everything. Handles of mpi_f08 are structures of one integer, the same in memory,
 * and it leaves out an error code that the program does not want. */
#include "mpi/pmpi/dropin.h"
#include <gbcast/error.h>
#include <mpi.h>

#ifdef OPEN_MPI

/* Fortran's MPI_BOTTOM and MPI_IN_PLACE are variables of these names. */
extern int mpi_fortran_bottom_, mpi_fortran_in_place_;

static void *place(void *buffer) {
  return buffer == &mpi_fortran_bottom_     ? MPI_BOTTOM
         : buffer == &mpi_fortran_in_place_ ? MPI_IN_PLACE
                                            : buffer;
}

static void tell(MPI_Fint *ierror, int rc) {
  if (ierror != NULL)
    *ierror = rc;
}

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "counts are handed on where they are");

/* Declares both names of a call; its body follows. */
#define FORTRAN(name, arguments)                                                                             \
  GBCAST_API void mpi_##name##_ arguments;                                                                   \
  GBCAST_API void mpi_##name##_f08_ arguments __attribute__((alias("mpi_" #name "_")));                      \
  void mpi_##name##_ arguments

FORTRAN(init, (MPI_Fint * ierror)) {
  tell(ierror, MPI_Init(NULL, NULL));
}

FORTRAN(init_thread, (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *ierror)) {
  tell(ierror, MPI_Init_thread(NULL, NULL, *required, provided));
}

FORTRAN(bcast,
        (void *buf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror)) {
  tell(ierror, MPI_Bcast(place(buf), *count, MPI_Type_f2c(*type), *root, MPI_Comm_f2c(*comm)));
}

FORTRAN(scatter, (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount,
                  MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror)) {
  tell(ierror, MPI_Scatter(place(sendbuf), *sendcount, MPI_Type_f2c(*sendtype), place(recvbuf), *recvcount,
                           MPI_Type_f2c(*recvtype), *root, MPI_Comm_f2c(*comm)));
}

FORTRAN(scatterv,
        (void *sendbuf, MPI_Fint *sendcounts, MPI_Fint *displs, MPI_Fint *sendtype, void *recvbuf,
         MPI_Fint *recvcount, MPI_Fint *recvtype, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *ierror)) {
  tell(ierror, MPI_Scatterv(place(sendbuf), sendcounts, displs, MPI_Type_f2c(*sendtype), place(recvbuf),
                            *recvcount, MPI_Type_f2c(*recvtype), *root, MPI_Comm_f2c(*comm)));
}

FORTRAN(alltoall, (void *sendbuf, MPI_Fint *sendcount, MPI_Fint *sendtype, void *recvbuf, MPI_Fint *recvcount,
                   MPI_Fint *recvtype, MPI_Fint *comm, MPI_Fint *ierror)) {
  tell(ierror, MPI_Alltoall(place(sendbuf), *sendcount, MPI_Type_f2c(*sendtype), place(recvbuf), *recvcount,
                            MPI_Type_f2c(*recvtype), MPI_Comm_f2c(*comm)));
}

#endif
