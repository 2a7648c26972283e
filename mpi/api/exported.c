/* The exported calls of gbcast/gbcast.h that move data. The program may have been built for another MPI
 * library, so handles are integers until that is checked (mpi/job/library.h).
 *
 *   program -- gbcast_bcast() -- ours ----> gb_api_bcast()
 *                             -- another's > MPI_Bcast() of the program's MPI library */
#include "mpi/api/exported.h"
#include "mpi/api/api.h"
#include "mpi/job/job.h"
#include <stdint.h>

#define TYPE(word) GB_HANDLE(MPI_Datatype, word)
#define COMM(word) GB_HANDLE(MPI_Comm, word)

/* The other library's MPI_BYTE as a Fortran integer. */
#ifdef OPEN_MPI
enum { FOREIGN_BYTE = 0x4c00010d };
#else
enum { FOREIGN_BYTE = 1 };
#endif

/* A call that another library makes is over when it is begun, and cannot be kept. */
static int foreign(int rc, gb_how how) {
  if (how.form == GB_API_AT_ONCE && how.handle != NULL)
    *how.handle = GBCAST_HANDLE_NULL;
  return rc;
}

static int bcast(void *buf, MPI_Count count, gb_word type, int root, gb_word comm, gb_how how) {
  if (gb_library_is_ours())
    return gb_api_bcast(buf, count, TYPE(type), root, COMM(comm), how);
  return how.form == GB_API_LATER ? MPI_ERR_OTHER
                                  : foreign(gb_foreign_bcast(buf, count, type, root, comm), how);
}

static int scatter(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                   MPI_Count recvcount, gb_word recvtype, int root, gb_word comm, gb_how how) {
  if (gb_library_is_ours())
    return gb_api_scatter(sendbuf, sendcount, TYPE(sendtype), recvbuf, recvcount, TYPE(recvtype), root,
                          COMM(comm), how);
  return how.form == GB_API_LATER ? MPI_ERR_OTHER
                                  : foreign(gb_foreign_scatter(sendbuf, sendcount, sendtype, recvbuf,
                                                               recvcount, recvtype, root, comm),
                                            how);
}

static int scatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                    gb_word sendtype, void *recvbuf, MPI_Count recvcount, gb_word recvtype, int root,
                    gb_word comm, gb_how how) {
  if (gb_library_is_ours())
    return gb_api_scatterv(sendbuf, sendcounts, displs, TYPE(sendtype), recvbuf, recvcount, TYPE(recvtype),
                           root, COMM(comm), how);
  return how.form == GB_API_LATER ? MPI_ERR_OTHER
                                  : foreign(gb_foreign_scatterv(sendbuf, sendcounts, displs, sendtype,
                                                                recvbuf, recvcount, recvtype, root, comm),
                                            how);
}

static int alltoall(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                    MPI_Count recvcount, gb_word recvtype, gb_word comm, gb_how how) {
  if (gb_library_is_ours())
    return gb_api_alltoall(sendbuf, sendcount, TYPE(sendtype), recvbuf, recvcount, TYPE(recvtype), COMM(comm),
                           how);
  return how.form == GB_API_LATER
             ? MPI_ERR_OTHER
             : foreign(gb_foreign_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
                       how);
}

int gb_exported_gbcast(void *buf, size_t n, int root, gb_word comm) {
  if (!gb_library_is_ours())
    return n > PTRDIFF_MAX ? MPI_ERR_COUNT
                           : gb_foreign_bcast(buf, (MPI_Count)n, gb_foreign_type(FOREIGN_BYTE), root, comm);
  if (n > PTRDIFF_MAX)
    return gb_raise(COMM(comm) == MPI_COMM_NULL ? MPI_COMM_WORLD : COMM(comm), MPI_ERR_COUNT);
  return gb_api_bcast(buf, (MPI_Count)n, MPI_BYTE, root, COMM(comm), GB_HOW_BLOCKING);
}

int gb_exported_bcast(void *buf, MPI_Count count, gb_word type, int root, gb_word comm) {
  return bcast(buf, count, type, root, comm, GB_HOW_BLOCKING);
}

int gb_exported_ibcast(void *buf, MPI_Count count, gb_word type, int root, gb_word comm,
                       gbcast_handle *handle) {
  return bcast(buf, count, type, root, comm, (gb_how){GB_API_AT_ONCE, handle});
}

int gb_exported_bcast_init(void *buf, MPI_Count count, gb_word type, int root, gb_word comm,
                           gbcast_handle *handle) {
  return bcast(buf, count, type, root, comm, (gb_how){GB_API_LATER, handle});
}

int gb_exported_scatter(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                        MPI_Count recvcount, gb_word recvtype, int root, gb_word comm) {
  return scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, GB_HOW_BLOCKING);
}

int gb_exported_iscatter(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                         MPI_Count recvcount, gb_word recvtype, int root, gb_word comm,
                         gbcast_handle *handle) {
  return scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
                 (gb_how){GB_API_AT_ONCE, handle});
}

int gb_exported_scatter_init(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                             MPI_Count recvcount, gb_word recvtype, int root, gb_word comm,
                             gbcast_handle *handle) {
  return scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
                 (gb_how){GB_API_LATER, handle});
}

int gb_exported_scatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                         gb_word sendtype, void *recvbuf, MPI_Count recvcount, gb_word recvtype, int root,
                         gb_word comm) {
  return scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
                  GB_HOW_BLOCKING);
}

int gb_exported_iscatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                          gb_word sendtype, void *recvbuf, MPI_Count recvcount, gb_word recvtype, int root,
                          gb_word comm, gbcast_handle *handle) {
  return scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
                  (gb_how){GB_API_AT_ONCE, handle});
}

int gb_exported_scatterv_init(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                              gb_word sendtype, void *recvbuf, MPI_Count recvcount, gb_word recvtype,
                              int root, gb_word comm, gbcast_handle *handle) {
  return scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
                  (gb_how){GB_API_LATER, handle});
}

int gb_exported_alltoall(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                         MPI_Count recvcount, gb_word recvtype, gb_word comm) {
  return alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, GB_HOW_BLOCKING);
}

int gb_exported_ialltoall(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                          MPI_Count recvcount, gb_word recvtype, gb_word comm, gbcast_handle *handle) {
  return alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                  (gb_how){GB_API_AT_ONCE, handle});
}

int gb_exported_alltoall_init(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                              MPI_Count recvcount, gb_word recvtype, gb_word comm, gbcast_handle *handle) {
  return alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                  (gb_how){GB_API_LATER, handle});
}
