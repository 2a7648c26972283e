/* Calls of a program that runs with another MPI library than this one was built for (mpi/job/library.h). They
 * are passed on to that library with handles as integers and counts of type int. */
#ifndef GB_MPI_API_FOREIGN_H
#define GB_MPI_API_FOREIGN_H

#include "mpi/api/signatures.h"
#include "mpi/job/job.h"

#define GB_DECLARE_FOREIGN(name, title)                                                                      \
  int gb_foreign_##name(GB_PARAMETERS_##name(MPI_Count, MPI_Aint, gb_word));
GB_EACH_COLLECTIVE(GB_DECLARE_FOREIGN)

/* The other library's handles for Fortran's. */
gb_word gb_foreign_type(MPI_Fint type);
gb_word gb_foreign_op(MPI_Fint op);
gb_word gb_foreign_comm(MPI_Fint comm);

#endif
