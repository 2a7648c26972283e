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

/* Of each collective two: MPI_Bcast() and MPI_Ibcast(); and of those with counts two of MPI 4: MPI_Bcast_c()
 * and MPI_Ibcast_c(). */
// NOLINTBEGIN(bugprone-macro-parentheses)
#define GB_DECLARE_COLLECTIVE(name, title)                                                                   \
  typedef int gb_##name##_fn(GB_PARAMETERS(name, int, int, gb_word));                                        \
  typedef int gb_i##name##_fn(GB_PARAMETERS(name, int, int, gb_word), void *request);                        \
  GBCAST_API gb_##name##_fn gb_pmpi_##name __asm__("MPI_" #title);                                           \
  GBCAST_API gb_i##name##_fn gb_pmpi_i##name __asm__("MPI_I" #name);
#define GB_DECLARE_COUNTED(name, title)                                                                      \
  typedef int gb_##name##_c_fn(GB_PARAMETERS(name, MPI_Count, MPI_Aint, gb_word));                           \
  typedef int gb_i##name##_c_fn(GB_PARAMETERS(name, MPI_Count, MPI_Aint, gb_word), void *request);           \
  GBCAST_API gb_##name##_c_fn gb_pmpi_##name##_c __asm__("MPI_" #title "_c");                                \
  GBCAST_API gb_i##name##_c_fn gb_pmpi_i##name##_c __asm__("MPI_I" #name "_c");
// NOLINTEND(bugprone-macro-parentheses)
GB_EACH_COLLECTIVE(GB_DECLARE_COLLECTIVE)
GB_EACH_COUNTED(GB_DECLARE_COUNTED)

/* The C functions of this library, with the names that programs call. */
GBCAST_API gb_init_fn gb_pmpi_init __asm__("MPI_Init");
GBCAST_API gb_init_thread_fn gb_pmpi_init_thread __asm__("MPI_Init_thread");
GBCAST_API gb_finalize_fn gb_pmpi_finalize __asm__("MPI_Finalize");

typedef struct gb_next_library {
  gb_init_fn *init;
  gb_init_thread_fn *init_thread;
  gb_finalize_fn *finalize;
// NOLINTBEGIN(bugprone-macro-parentheses)
#define GB_KEEP_COLLECTIVE(name, title)                                                                      \
  gb_##name##_fn *name;                                                                                      \
  gb_i##name##_fn *i##name;
#define GB_KEEP_COUNTED(name, title)                                                                         \
  gb_##name##_c_fn *name##_c; /* these two are NULL before MPI 4 */                                          \
  gb_i##name##_c_fn *i##name##_c;
  // NOLINTEND(bugprone-macro-parentheses)
  GB_EACH_COLLECTIVE(GB_KEEP_COLLECTIVE)
  GB_EACH_COUNTED(GB_KEEP_COUNTED)
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
