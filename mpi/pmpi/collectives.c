/* MPI's collectives that this library takes over: MPI_Bcast(), MPI_Ibcast() and so on, and those that count
 * in MPI_Count. counts.c has those that have arrays of int. */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/request.h"

/* next: the same function of the library behind this one. */
#define DEFINE_BLOCKING(name, next, parameters)                                                              \
  int gb_pmpi_##next(parameters) {                                                                           \
    const gb_arguments a = gb_##name##_arguments(GB_NAMES(name));                                            \
    const gb_call call = gb_call_begin(GB_CALL_##name, &a);                                                  \
    return gb_call_end(&call,                                                                                \
                       call.taken ? gb_call_take(&call, &a) : gb_next_in_line()->next(GB_NAMES(name)));      \
  }
#define DEFINE_AT_ONCE(name, next, parameters)                                                               \
  int gb_pmpi_##next(parameters, void *request) {                                                            \
    const gb_arguments a = gb_##name##_arguments(GB_NAMES(name));                                            \
    const gb_call call = gb_call_begin_at_once(GB_CALL_##name, &a, request);                                 \
    return call.taken ? gb_request_take(&call, &a, NULL, request)                                            \
                      : gb_call_end(&call, gb_next_in_line()->next(GB_NAMES(name), request));                \
  }

#define COUNTED_IN_INT(name) GB_PARAMETERS(name, int, int, gb_word)
#define DEFINE(name, title)                                                                                  \
  DEFINE_BLOCKING(name, name, COUNTED_IN_INT(name)) DEFINE_AT_ONCE(name, i##name, COUNTED_IN_INT(name))

#define NOT_HERE(name, title)
GB_EACH_BY_COUNTS(DEFINE, NOT_HERE)
DEFINE(barrier, Barrier)

#if MPI_VERSION >= 4
#define COUNTED(name) GB_PARAMETERS(name, MPI_Count, MPI_Aint, gb_word)
#define DEFINE_COUNTED(name, title)                                                                          \
  DEFINE_BLOCKING(name, name##_c, COUNTED(name)) DEFINE_AT_ONCE(name, i##name##_c, COUNTED(name))

GB_EACH_COUNTED(DEFINE_COUNTED)
#endif
