/* The functions that this library exports in place of MPI's, and the next functions of the same names in the
 * dynamic linker's order: MPI's own or those of other profiling libraries behind this one. Handles are words,
 * because the program may use another MPI library, to which its calls are passed on (mpi/job/library.h).
 * request: where the program wants its MPI_Request. */
#ifndef GB_MPI_PMPI_NEXT_H
#define GB_MPI_PMPI_NEXT_H

#include "mpi/api/api.h"
#include <gbcast/error.h>

typedef int gb_init_fn(int *argc, char ***argv);
typedef int gb_init_thread_fn(int *argc, char ***argv, int required, int *provided);
typedef int gb_finalize_fn(void);
typedef int gb_bcast_fn(void *buf, int count, gb_word type, int root, gb_word comm);
typedef int gb_scatter_fn(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                          gb_word recvtype, int root, gb_word comm);
typedef int gb_scatterv_fn(const void *sendbuf, const int *sendcounts, const int *displs, gb_word sendtype,
                           void *recvbuf, int recvcount, gb_word recvtype, int root, gb_word comm);
typedef int gb_alltoall_fn(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                           gb_word recvtype, gb_word comm);
typedef int gb_bcast_c_fn(void *buf, MPI_Count count, gb_word type, int root, gb_word comm);
typedef int gb_scatter_c_fn(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                            MPI_Count recvcount, gb_word recvtype, int root, gb_word comm);
typedef int gb_scatterv_c_fn(const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *displs,
                             gb_word sendtype, void *recvbuf, MPI_Count recvcount, gb_word recvtype, int root,
                             gb_word comm);
typedef int gb_alltoall_c_fn(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                             MPI_Count recvcount, gb_word recvtype, gb_word comm);
typedef int gb_ibcast_fn(void *buf, int count, gb_word type, int root, gb_word comm, void *request);
typedef int gb_iscatter_fn(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                           gb_word recvtype, int root, gb_word comm, void *request);
typedef int gb_iscatterv_fn(const void *sendbuf, const int *sendcounts, const int *displs, gb_word sendtype,
                            void *recvbuf, int recvcount, gb_word recvtype, int root, gb_word comm,
                            void *request);
typedef int gb_ialltoall_fn(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf,
                            int recvcount, gb_word recvtype, gb_word comm, void *request);
typedef int gb_ibcast_c_fn(void *buf, MPI_Count count, gb_word type, int root, gb_word comm, void *request);
typedef int gb_iscatter_c_fn(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                             MPI_Count recvcount, gb_word recvtype, int root, gb_word comm, void *request);
typedef int gb_iscatterv_c_fn(const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *displs,
                              gb_word sendtype, void *recvbuf, MPI_Count recvcount, gb_word recvtype,
                              int root, gb_word comm, void *request);
typedef int gb_ialltoall_c_fn(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                              MPI_Count recvcount, gb_word recvtype, gb_word comm, void *request);

/* The C functions of this library, with the names that programs call. */
GBCAST_API gb_init_fn gb_pmpi_init __asm__("MPI_Init");
GBCAST_API gb_init_thread_fn gb_pmpi_init_thread __asm__("MPI_Init_thread");
GBCAST_API gb_finalize_fn gb_pmpi_finalize __asm__("MPI_Finalize");
GBCAST_API gb_bcast_fn gb_pmpi_bcast __asm__("MPI_Bcast");
GBCAST_API gb_scatter_fn gb_pmpi_scatter __asm__("MPI_Scatter");
GBCAST_API gb_scatterv_fn gb_pmpi_scatterv __asm__("MPI_Scatterv");
GBCAST_API gb_alltoall_fn gb_pmpi_alltoall __asm__("MPI_Alltoall");
GBCAST_API gb_bcast_c_fn gb_pmpi_bcast_c __asm__("MPI_Bcast_c");
GBCAST_API gb_scatter_c_fn gb_pmpi_scatter_c __asm__("MPI_Scatter_c");
GBCAST_API gb_scatterv_c_fn gb_pmpi_scatterv_c __asm__("MPI_Scatterv_c");
GBCAST_API gb_alltoall_c_fn gb_pmpi_alltoall_c __asm__("MPI_Alltoall_c");
GBCAST_API gb_ibcast_fn gb_pmpi_ibcast __asm__("MPI_Ibcast");
GBCAST_API gb_iscatter_fn gb_pmpi_iscatter __asm__("MPI_Iscatter");
GBCAST_API gb_iscatterv_fn gb_pmpi_iscatterv __asm__("MPI_Iscatterv");
GBCAST_API gb_ialltoall_fn gb_pmpi_ialltoall __asm__("MPI_Ialltoall");
GBCAST_API gb_ibcast_c_fn gb_pmpi_ibcast_c __asm__("MPI_Ibcast_c");
GBCAST_API gb_iscatter_c_fn gb_pmpi_iscatter_c __asm__("MPI_Iscatter_c");
GBCAST_API gb_iscatterv_c_fn gb_pmpi_iscatterv_c __asm__("MPI_Iscatterv_c");
GBCAST_API gb_ialltoall_c_fn gb_pmpi_ialltoall_c __asm__("MPI_Ialltoall_c");

typedef struct gb_next_library {
  gb_init_fn *init;
  gb_init_thread_fn *init_thread;
  gb_finalize_fn *finalize;
  gb_bcast_fn *bcast;
  gb_scatter_fn *scatter;
  gb_scatterv_fn *scatterv;
  gb_alltoall_fn *alltoall;
  gb_ibcast_fn *ibcast;
  gb_iscatter_fn *iscatter;
  gb_iscatterv_fn *iscatterv;
  gb_ialltoall_fn *ialltoall;
  gb_bcast_c_fn *bcast_c; /* NULL before MPI 4, as are those below */
  gb_scatter_c_fn *scatter_c;
  gb_scatterv_c_fn *scatterv_c;
  gb_alltoall_c_fn *alltoall_c;
  gb_ibcast_c_fn *ibcast_c;
  gb_iscatter_c_fn *iscatter_c;
  gb_iscatterv_c_fn *iscatterv_c;
  gb_ialltoall_c_fn *ialltoall_c;
} gb_next_library;

/* The next functions; the first call of the process looks them up. */
const gb_next_library *gb_next_in_line(void);

/* Whether gb_next_in_line() has been called in this process. */
bool gb_next_was_called(void);

/* The next function of any name, for Fortran. NULL: there is none. */
void *gb_next_named(const char *name);

/* The file of the library whose function programs call by this name; NULL if it is this library's. */
const char *gb_next_instead(const char *name);

#endif
