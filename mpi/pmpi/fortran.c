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

static void *place(const void *buffer) {
  return buffer == &mpi_fortran_bottom_     ? MPI_BOTTOM
         : buffer == &mpi_fortran_in_place_ ? MPI_IN_PLACE
                                            : (void *)buffer;
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

#define VALUE(number) *(number)
#define SIGNATURE(name) GB_SIGNATURE_##name(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *)
#define IN_C(name) GB_NAMES_##name(place, VALUE, VALUE, type_of, op_of, comm_of)
#define DEFINE(name, title)                                                                                  \
  FORTRAN(name, (SIGNATURE(name), MPI_Fint * ierror), (GB_NAMES(name), ierror), gb_pmpi_##name(IN_C(name)))  \
  FORTRAN_AT_ONCE(i##name, (SIGNATURE(name), MPI_Fint * request, MPI_Fint * ierror),                         \
                  (GB_NAMES(name), request, ierror), gb_pmpi_i##name(IN_C(name), &made))
GB_EACH_COLLECTIVE(DEFINE)

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
