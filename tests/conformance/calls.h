/* The calls that are tested. The cases know them only by this table, which each of the two programs has its
 * own of:
 *
 *   conformance-mpi   MPI's functions: as they are, and with libgbcast-pmpi preloaded
 *   conformance-api   those of gbcast/gbcast.h */
#ifndef GB_CONFORMANCE_CALLS_H
#define GB_CONFORMANCE_CALLS_H

#include <mpi.h>
#include <stddef.h>

typedef struct call_table {
  const char *name; /* of the form: how MPI's functions count */
  int (*bytes)(void *buf, size_t n, int root, MPI_Comm comm);
  int (*bcast)(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);
  int (*scatter)(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive, MPI_Count receives,
                 MPI_Datatype receive_type, int root, MPI_Comm comm);
  /* `ranks` is the length of the arrays, which only calls_mpi.c has to know; 0: they are NULL */
  int (*scatterv)(const void *send, int ranks, const MPI_Count *sends, const MPI_Aint *places,
                  MPI_Datatype send_type, void *receive, MPI_Count receives, MPI_Datatype receive_type,
                  int root, MPI_Comm comm);
  int (*gather)(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive, MPI_Count receives,
                MPI_Datatype receive_type, int root, MPI_Comm comm);
  int (*gatherv)(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive, int ranks,
                 const MPI_Count *receives, const MPI_Aint *places, MPI_Datatype receive_type, int root,
                 MPI_Comm comm);
  int (*allgather)(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive,
                   MPI_Count receives, MPI_Datatype receive_type, MPI_Comm comm);
  int (*allgatherv)(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive, int ranks,
                    const MPI_Count *receives, const MPI_Aint *places, MPI_Datatype receive_type,
                    MPI_Comm comm);
  int (*alltoall)(const void *send, MPI_Count sends, MPI_Datatype send_type, void *receive,
                  MPI_Count receives, MPI_Datatype receive_type, MPI_Comm comm);
  int (*alltoallv)(const void *send, int ranks, const MPI_Count *sends, const MPI_Aint *send_places,
                   MPI_Datatype send_type, void *receive, const MPI_Count *receives,
                   const MPI_Aint *receive_places, MPI_Datatype receive_type, MPI_Comm comm);
  int (*reduce)(const void *send, void *receive, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm);
  int (*allreduce)(const void *send, void *receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm);
  int (*reduce_scatter_block)(const void *send, void *receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm);
  int (*barrier)(MPI_Comm comm);
} call_table;

/* Counts of type int, for which no case gives larger ones; from MPI 4 on also of type MPI_Count. */
enum { INT_FORM, LARGE_FORM, FORMS = MPI_VERSION >= 4 ? 2 : 1 };
extern const call_table form[FORMS];

#endif
