/* Copies data that is not contiguous to contiguous bytes, and back.
 *
 * MPI_Pack() counts bytes in an int, but one element may be larger. Such an element goes in a message to this
 * rank itself, sent as its type and received as MPI_PACKED, or the other way round. The bytes are those that
 * MPI_Pack() would write, and no count has to fit an int. Other ways are worse. MPI_Pack_c() needs MPI 4. To
 * take the type apart one has to know the rules of every constructor that MPI has or will have. Passing the
 * call on to MPI is not possible, because the ranks would not agree on it: one rank's large element may be
 * another rank's row of bytes, and in a scatterv only the root knows the sizes of the others.
 *
 * MPI copies the data, never the processor itself: the data may be in a device's memory. */
#include "mpi/exec/types.h"
#include <stdatomic.h>
#include <stdlib.h>

size_t gb_pack_most = GB_MESSAGE_MAX;

const gb_staging gb_host_staging = {malloc, free};

/* From elements of a type to packed bytes, or back. */
enum direction { PACK, UNPACK };

/* Threads that pack at the same time share a communicator, so they use different tags. */
static int next_tag(void) {
  enum { TAGS = 16384 };
  static atomic_uint used;
  return (int)(atomic_fetch_add_explicit(&used, 1, memory_order_relaxed) % TAGS);
}

/* Moves `count` elements by a message of so many bytes, which may end inside the last element. */
static int move_by_message(enum direction direction, const char *from, char *to, int count, MPI_Datatype type,
                           size_t bytes, MPI_Comm comm) {
  const int tag = next_tag();
  int me, rc = MPI_Comm_rank(comm, &me);
  gb_counted packed;
  if (rc == MPI_SUCCESS)
    rc = gb_counted_make((MPI_Count)bytes, MPI_PACKED, &packed);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = direction == PACK ? MPI_Sendrecv(from, count, type, me, tag, to, packed.count, packed.type, me, tag,
                                        comm, MPI_STATUS_IGNORE)
                         : MPI_Sendrecv(from, packed.count, packed.type, me, tag, to, count, type, me, tag,
                                        comm, MPI_STATUS_IGNORE);
  gb_counted_release(&packed);
  return rc;
}

/* Moves elements from the first on, until `bytes` are done. */
static int move(enum direction direction, const char *from, char *to, MPI_Count count, MPI_Datatype type,
                size_t bytes, MPI_Comm comm) {
  MPI_Count lower, extent;
  size_t size, all;
  const size_t most = gb_pack_most;
  int rc = MPI_Type_get_extent_x(type, &lower, &extent);
  if (rc == MPI_SUCCESS)
    rc = gb_type_bytes(1, type, &size);
  if (rc == MPI_SUCCESS)
    rc = gb_type_bytes(count, type, &all);
  if (rc != MPI_SUCCESS || size == 0)
    return rc;
  if (bytes > all)
    bytes = all;
  const size_t step = size < most ? most / size : 1; /* elements */
  for (size_t done = 0; rc == MPI_SUCCESS && done * size < bytes; done += step) {
    const size_t left = bytes - done * size;
    const ptrdiff_t element = (ptrdiff_t)done * (ptrdiff_t)extent, byte = (ptrdiff_t)(done * size);
    const char *source = from + (direction == PACK ? element : byte);
    char *target = to + (direction == PACK ? byte : element);
    const size_t length = left < step * size ? left : step * size;
    const int n = (int)((length + size - 1) / size);
    int position = 0;
    if (length > most || length % size != 0) /* MPI_Unpack() takes no part of an element */
      rc = move_by_message(direction, source, target, n, type, length, comm);
    else if (direction == PACK)
      rc = MPI_Pack(source, n, type, target, (int)length, &position, comm);
    else
      rc = MPI_Unpack(source, (int)length, &position, target, n, type, comm);
  }
  return rc;
}

/* MPI_BOTTOM is NULL, which MPI_Pack() of MPICH refuses. Makes a type for the same addresses relative to that
 * of `anchor`. */
static int move_type(MPI_Datatype type, const char *anchor, MPI_Datatype *out) {
  MPI_Aint address;
  int rc = MPI_Get_address(anchor, &address);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = MPI_Type_create_hindexed(1, &(int){1}, &(MPI_Aint){-address}, type, out);
  if (rc == MPI_SUCCESS && (rc = MPI_Type_commit(out)) != MPI_SUCCESS)
    (void)MPI_Type_free(out);
  return rc;
}

static int move_anywhere(enum direction direction, const char *from, char *to, MPI_Count count,
                         MPI_Datatype type, size_t bytes, MPI_Comm comm) {
  if (bytes == 0)
    return MPI_SUCCESS;
  if ((direction == PACK ? from : to) != NULL)
    return move(direction, from, to, count, type, bytes, comm);
  char anchor = 0;
  MPI_Datatype moved;
  int rc = move_type(type, &anchor, &moved);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = direction == PACK ? move(PACK, &anchor, to, count, moved, bytes, comm)
                         : move(UNPACK, from, &anchor, count, moved, bytes, comm);
  (void)MPI_Type_free(&moved);
  return rc;
}

int gb_pack(const void *from, MPI_Count count, MPI_Datatype type, char *packed, size_t bytes, MPI_Comm comm) {
  return move_anywhere(PACK, from, packed, count, type, bytes, comm);
}

int gb_unpack(const char *packed, size_t bytes, void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
  return move_anywhere(UNPACK, packed, to, count, type, bytes, comm);
}

int gb_copy(void *to, const void *from, size_t bytes, MPI_Comm comm) {
  int rc = MPI_SUCCESS;
  for (size_t done = 0; rc == MPI_SUCCESS && to != from && done < bytes;) {
    size_t length = bytes - done < GB_MESSAGE_MAX ? bytes - done : GB_MESSAGE_MAX;
    int position = 0;
    rc = MPI_Pack((const char *)from + done, (int)length, MPI_BYTE, (char *)to + done, (int)length, &position,
                  comm);
    done += length;
  }
  return rc;
}
