/* What a collective is made of: a check of its arguments, a run of its data, and MPI's call. All else is the
 * same for all: the three forms of a call (make.c), its parts and GBCAST_CHECK (call.c). */
#ifndef GB_MPI_API_COLLECTIVE_H
#define GB_MPI_API_COLLECTIVE_H

#include "mpi/api/api.h"

typedef struct gb_reduction { /* how operands are combined */
  MPI_Op op;
  MPI_Datatype type;
  size_t extent; /* bytes of an operand */
  bool taken;    /* by gbcast; otherwise MPI's own collective is run */
  bool foreign;  /* the operator is the program's, which may free it while a call is under way */
} gb_reduction;

/* What one part of a call moves: the caller's data, or their checksums. */
struct gb_transfer {
  gb_buffer send, receive;
  size_t block, room;         /* as in gb_sizes */
  char *packed, *unpacked;    /* copies of what is sent and received that does not lie in one piece */
  struct gb_blocks *blocks;   /* of the run under way (blocks.h) */
  char *staged;               /* scatter, gather: what passes through this rank; a reduction: operands */
  const char *mine;           /* a scatter: where the root has its own block */
  struct gb_lengths *lengths; /* of blocks that have their own (lengths.h) ... */
  struct gb_lengths *sent;    /* ... and an alltoallv: of those that this rank sends */
  MPI_Op op;                  /* of reductions ... */
  gb_reduction reduction;     /* ... of the run under way */
};

struct gb_api_call {
  gb_handle h;
  const gb_collective *what;
  gb_sizes sizes;
  gb_transfer data;
  int kept;                  /* what became of the data */
  struct gb_checking *check; /* GBCAST_CHECK, or NULL */
};

/* For `native` and `native_counted`: the blocking function or, where there is a request, the non-blocking
 * one. */
#define GB_NATIVE(request, blocking, at_once, ...)                                                           \
  ((request) == NULL ? blocking(__VA_ARGS__) : at_once(__VA_ARGS__, request))

/* Of a function of MPI with counts, that which counts in the largest type it has. */
#if MPI_VERSION >= 4
#define GB_LARGE(function) function##_c
typedef MPI_Count gb_mpi_count;
typedef MPI_Aint gb_mpi_place;
#else
#define GB_LARGE(function) function
typedef int gb_mpi_count, gb_mpi_place;
#endif

/* Whether that can count so many, in *n. */
static inline bool gb_count_for_mpi(MPI_Count count, gb_mpi_count *n) {
  *n = (gb_mpi_count)count;
  return *n == count;
}

/* For h->next, h->native and h->release of a call. */
int gb_api_call_next(gb_handle *h);
int gb_api_call_native(gb_handle *h);
void gb_api_call_release(gb_handle *h);

static inline bool gb_is_root(const gb_api_call *x) {
  return x->h.c->wire.rank == x->h.root;
}

/* Where block number i begins; MPI_BOTTOM stays what it is. extent: of the type. */
static inline char *gb_block_at(const gb_buffer *b, MPI_Count extent, int i) {
  const MPI_Aint place = (MPI_Aint)(b->places[i] * extent);
  return place == 0 ? b->buf : (char *)b->buf + place;
}

/* For `check`: a buffer of `count` elements; *bytes is their size. An error class. */
int gb_check_buffer(const gb_comm *c, const void *buffer, MPI_Count count, MPI_Datatype type, size_t *bytes);

/* `check` of those that move a block for each rank: fills *sizes, which is all 0 before. An
 * error class. */
int gb_check_blocks(const gb_collective *what, const gb_comm *c, const gb_arguments *a, gb_sizes *sizes);

/* Sets how many blocks this rank sends and receives, of `ranks`. */
void gb_count_blocks(const gb_arguments *a, enum gb_flow_of_data flow, int ranks, bool is_root,
                     gb_sizes *sizes);

/* The root has to be a rank of the communicator. */
static inline int gb_check_root(const gb_comm *c, int root) {
  return root < 0 || root >= c->wire.size ? MPI_ERR_ROOT : MPI_SUCCESS;
}

/* Memory for what only MPI looks at, of at least one byte; NULL: there is none. And its end, if it is not
 * NULL; sets it to NULL. */
char *gb_get_staging(const gb_handle *h, size_t bytes);
void gb_end_staging(const gb_handle *h, char **block);

/* For `begin`: sets *at to where all blocks that this rank sends lie in one piece: in the caller's buffer, or
 * in a copy, t->packed. `copies`: in a copy in any case. An error class. */
int gb_pack_sent(gb_api_call *x, gb_transfer *t, const gb_buffer *from, bool copies, char **at);

/* The same for `bytes` that are received: in the caller's buffer or, for gb_unpack_received(), in
 * t->unpacked. */
int gb_place_received(gb_api_call *x, gb_transfer *t, size_t bytes, bool copies, char **at);
int gb_unpack_received(gb_api_call *x, gb_transfer *t, size_t bytes);

/* Copies this rank's block to where it lies among those of all, unless it is there. An MPI error code. */
int gb_place_own(const gb_api_call *x, const gb_transfer *t, char *to);

/* Sets *own to the block that this rank gives, in the receive buffer if it is sent in place. An MPI error
 * code. */
int gb_own_block(const gb_api_call *x, const gb_transfer *t, gb_buffer *own);

/* For `begin` and `end` of scatters, gathers and allgathers: make t->blocks (blocks.h), of t->block bytes or,
 * where there are t->lengths, of those, and run them. base: where the caller's blocks of all ranks lie or go,
 * that of rank r at t->lengths->place[r] or r blocks behind it; at the root, in the first two. */
int gb_scatter_run(gb_api_call *x, gb_transfer *t, const char *base);
int gb_gather_run(gb_api_call *x, gb_transfer *t, char *base);
int gb_allgather_run(gb_api_call *x, gb_transfer *t, char *base);

/* Takes this rank's block out of what a scatter has brought; puts those of all to where they belong. */
int gb_scatter_end(gb_api_call *x, gb_transfer *t);
int gb_allgather_take(const gb_transfer *t);

#endif
