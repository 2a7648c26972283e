/* The exported functions of gbcast/gbcast.h that move data, with handles as integers (mpi/job/library.h). */
#ifndef GB_MPI_API_EXPORTED_H
#define GB_MPI_API_EXPORTED_H

#include "mpi/api/foreign.h"
#include <gbcast/error.h>
#include <stddef.h>

struct gbcast_call;

GBCAST_API int gb_exported_gbcast(void *buf, size_t n, int root, gb_word comm) __asm__("gbcast");
GBCAST_API int gb_exported_bcast(void *buf, MPI_Count count, gb_word type, int root,
                                 gb_word comm) __asm__("gbcast_bcast");
GBCAST_API int gb_exported_ibcast(void *buf, MPI_Count count, gb_word type, int root, gb_word comm,
                                  struct gbcast_call **handle) __asm__("gbcast_ibcast");
GBCAST_API int gb_exported_bcast_init(void *buf, MPI_Count count, gb_word type, int root, gb_word comm,
                                      struct gbcast_call **handle) __asm__("gbcast_bcast_init");

GBCAST_API int gb_exported_scatter(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                                   MPI_Count recvcount, gb_word recvtype, int root,
                                   gb_word comm) __asm__("gbcast_scatter");
GBCAST_API int gb_exported_iscatter(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                                    MPI_Count recvcount, gb_word recvtype, int root, gb_word comm,
                                    struct gbcast_call **handle) __asm__("gbcast_iscatter");
GBCAST_API int gb_exported_scatter_init(const void *sendbuf, MPI_Count sendcount, gb_word sendtype,
                                        void *recvbuf, MPI_Count recvcount, gb_word recvtype, int root,
                                        gb_word comm,
                                        struct gbcast_call **handle) __asm__("gbcast_scatter_init");

GBCAST_API int gb_exported_scatterv(const void *sendbuf, const MPI_Count sendcounts[],
                                    const MPI_Aint displs[], gb_word sendtype, void *recvbuf,
                                    MPI_Count recvcount, gb_word recvtype, int root,
                                    gb_word comm) __asm__("gbcast_scatterv");
GBCAST_API int gb_exported_iscatterv(const void *sendbuf, const MPI_Count sendcounts[],
                                     const MPI_Aint displs[], gb_word sendtype, void *recvbuf,
                                     MPI_Count recvcount, gb_word recvtype, int root, gb_word comm,
                                     struct gbcast_call **handle) __asm__("gbcast_iscatterv");
GBCAST_API int gb_exported_scatterv_init(const void *sendbuf, const MPI_Count sendcounts[],
                                         const MPI_Aint displs[], gb_word sendtype, void *recvbuf,
                                         MPI_Count recvcount, gb_word recvtype, int root, gb_word comm,
                                         struct gbcast_call **handle) __asm__("gbcast_scatterv_init");

GBCAST_API int gb_exported_alltoall(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                                    MPI_Count recvcount, gb_word recvtype,
                                    gb_word comm) __asm__("gbcast_alltoall");
GBCAST_API int gb_exported_ialltoall(const void *sendbuf, MPI_Count sendcount, gb_word sendtype,
                                     void *recvbuf, MPI_Count recvcount, gb_word recvtype, gb_word comm,
                                     struct gbcast_call **handle) __asm__("gbcast_ialltoall");
GBCAST_API int gb_exported_alltoall_init(const void *sendbuf, MPI_Count sendcount, gb_word sendtype,
                                         void *recvbuf, MPI_Count recvcount, gb_word recvtype, gb_word comm,
                                         struct gbcast_call **handle) __asm__("gbcast_alltoall_init");

#endif
