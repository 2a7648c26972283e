/* The arguments that MPI checks before a collective, with the same error classes. */
#include "mpi/api/args.h"
#include "mpi/exec/exec.h"

/* MPI has no call that tells whether a type is committed, but MPI_Pack() of no elements checks it. */
static int check_committed(const gb_comm *c, MPI_Datatype type) {
  char nothing[1] = {0};
  bool named = true;
  int position = 0, rc = gb_type_is_named(type, &named);
  return rc != MPI_SUCCESS || named ? rc : MPI_Pack(nothing, 0, type, nothing, 0, &position, c->wire.local);
}

int gb_check_buffer(const gb_comm *c, const void *buffer, MPI_Count count, MPI_Datatype type, size_t *bytes) {
  if (count < 0)
    return MPI_ERR_COUNT;
  if (type == MPI_DATATYPE_NULL)
    return MPI_ERR_TYPE;
  int rc = MPI_SUCCESS;
  if (type == MPI_BYTE) /* the type of gbcast(): asking MPI would delay the first byte by cache misses */
    *bytes = (size_t)count;
  else if ((rc = gb_type_bytes(count, type, bytes)) == MPI_SUCCESS && *bytes > 0)
    rc = check_committed(c, type);
  if (rc != MPI_SUCCESS || *bytes == 0)
    return rc;
  if (buffer == MPI_IN_PLACE)
    return MPI_ERR_BUFFER;
  if (buffer != NULL)
    return MPI_SUCCESS;
  /* NULL may be MPI_BOTTOM, for a type that holds absolute addresses: its data do not begin at 0 */
  MPI_Count lower, extent;
  rc = MPI_Type_get_true_extent_x(type, &lower, &extent);
  return rc == MPI_SUCCESS && lower == 0 ? MPI_ERR_BUFFER : rc;
}

/* Send and receive buffer must not be the same. MPICH and its derivatives check it in the plain case; Open
 * MPI does not. */
static int check_apart(const void *send, MPI_Datatype send_type, const gb_receive_buffer *r) {
#ifdef OPEN_MPI
  const bool looks = false;
#else
  const bool looks = true;
#endif
  return looks && send == r->buf && send_type == r->type ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

int gb_check_bcast(const gb_comm *c, const void *buf, MPI_Count count, MPI_Datatype type, int root,
                   size_t *bytes) {
  int rc = gb_check_buffer(c, buf, count, type, bytes);
  return rc == MPI_SUCCESS ? gb_check_root(c, root) : rc;
}

int gb_check_scatter(const gb_comm *c, const gb_send_buffer *s, const gb_receive_buffer *r, int root,
                     size_t *bytes, size_t *receive_bytes) {
  const bool is_root = c->wire.rank == root, receives = !is_root || r->buf != MPI_IN_PLACE;
  int rc = gb_check_root(c, root);
  *receive_bytes = 0;
  if (rc == MPI_SUCCESS && is_root)
    rc = gb_check_buffer(c, s->buf, s->count, s->type, bytes);
  if (rc == MPI_SUCCESS && receives)
    rc = gb_check_buffer(c, r->buf, r->count, r->type, receive_bytes);
  if (rc == MPI_SUCCESS && is_root && receives && s->count > 0 && s->count == r->count)
    rc = check_apart(s->buf, s->type, r);
  if (!is_root)
    *bytes = *receive_bytes;
  return rc == MPI_SUCCESS && *bytes > SIZE_MAX / (size_t)c->wire.size ? MPI_ERR_COUNT : rc;
}

static int check_each(const gb_comm *c, const gb_send_blocks *s) {
  size_t bytes;
  if (s->count == NULL || s->place == NULL)
    return MPI_ERR_ARG;
  if (s->type == MPI_DATATYPE_NULL)
    return MPI_ERR_TYPE;
  int rc = MPI_SUCCESS;
  for (int i = 0; rc == MPI_SUCCESS && i < c->wire.size; i++)
    rc = gb_check_buffer(c, s->buf, s->count[i], s->type, &bytes);
  return rc;
}

int gb_check_scatterv(const gb_comm *c, const gb_send_blocks *s, const gb_receive_buffer *r, int root,
                      size_t *receive_bytes) {
  const bool is_root = c->wire.rank == root, receives = !is_root || r->buf != MPI_IN_PLACE;
  int rc = gb_check_root(c, root);
  *receive_bytes = 0;
  if (rc == MPI_SUCCESS && receives)
    rc = gb_check_buffer(c, r->buf, r->count, r->type, receive_bytes);
  if (rc == MPI_SUCCESS && is_root)
    rc = check_each(c, s);
  if (rc == MPI_SUCCESS && is_root && receives && s->count[root] > 0) {
    MPI_Count lower, extent;
    rc = MPI_Type_get_extent_x(s->type, &lower, &extent);
    if (rc == MPI_SUCCESS)
      rc = check_apart((const char *)s->buf + s->place[root] * extent, s->type, r);
  }
  return rc;
}

int gb_check_alltoall(const gb_comm *c, const gb_send_buffer *s, const gb_receive_buffer *r, size_t *bytes) {
  size_t send_bytes = 0;
  int rc = gb_check_buffer(c, r->buf, r->count, r->type, bytes);
  if (rc == MPI_SUCCESS && s->buf != MPI_IN_PLACE)
    rc = gb_check_buffer(c, s->buf, s->count, s->type, &send_bytes);
  else
    send_bytes = *bytes;
  if (rc == MPI_SUCCESS && s->buf != MPI_IN_PLACE && s->count > 0 && s->count == r->count)
    rc = check_apart(s->buf, s->type, r);
  if (rc == MPI_SUCCESS && send_bytes != *bytes) /* as this rank's own block shows */
    rc = MPI_ERR_TRUNCATE;
  return rc == MPI_SUCCESS && *bytes > SIZE_MAX / 2 / (size_t)c->wire.size ? MPI_ERR_COUNT : rc;
}
