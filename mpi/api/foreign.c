/* Calls of a program that runs with another MPI library. */
#include "mpi/api/signatures.h"
#include <limits.h>
#include <stdlib.h>

/* MPI's functions as the dynamic linker finds them for the program, declared without types of mpi.h. */
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define DECLARE(name, title)                                                                                 \
  int foreign_##name(GB_PARAMETERS(name, int, int, gb_word)) __asm__("MPI_" #title);
GB_EACH_COLLECTIVE(DECLARE)
int foreign_rank(gb_word comm, int *rank) __asm__("PMPI_Comm_rank");
int foreign_size(gb_word comm, int *size) __asm__("PMPI_Comm_size");

static bool fits(MPI_Count count) {
  return count >= INT_MIN && count <= INT_MAX;
}

static bool all_fit(const bool *fit, size_t arguments) {
  for (size_t i = 0; i < arguments; i++)
    if (!fit[i])
      return false;
  return true;
}

#define YES(argument) true
#define FITS(count) fits(count)
#define IN_INT(count) (int)(count)
#define DEFINE(name, title)                                                                                  \
  int gb_foreign_##name(GB_PARAMETERS(name, MPI_Count, MPI_Aint, gb_word)) {                                 \
    const bool fit[] = {GB_NAMES_##name(YES, YES, FITS, YES, YES, YES)};                                     \
    return all_fit(fit, sizeof fit / sizeof *fit)                                                            \
               ? foreign_##name(GB_NAMES_##name(GB_AS_IT_IS, GB_AS_IT_IS, IN_INT, GB_AS_IT_IS, GB_AS_IT_IS,  \
                                                GB_AS_IT_IS))                                                \
               : MPI_ERR_COUNT;                                                                              \
  }
#define NOT_SO(name, title)
GB_EACH_BY_COUNTS(DEFINE, NOT_SO)
DEFINE(barrier, Barrier)

/* The counts and places of rank `root`, or with ALL of each rank, in int: *count, to be freed, and behind
 * them *place. An error class. */
enum { ALL = -1 };
static int convert(const MPI_Count *counts, const MPI_Aint *displs, int root, gb_word comm, int **count,
                   int **place) {
  int rank, size, rc = foreign_rank(comm, &rank);
  bool fit = true;
  if (rc == MPI_SUCCESS)
    rc = foreign_size(comm, &size);
  *count = rc == MPI_SUCCESS ? malloc(2 * sizeof **count * (size_t)size) : NULL;
  if (*count == NULL)
    return rc == MPI_SUCCESS ? MPI_ERR_NO_MEM : rc;
  *place = *count + size;
  for (int i = 0; (rank == root || root == ALL) && i < size; i++) {
    fit = fit && fits(counts[i]) && fits(displs[i]);
    (*count)[i] = (int)counts[i];
    (*place)[i] = (int)displs[i];
  }
  return fit ? MPI_SUCCESS : MPI_ERR_COUNT;
}

int gb_foreign_scatterv(GB_PARAMETERS(scatterv, MPI_Count, MPI_Aint, gb_word)) {
  int *count, *place, rc = convert(sendcounts, displs, root, comm, &count, &place);
  if (rc == MPI_SUCCESS)
    rc = fits(recvcount) ? foreign_scatterv(sendbuf, count, place, sendtype, recvbuf, (int)recvcount,
                                            recvtype, root, comm)
                         : MPI_ERR_COUNT;
  free(count);
  return rc;
}

int gb_foreign_gatherv(GB_PARAMETERS(gatherv, MPI_Count, MPI_Aint, gb_word)) {
  int *count, *place, rc = convert(recvcounts, displs, root, comm, &count, &place);
  if (rc == MPI_SUCCESS)
    rc = fits(sendcount)
             ? foreign_gatherv(sendbuf, (int)sendcount, sendtype, recvbuf, count, place, recvtype, root, comm)
             : MPI_ERR_COUNT;
  free(count);
  return rc;
}

int gb_foreign_allgatherv(GB_PARAMETERS(allgatherv, MPI_Count, MPI_Aint, gb_word)) {
  int *count, *place, rc = convert(recvcounts, displs, ALL, comm, &count, &place);
  if (rc == MPI_SUCCESS)
    rc = fits(sendcount)
             ? foreign_allgatherv(sendbuf, (int)sendcount, sendtype, recvbuf, count, place, recvtype, comm)
             : MPI_ERR_COUNT;
  free(count);
  return rc;
}

int gb_foreign_alltoallv(GB_PARAMETERS(alltoallv, MPI_Count, MPI_Aint, gb_word)) {
  int *count[2] = {NULL, NULL}, *place[2] = {NULL, NULL}, rc = MPI_SUCCESS;
  if (sendcounts != NULL && sdispls != NULL) /* they may be missing where data are sent in place */
    rc = convert(sendcounts, sdispls, ALL, comm, &count[0], &place[0]);
  if (rc == MPI_SUCCESS)
    rc = convert(recvcounts, rdispls, ALL, comm, &count[1], &place[1]);
  if (rc == MPI_SUCCESS)
    rc =
        foreign_alltoallv(sendbuf, count[0], place[0], sendtype, recvbuf, count[1], place[1], recvtype, comm);
  free(count[0]);
  free(count[1]);
  return rc;
}

#ifdef OPEN_MPI /* the other library is MPICH or a derivative, whose handles are Fortran's integers */
gb_word gb_foreign_type(MPI_Fint type) {
  return (gb_word)type;
}

gb_word gb_foreign_op(MPI_Fint op) {
  return (gb_word)op;
}

gb_word gb_foreign_comm(MPI_Fint comm) {
  return (gb_word)comm;
}
#else /* the other library is Open MPI or a derivative; MPICH itself need not have these functions */
gb_word foreign_type_f2c(MPI_Fint type) __asm__("PMPI_Type_f2c") __attribute__((weak));
gb_word foreign_op_f2c(MPI_Fint op) __asm__("PMPI_Op_f2c") __attribute__((weak));
gb_word foreign_comm_f2c(MPI_Fint comm) __asm__("PMPI_Comm_f2c") __attribute__((weak));

gb_word gb_foreign_type(MPI_Fint type) {
  return foreign_type_f2c != NULL ? foreign_type_f2c(type) : (gb_word)type;
}

gb_word gb_foreign_op(MPI_Fint op) {
  return foreign_op_f2c != NULL ? foreign_op_f2c(op) : (gb_word)op;
}

gb_word gb_foreign_comm(MPI_Fint comm) {
  return foreign_comm_f2c != NULL ? foreign_comm_f2c(comm) : (gb_word)comm;
}
#endif
