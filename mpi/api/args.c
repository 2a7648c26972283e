/* What collectives have in common: checks of arguments, with the error classes of MPI, and copies of what
 * does not lie in one piece. */
#include "mpi/api/lengths.h"

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

void gb_count_blocks(const gb_arguments *a, enum gb_flow_of_data flow, int ranks, bool is_root,
                     gb_sizes *sizes) {
  const bool is_other = a->root >= 0; /* false: on an inter-communicator, a rank of the root's side */
  switch (flow) {
  case GB_ALL_TO_ALL:
    sizes->sends = a->root != MPI_PROC_NULL ? ranks : 0;
    sizes->receives = is_other ? ranks : 0;
    break;
  case GB_EACH_TO_ALL:
    sizes->sends = 1;
    sizes->receives = ranks;
    break;
  case GB_ROOT_TO_ALL:
    sizes->sends = is_root ? ranks : 0;
    sizes->receives = is_other && a->receive.buf != MPI_IN_PLACE;
    break;
  case GB_ALL_TO_ROOT:
    sizes->sends = is_other;
    sizes->receives = is_root ? ranks : 0;
    break;
  }
}

/* Sets *one to block number i of a buffer with several. An MPI error code. */
static int block_of(const gb_buffer *b, int i, gb_buffer *one) {
  MPI_Count lower, extent;
  const int rc = MPI_Type_get_extent_x(b->type, &lower, &extent);
  *one = (gb_buffer){NULL, b->counts != NULL ? b->counts[i] : b->count, b->type, NULL, NULL};
  if (rc == MPI_SUCCESS)
    one->buf = b->counts != NULL
                   ? gb_block_at(b, extent, i)
                   : (char *)((uintptr_t)b->buf + (uintptr_t)b->count * (uintptr_t)extent * (uintptr_t)i);
  return rc;
}

/* gb_check_buffer() of all blocks of a buffer with lengths. *own: bytes of that of rank `own_rank`; *total:
 * of all. */
static int check_unequal(const gb_comm *c, const gb_buffer *b, int own_rank, size_t *own, size_t *total) {
  int rc = MPI_SUCCESS;
  *total = 0;
  if (b->counts == NULL || b->places == NULL)
    return MPI_ERR_ARG;
  if (b->type == MPI_DATATYPE_NULL)
    return MPI_ERR_TYPE;
  for (int i = 0; rc == MPI_SUCCESS && i < c->wire.size; i++) {
    size_t bytes = 0;
    rc = gb_check_buffer(c, b->buf, b->counts[i], b->type, &bytes);
    if (i == own_rank)
      *own = bytes;
    if (bytes > SIZE_MAX / 2 - *total)
      rc = rc == MPI_SUCCESS ? MPI_ERR_COUNT : rc;
    *total += bytes;
  }
  return rc;
}

/* The bytes of rank number `own`'s block and, of unequal blocks, of all. */
static int check_end(const gb_comm *c, const gb_buffer *b, bool unequal, int own, size_t *block,
                     size_t *all) {
  return unequal ? check_unequal(c, b, own, block, all)
                 : gb_check_buffer(c, b->buf, b->count, b->type, block);
}

/* What this rank sends to itself must not be where it is received: its own block, where a buffer has one for
 * each rank. MPICH and its derivatives look at it if types and counts are alike; Open MPI does not. */
static int check_apart(const gb_collective *what, const gb_comm *c, const gb_arguments *a) {
#ifdef OPEN_MPI
  const bool looks = false;
#else
  const bool looks = true;
#endif
  const bool whole = a->op != MPI_OP_NULL; /* operands are compared where they begin */
  const bool down = what->flow == GB_ROOT_TO_ALL, all = what->flow == GB_ALL_TO_ALL;
  gb_buffer from = a->send, to = a->receive;
  int rc = MPI_SUCCESS;
  if (!looks)
    return MPI_SUCCESS;
  if (!whole && (down || all))
    rc = block_of(&a->send, c->wire.rank, &from);
  if (rc == MPI_SUCCESS && !whole && !down)
    rc = block_of(&a->receive, c->wire.rank, &to);
  const bool alike = from.type == to.type && from.count == to.count && from.count > 0;
  return rc == MPI_SUCCESS && alike && from.buf == to.buf ? MPI_ERR_BUFFER : rc;
}

/* Checks the ends at which this rank has buffers. *sent: bytes of its own block. */
static int check_ends(const gb_collective *what, const gb_comm *c, const gb_arguments *a, bool sends,
                      bool receives, size_t *sent, gb_sizes *sizes) {
  const bool down = what->flow == GB_ROOT_TO_ALL;
  const bool send_lengths = what->lengths && (down || what->flow == GB_ALL_TO_ALL);
  const bool send_first =
      down && !what->lengths; /* where both ends are wrong, the error of the send end is returned */
  const int me = c->wire.rank;
  int rc = MPI_SUCCESS;
  if (sends && send_first)
    rc = check_end(c, &a->send, send_lengths, me, sent, &sizes->all_sent);
  if (rc == MPI_SUCCESS && receives)
    rc = check_end(c, &a->receive, what->lengths && !down, me, &sizes->room, &sizes->all_received);
  if (rc == MPI_SUCCESS && sends && !send_first)
    rc = check_end(c, &a->send, send_lengths, me, sent, &sizes->all_sent);
  if (rc == MPI_SUCCESS && sends && receives)
    rc = check_apart(what, c, a);
  if (rc == MPI_SUCCESS && sends && receives && !down && *sent != sizes->room)
    rc = MPI_ERR_TRUNCATE;
  return rc;
}

int gb_check_blocks(const gb_collective *what, const gb_comm *c, const gb_arguments *a, gb_sizes *sizes) {
  const bool down = what->flow == GB_ROOT_TO_ALL, up = what->flow == GB_ALL_TO_ROOT;
  const bool is_root = c->wire.rank == a->root;
  const bool sends = down ? is_root : (up && !is_root) || a->send.buf != MPI_IN_PLACE;
  const bool receives = down ? !is_root || a->receive.buf != MPI_IN_PLACE : is_root || !up;
  const size_t size = (size_t)c->wire.size;
  size_t sent = 0;
  int rc = down || up ? gb_check_root(c, a->root) : MPI_SUCCESS;
  if (rc == MPI_SUCCESS)
    rc = check_ends(what, c, a, sends, receives, &sent, sizes);
  if (rc != MPI_SUCCESS)
    return rc;
  sizes->block = (down ? is_root : !receives) ? sent : sizes->room;
  if (sizes->block > SIZE_MAX / 2 / size)
    return MPI_ERR_COUNT;
  sizes->planned = what->nominal > 0 ? what->nominal : sizes->block;
  if (what->flow == GB_EACH_TO_ALL) /* for what they sum to */
    sizes->planned = what->lengths ? sizes->all_received : sizes->block * size;
  if (what->flow == GB_ALL_TO_ALL && what->lengths)
    sizes->block = sends ? sizes->all_sent : sizes->all_received;
  gb_count_blocks(a, what->flow, c->wire.size, is_root, sizes);
  return MPI_SUCCESS;
}

char *gb_get_staging(const gb_handle *h, size_t bytes) {
  return h->c->wire.staging->get(bytes > 0 ? bytes : 1);
}

void gb_end_staging(const gb_handle *h, char **block) {
  if (*block != NULL && h->left != NULL)
    gb_run_keep(h->left, *block);
  else if (*block != NULL && !h->abandoned)
    h->c->wire.staging->give_back(*block);
  *block = NULL;
}

/* *copy is NULL where the buffer is in one piece. */
static int make_copy(const gb_api_call *x, const gb_buffer *b, size_t bytes, bool copies, char **copy,
                     char **at) {
  bool contiguous;
  const int rc = gb_type_is_contiguous(b->type, &contiguous);
  if (rc != MPI_SUCCESS)
    return rc;
  *copy = contiguous && !copies ? NULL : gb_get_staging(&x->h, bytes);
  *at = contiguous && !copies ? b->buf : *copy;
  return *copy == NULL && (copies || !contiguous) ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

int gb_pack_sent(gb_api_call *x, gb_transfer *t, const gb_buffer *from, bool copies, char **at) {
  const size_t all = t->block * (size_t)x->sizes.sends;
  const int rc = make_copy(x, from, all, copies, &t->packed, at);
  if (rc != MPI_SUCCESS || t->packed == NULL || all == 0)
    return rc;
  return gb_pack(from->buf, from->count * x->sizes.sends, from->type, t->packed, all, x->h.c->wire.local);
}

int gb_place_received(gb_api_call *x, gb_transfer *t, size_t bytes, bool copies, char **at) {
  return make_copy(x, &t->receive, bytes, copies, &t->unpacked, at);
}

int gb_unpack_received(gb_api_call *x, gb_transfer *t, size_t bytes) {
  const gb_buffer *to = &t->receive;
  if (t->unpacked == NULL || bytes == 0)
    return MPI_SUCCESS;
  return gb_unpack(t->unpacked, bytes, to->buf, to->count * x->sizes.receives, to->type, x->h.c->wire.local);
}

int gb_own_block(const gb_api_call *x, const gb_transfer *t, gb_buffer *own) {
  *own = t->send;
  return own->buf == MPI_IN_PLACE ? block_of(&t->receive, x->h.c->wire.rank, own) : MPI_SUCCESS;
}

int gb_place_own(const gb_api_call *x, const gb_transfer *t, char *to) {
  gb_buffer own;
  if (t->send.buf == MPI_IN_PLACE && t->unpacked == NULL)
    return MPI_SUCCESS;
  const int rc = gb_own_block(x, t, &own);
  return rc == MPI_SUCCESS ? gb_pack(own.buf, own.count, own.type, to, t->block, x->h.c->wire.local) : rc;
}

bool gb_api_is_root(const gb_comm *c, const gb_arguments *a) {
  int inter = 0, rank = -1;
  if (c != NULL)
    return c->wire.rank == a->root;
  if (a->comm == MPI_COMM_NULL)
    return false;
  (void)MPI_Comm_test_inter(a->comm, &inter);
  (void)PMPI_Comm_rank(a->comm, &rank);
  return inter ? a->root == MPI_ROOT : a->root == rank;
}

uint64_t gb_api_bytes(const gb_collective *what, const gb_comm *c, const gb_arguments *a) {
  const enum gbcast_operation operation = what->operation;
  const bool each = gb_way_of(operation) == GB_WAY_UP || gb_gathers_all(operation),
             sends = each ? a->root != MPI_ROOT : gb_api_is_root(c, a);
  const gb_buffer *b = sends && a->send.buf != MPI_IN_PLACE ? &a->send : &a->receive;
  const MPI_Count count = b->counts == NULL ? b->count : a->root >= 0 ? b->counts[a->root] : 0;
  size_t bytes = 0;
  if (a->root != MPI_PROC_NULL && count > 0 && b->type != MPI_DATATYPE_NULL)
    (void)gb_type_bytes(count, b->type, &bytes);
  return bytes;
}
