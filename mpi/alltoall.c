/* gbcast_alltoall(). */
#include "mpi/args.h"
#include "mpi/engine.h"
#include "mpi/error.h"
#include "mpi/exchanging.h"
#include "mpi/scatter.h"
#include <gbcast/gbcast.h>
#include <stdlib.h>

/* MPI's own, on any communicator. */
static int own_alltoall(const gb_send *s, const gb_receive *r, MPI_Comm comm) {
  gb_counted send, receive;
  int rc = gb_counted_make(s->count, s->type, &send);
  if (rc != MPI_SUCCESS)
    return rc;
  if ((rc = gb_counted_make(r->count, r->type, &receive)) == MPI_SUCCESS) {
    rc = PMPI_Alltoall(s->buf, send.count, send.type, r->buf, receive.count, receive.type, comm);
    gb_counted_release(&receive);
  }
  gb_counted_release(&send);
  return rc;
}

static int pile_of(const void *buffer, MPI_Count count, MPI_Datatype type, gb_pile *pile) {
  MPI_Aint lower, extent;
  int rc = MPI_Type_get_extent(type, &lower, &extent);
  pile->at = (void *)buffer;
  pile->stride = (MPI_Aint)count * extent;
  return rc == MPI_SUCCESS ? gb_counted_make(count, type, &pile->block) : rc;
}

static int run_alltoall(gb_comm *c, gb_role *role, const gb_send *s, const gb_receive *r, size_t bytes) {
  gb_exchanging x = {.nothing = bytes == 0};
  int rc = pile_of(s->buf, s->count, s->type, &x.send);
  if (rc == MPI_SUCCESS)
    rc = pile_of(r->buf, r->count, r->type, &x.receive);
  if (rc == MPI_SUCCESS)
    rc = gb_engine_exchange(c, role, bytes, &x);
  gb_counted_release(&x.send.block);
  gb_counted_release(&x.receive.block);
  return rc;
}

/* What is sent is a copy, as blocks come before all others have gone. */
static int run_in_place(gb_comm *c, gb_role *role, const gb_receive *r, size_t bytes) {
  const size_t all = bytes * (size_t)c->size;
  char *packed = malloc(all + 1);
  gb_send send = {packed, (MPI_Count)bytes, MPI_BYTE};
  int rc =
      packed == NULL ? MPI_ERR_NO_MEM : gb_pack(r->buf, r->count * c->size, r->type, packed, all, c->dup);
  if (rc == MPI_SUCCESS)
    rc = run_alltoall(c, role, &send, r, bytes);
  free(packed);
  return rc;
}

static int alltoall(gb_comm *c, const gb_send *s, const gb_receive *r) {
  const bool in_place = s->buf == MPI_IN_PLACE;
  size_t bytes = 0, send_bytes = 0;
  int rc = gb_check_buffer(r->buf, r->count, r->type, &bytes);
  if (rc == MPI_SUCCESS && !in_place)
    rc = gb_check_buffer(s->buf, s->count, s->type, &send_bytes);
  if (rc != MPI_SUCCESS)
    return rc;
  if (bytes > SIZE_MAX / 2 / (size_t)c->size)
    return MPI_ERR_COUNT;
  uint64_t end = c->sequence + 1;
  gb_role *role;
  if (!in_place && send_bytes != bytes)
    return gb_engine_settle(c, end, MPI_ERR_TRUNCATE);
  if ((rc = gb_cache_role(c, GBCAST_ALLTOALL, bytes, 0, &role)) != MPI_SUCCESS)
    return rc == MPI_ERR_NO_MEM ? gb_engine_settle(c, end, rc) : rc;
  rc = in_place ? run_in_place(c, role, r, bytes) : run_alltoall(c, role, s, r, bytes);
  return gb_engine_settle(c, end, rc);
}

int gbcast_alltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  gb_send s = {sendbuf, sendcount, sendtype};
  gb_receive r = {recvbuf, recvcount, recvtype};
  gb_comm *c;
  int rc = gb_comm_of(comm, &c);
  if (rc != MPI_SUCCESS)
    return rc;
  return c == NULL ? own_alltoall(&s, &r, comm) : gb_raise(comm, alltoall(c, &s, &r));
}
