/* gbcast_scatterv(). Only the root knows the counts, so the schedule is that of blocks of 64 KiB. First the
 * byte counts go down the trees, eight bytes for each rank in each, and right behind them the blocks: nobody
 * waits for an answer in between. */
#include "mpi/api/api.h"
#include "mpi/api/args.h"
#include "mpi/api/blocks.h"
#include "mpi/api/buffers.h"
#include "mpi/api/displacements.h"
#include "mpi/api/own_scatterv.h"
#include "mpi/api/verify.h"
#include "mpi/job/job.h"
#include <stdlib.h>

typedef struct scatterv {
  gb_handle h;
  gb_send_blocks s; /* at the root */
  gb_receive_buffer r;
  size_t receive_bytes;
  int size; /* of the communicator, or of the ranks that receive */
  /* at the root */
  uint64_t *bytes;  /* for each rank, */
  ptrdiff_t *place; /* and where its first element lies from the buffer's address; */
  uint64_t *sum;    /* GBCAST_CHECK: the checksum of its block */
  char *packed;     /* all blocks, where they do not lie in one piece each */
  /* elsewhere */
  size_t mine;   /* bytes of this rank's block */
  int kept;      /* what became of it */
  uint64_t sent; /* GBCAST_CHECK: its checksum at the root */
  gb_displacements d;
  gb_scattering *x; /* of the run under way */
  gb_own_counts own;
} scatterv;

static bool is_root(const scatterv *v) {
  return v->h.c->wire.rank == v->h.root;
}

/* Where the block of rank i begins; MPI_BOTTOM stays what it is. */
static const void *block_at(const scatterv *v, int i) {
  return v->place[i] == 0 ? v->s.buf : (const char *)v->s.buf + v->place[i];
}

static int measure(scatterv *v) {
  const gb_wire *w = &v->h.c->wire;
  MPI_Count lower, extent;
  v->bytes = calloc((size_t)w->size, sizeof *v->bytes);
  v->place = calloc((size_t)w->size, sizeof *v->place);
  v->sum = v->h.checked ? malloc(sizeof *v->sum * (size_t)w->size) : NULL;
  if (v->bytes == NULL || v->place == NULL || (v->h.checked && v->sum == NULL))
    return MPI_ERR_NO_MEM;
  int rc = MPI_Type_get_extent_x(v->s.type, &lower, &extent);
  for (int i = 0; rc == MPI_SUCCESS && i < w->size; i++) {
    size_t one = 0;
    rc = gb_type_bytes(v->s.count[i], v->s.type, &one);
    v->bytes[i] = one;
    v->place[i] = (ptrdiff_t)(v->s.place[i] * extent);
    if (rc == MPI_SUCCESS && v->h.checked)
      rc = gb_checksums(block_at(v, i), v->s.count[i], v->s.type, one, 1, w->local, &v->sum[i]);
  }
  return rc;
}

/* Replaces places in the user's buffer by places in a packed copy. */
static int pack_all(scatterv *v) {
  const gb_wire *w = &v->h.c->wire;
  size_t total = 0, at = 0;
  bool contiguous;
  int rc = gb_type_is_contiguous(v->s.type, &contiguous);
  if (rc != MPI_SUCCESS || contiguous)
    return rc;
  for (int i = 0; i < w->size; i++)
    total += v->bytes[i];
  v->packed = gb_handle_stage(&v->h, total);
  rc = v->packed == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  for (int i = 0; rc == MPI_SUCCESS && i < w->size; i++) {
    rc = gb_pack(block_at(v, i), v->s.count[i], v->s.type, v->packed + at, v->bytes[i], w->local);
    v->place[i] = (ptrdiff_t)at;
    at += v->bytes[i];
  }
  return rc;
}

/* Makes room for a run's blocks, when the run before it is over. */
static gb_blocks *new_blocks(scatterv *v) {
  gb_scattering_free(&v->h, v->x);
  v->x = gb_scattering_new(v->h.schedule);
  return v->x != NULL ? gb_scattering_blocks(v->x) : NULL;
}

/* A value for each rank goes down every tree, of those in its subtree: the counts, and the checksums. value:
 * of each rank, at the root; elsewhere those of the subtree are received into v->d.length. */
static int run_values(scatterv *v, const uint64_t *value) {
  const gb_block_source source = {(const char *)value, NULL, sizeof *value};
  gb_blocks *blocks = new_blocks(v);
  if (blocks == NULL)
    return MPI_ERR_NO_MEM;
  for (uint32_t t = 0; t < v->h.schedule->tree_count; t++)
    blocks[t] = (gb_blocks){.part = sizeof *value, .data = is_root(v) ? NULL : (char *)v->d.length[t]};
  return gb_scattering_run(&v->h, v->x, is_root(v) ? &source : NULL);
}

static int run_counts(scatterv *v) {
  int rc = is_root(v) ? measure(v) : MPI_SUCCESS;
  if (rc == MPI_SUCCESS && is_root(v))
    rc = pack_all(v);
  if (rc == MPI_SUCCESS)
    rc = gb_displacements_new(v->h.schedule, &v->d);
  for (uint32_t t = 0; rc == MPI_SUCCESS && is_root(v) && t < v->d.trees; t++)
    for (uint32_t i = 0; i < gb_subtree(v->h.schedule, t); i++)
      v->d.length[t][i] = v->bytes[v->h.schedule->tree[t].order[i]];
  return rc == MPI_SUCCESS ? run_values(v, v->bytes) : rc;
}

/* Of this rank, elsewhere than at the root. */
static size_t own_bytes(const scatterv *v) {
  return v->d.length[0][gb_subtree(v->h.schedule, 0) - 1];
}

/* The blocks, once their lengths are known. */
static int run_blocks(scatterv *v) {
  gb_blocks *blocks = new_blocks(v);
  if (blocks == NULL)
    return MPI_ERR_NO_MEM;
  gb_displacements_make(v->h.schedule, &v->d, blocks);
  const gb_block_source source = {v->packed != NULL ? v->packed : v->s.buf, v->place, 0};
  if (is_root(v))
    return gb_scattering_run(&v->h, v->x, &source);
  return gb_scattering_receive(&v->h, v->x, &v->r, own_bytes(v), own_bytes(v) <= v->receive_bytes);
}

static int keep_root(const scatterv *v) {
  const int me = v->h.root;
  const char *base = v->packed != NULL ? v->packed : v->s.buf;
  if (v->r.buf == MPI_IN_PLACE)
    return MPI_SUCCESS;
  return v->receive_bytes < v->bytes[me]
             ? MPI_ERR_TRUNCATE
             : gb_receive_keep(&v->r, base + v->place[me], v->bytes[me], v->h.c->wire.local);
}

/* The root measures the checksums with all else. */
static int sum_up(gb_handle *h) {
  scatterv *v = (scatterv *)h;
  v->mine = v->receive_bytes;
  return is_root(v) ? measure(v) : MPI_SUCCESS;
}

/* Of this rank's block; the root's is not sent. */
static int verify(gb_handle *h) {
  const scatterv *v = (const scatterv *)h;
  uint64_t found;
  if (is_root(v))
    return MPI_SUCCESS;
  int rc = gb_checksums(v->r.buf, v->r.count, v->r.type, v->mine, 1, h->c->wire.local, &found);
  return rc == MPI_SUCCESS ? gb_verify_arrived(h->c, "a scatterv", h->root, v->mine, v->sent, found) : rc;
}

static int next(gb_handle *h) {
  scatterv *v = (scatterv *)h;
  switch (h->part++) {
  case 0:
    return run_counts(v);
  case 1:
    return run_blocks(v);
  case 2:
    v->mine = is_root(v) ? 0 : own_bytes(v);
    v->kept = is_root(v) ? keep_root(v) : gb_scattering_keep(h, v->x, &v->r);
    return h->checked ? run_values(v, v->sum) : v->kept; /* those below wait for theirs, whatever it is */
  default:
    v->sent = own_bytes(v);
    return v->kept != MPI_SUCCESS ? v->kept : verify(h);
  }
}

static int own(gb_handle *h, int which, MPI_Request *request) {
  scatterv *v = (scatterv *)h;
  if (which == 1)
    return gb_handle_own(h, PMPI_Iscatter(v->sum, (int)sizeof v->sent, MPI_BYTE, &v->sent,
                                          (int)sizeof v->sent, MPI_BYTE, h->root, h->comm, request));
  const int rc = gb_own_scatterv(h, &v->s, &v->r, v->size, &v->own, request);
  if (request == NULL)
    gb_own_counts_free(&v->own);
  return rc;
}

static void release(gb_handle *h) {
  scatterv *v = (scatterv *)h;
  free(v->bytes);
  free(v->place);
  free(v->sum);
  gb_handle_unstage(h, &v->packed);
  gb_scattering_free(h, v->x);
  gb_displacements_free(&v->d);
  gb_own_counts_free(&v->own);
  v->bytes = v->sum = NULL;
  v->place = NULL;
  v->x = NULL;
}

int gb_api_scatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm, gb_how how) {
  scatterv v = {.h = {.comm = comm,
                      .operation = GBCAST_SCATTER,
                      .bytes = GB_NOMINAL_BLOCK,
                      .root = root,
                      .runs = 2,
                      .never_own = MPI_VERSION < 4, /* whose counts in int may not be enough for the root's */
                      .next = next,
                      .own = own,
                      .sum_up = sum_up,
                      .verify = verify,
                      .release = release},
                .s = {sendbuf, sendcounts, displs, sendtype},
                .r = {recvbuf, recvcount, recvtype}};
  int rc = gb_comm_find(comm, NULL, &v.h.c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (v.h.c != NULL) {
    v.size = v.h.c->wire.size;
    rc = gb_check_scatterv(v.h.c, &v.s, &v.r, root, &v.receive_bytes);
  } else {
    rc = gb_scatterv_receivers(comm, root, &v.size);
  }
  if (v.h.c != NULL ? is_root(&v) : v.size > 0)
    v.h.type[0] = &v.s.type;
  if (gb_receives(recvbuf, root))
    v.h.type[1] = &v.r.type;
  return gb_api_make(&v.h, sizeof v, rc, how);
}
