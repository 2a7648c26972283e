/* The exported calls of gbcast/gbcast.h that move data. The program may have been built for another MPI
 * library, so handles are integers until that is checked (mpi/job/library.h).
 *
 *   program -- gbcast_bcast() -- ours ----> gb_api_make()
 *                             -- another's > MPI_Bcast() of the program's MPI library */
#include "mpi/api/api.h"
#include <gbcast/error.h>
#include <stdint.h>

#define COMM(word) GB_HANDLE(MPI_Comm, word)

/* The other library's MPI_BYTE as a Fortran integer. */
#ifdef OPEN_MPI
enum { FOREIGN_BYTE = 0x4c00010d };
#else
enum { FOREIGN_BYTE = 1 };
#endif

GBCAST_API int gb_exported_gbcast(void *buf, size_t n, int root, gb_word comm) __asm__("gbcast");
int gb_exported_gbcast(void *buf, size_t n, int root, gb_word comm) {
  if (!gb_library_is_ours())
    return n > PTRDIFF_MAX ? MPI_ERR_COUNT
                           : gb_foreign_bcast(buf, (MPI_Count)n, gb_foreign_type(FOREIGN_BYTE), root, comm);
  if (n > PTRDIFF_MAX)
    return gb_raise(COMM(comm) == MPI_COMM_NULL ? MPI_COMM_WORLD : COMM(comm), MPI_ERR_COUNT);
  const gb_arguments a = gb_bcast_arguments(buf, (MPI_Count)n, (gb_word)MPI_BYTE, root, comm);
  return gb_api_make(&gb_api_bcast, &a, GB_HOW_BLOCKING);
}

/* The three forms of each. A call that another library makes is over when it is begun, and cannot be kept. */
#define PARAMETERS(name) GB_PARAMETERS(name, MPI_Count, MPI_Aint, gb_word)
#define DEFINE(name, title)                                                                                  \
  static int name(PARAMETERS(name), gb_how how) {                                                            \
    if (gb_library_is_ours()) {                                                                              \
      const gb_arguments a = gb_##name##_arguments(GB_NAMES(name));                                          \
      return gb_api_make(&gb_api_##name, &a, how);                                                           \
    }                                                                                                        \
    if (how.form == GB_CALL_LATER)                                                                           \
      return MPI_ERR_OTHER;                                                                                  \
    if (how.handle != NULL)                                                                                  \
      *how.handle = GBCAST_HANDLE_NULL;                                                                      \
    return gb_foreign_##name(GB_NAMES(name));                                                                \
  }                                                                                                          \
  FORM(name, gb_exported_##name, #name, (PARAMETERS(name)), GB_HOW_BLOCKING)                                 \
  FORM(name, gb_exported_i##name, "i" #name, (PARAMETERS(name), gbcast_handle * handle),                     \
       ((gb_how){GB_CALL_AT_ONCE, handle, false}))                                                           \
  FORM(name, gb_exported_##name##_init, #name "_init", (PARAMETERS(name), gbcast_handle * handle),           \
       ((gb_how){GB_CALL_LATER, handle, false}))
#define FORM(name, function, symbol, parameters, how)                                                        \
  GBCAST_API int function parameters __asm__("gbcast_" symbol);                                              \
  int function parameters {                                                                                  \
    return name(GB_NAMES(name), how);                                                                        \
  }

GB_EACH_COLLECTIVE(DEFINE)

/* The functions that gbcast.f90 calls. Its handles are Fortran's integers, which only MPICH and its
 * derivatives use in C as well. They are converted to handles of the program's MPI library. */
static gb_word type_of(MPI_Fint type) {
  return gb_library_is_ours() ? (gb_word)MPI_Type_f2c(type) : gb_foreign_type(type);
}

static gb_word op_of(MPI_Fint op) {
  return gb_library_is_ours() ? (gb_word)MPI_Op_f2c(op) : gb_foreign_op(op);
}

static gb_word comm_of(MPI_Fint comm) {
  return gb_library_is_ours() ? (gb_word)MPI_Comm_f2c(comm) : gb_foreign_comm(comm);
}

GBCAST_API int gbcast_f(void *buf, size_t n, int root, MPI_Fint comm) {
  return gb_exported_gbcast(buf, n, root, comm_of(comm));
}

#define DEFINE_FORTRAN(name, title)                                                                          \
  GBCAST_API int gbcast_##name##_f(GB_PARAMETERS(name, MPI_Count, MPI_Aint, MPI_Fint)) {                     \
    return gb_exported_##name(                                                                               \
        GB_NAMES_##name(GB_AS_IT_IS, GB_AS_IT_IS, GB_AS_IT_IS, type_of, op_of, comm_of));                    \
  }

GB_EACH_COLLECTIVE(DEFINE_FORTRAN)

GBCAST_API int gbcast_setup_f(MPI_Fint comm, const char *hosts_path, MPI_Fint info) {
  return gb_library_is_ours() ? gbcast_setup(MPI_Comm_f2c(comm), hosts_path, MPI_Info_f2c(info))
                              : MPI_SUCCESS;
}

GBCAST_API int gbcast_refresh_f(MPI_Fint comm) {
  return gb_library_is_ours() ? gbcast_refresh(MPI_Comm_f2c(comm)) : MPI_SUCCESS;
}
