/* Datatypes: their size, and whether they are contiguous (types.c); packing (pack.c); checksums
 * (checksums.c). Functions return MPI_SUCCESS or an MPI error code. */
#ifndef GB_MPI_EXEC_TYPES_H
#define GB_MPI_EXEC_TYPES_H

#include "mpi/job/job.h"
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether elements of `type` lie one after another without holes, beginning at the buffer's address. */
int gb_type_is_contiguous(MPI_Datatype type, bool *contiguous);

/* Whether `type` is one of MPI's own that has a name; these are always committed. */
int gb_type_is_named(MPI_Datatype type, bool *named);

/* Bytes of `count` elements. MPI_ERR_COUNT: more than size_t holds. */
int gb_type_bytes(MPI_Count count, MPI_Datatype type, size_t *bytes);

/* Copies `count` elements of any size to or from packed bytes; fewer elements if there are fewer `bytes`.
 * `comm` is the library's own: this rank may send itself messages over it. */
int gb_pack(const void *from, MPI_Count count, MPI_Datatype type, char *packed, size_t bytes, MPI_Comm comm);
int gb_unpack(const char *packed, size_t bytes, void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm);

/* malloc() and free(). */
extern const gb_staging gb_host_staging;

/* Copies bytes by MPI_Pack(). The processor never touches a user's buffer by itself, because it may be in the
 * memory of a device, which only MPI can reach. */
int gb_copy(void *to, const void *from, size_t bytes, MPI_Comm comm);

/* Sets sum[0] .. sum[blocks - 1] to the checksums of `blocks` blocks of `count` elements each. Of each block
 * the first `bytes` bytes count, in the order of its type signature, without holes. `comm` as above. */
int gb_checksums(const void *buf, MPI_Count count, MPI_Datatype type, size_t bytes, int blocks, MPI_Comm comm,
                 uint64_t *sum);

/* Bytes: the most that MPI_Pack() gets at once, because it counts in int. Larger elements go by message.
 * Tests lower this. */
extern size_t gb_pack_most;

/* Count and type for MPI's own collectives, which count in int. A larger count becomes one element of a new
 * type that holds all elements; gb_counted_release frees the type. */
typedef struct gb_counted {
  int count;
  MPI_Datatype type;
  bool made;
} gb_counted;
int gb_counted_make(MPI_Count count, MPI_Datatype type, gb_counted *out);
void gb_counted_release(gb_counted *counted);

#endif
