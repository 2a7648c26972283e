/* Data that does not lie in one piece, to and from bytes that do.
 *
 * MPI_Pack() counts bytes in an int, but one element may be larger. It goes through a message to oneself,
 * sent as what it is and received as MPI_PACKED, or the other way round: what MPI_Pack() would write, with
 * nothing in it that has to fit an int. The other ways are worse. MPI_Pack_c() is there from MPI 4 on only.
 * To take the type apart means to know the rules of every constructor that MPI has or will have. To leave the
 * call to MPI is not possible: one rank's element is another's row of bytes, and in a scatterv none but the
 * root knows how large the others' are, so that the ranks would not agree on it.
 *
 * The processor does not touch the data here, either; MPI does. */
#include "mpi/types.h"
#include <stdatomic.h>

size_t gb_pack_most = GB_MESSAGE_MAX;

/* Where to: elements of a type that is not contiguous lie on one side, packed bytes on the other. */
enum direction { PACK, UNPACK };

/* No other message is to oneself, but a receive from anybody may wait on the communicator, for a tag below
 * these. Threads that pack at the same time have different ones. */
static int next_tag(void) {
  enum { FIRST = 1024, TAGS = 16384 };
  static atomic_uint used;
  return FIRST + (int)(atomic_fetch_add_explicit(&used, 1, memory_order_relaxed) % TAGS);
}

/* `count` elements, of which only as much is received as there are bytes. */
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

/* Elements, from the first on, as long as there are bytes. */
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
    if (length > most || length % size != 0) /* nor does MPI_Unpack() take a part of an element */
      rc = move_by_message(direction, source, target, n, type, length, comm);
    else if (direction == PACK)
      rc = MPI_Pack(source, n, type, target, (int)length, &position, comm);
    else
      rc = MPI_Unpack(source, (int)length, &position, target, n, type, comm);
  }
  return rc;
}

/* MPI_BOTTOM is NULL, which MPI_Pack() of MPICH refuses: the same places, told from the address of `anchor`.
 */
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
