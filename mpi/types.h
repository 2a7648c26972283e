/* Datatypes: how many bytes, in one piece or not (types.c), and into one piece (pack.c). */
#ifndef GB_MPI_TYPES_H
#define GB_MPI_TYPES_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* No message is larger than this, so that counts fit an int. */
#define GB_MESSAGE_MAX ((size_t)1 << 30)

/* Elements of `type` lie one after another without holes, beginning at the buffer's address. */
int gb_type_is_contiguous(MPI_Datatype type, bool *contiguous);

/* One of MPI's own that has a name: always committed. */
int gb_type_is_named(MPI_Datatype type, bool *named);

/* Bytes of `count` elements. */
int gb_type_bytes(MPI_Count count, MPI_Datatype type, size_t *bytes);

/* Copies elements to or from packed bytes: `count` of them, or as many as there are `bytes`, however large
 * one is. `comm` says how to represent them, and is the library's own: a message to oneself may go over it.
 */
int gb_pack(const void *from, MPI_Count count, MPI_Datatype type, char *packed, size_t bytes, MPI_Comm comm);
int gb_unpack(const char *packed, size_t bytes, void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm);

/* The same for bytes as they are. The processor never touches a user's buffer by itself: it may be in the
 * memory of a device, which MPI knows how to reach. */
int gb_copy(void *to, const void *from, size_t bytes, MPI_Comm comm);

/* A larger piece of packed bytes goes by message, as MPI_Pack() counts in int. Tests lower it. */
extern size_t gb_pack_most;

/* What MPI's own collectives, which count in int, are given: the type itself, or for larger counts one
 * element of a new type that holds them all. gb_counted_release frees that. */
typedef struct gb_counted {
  int count;
  MPI_Datatype type;
  bool made;
} gb_counted;
int gb_counted_make(MPI_Count count, MPI_Datatype type, gb_counted *out);
void gb_counted_release(gb_counted *counted);

#endif
