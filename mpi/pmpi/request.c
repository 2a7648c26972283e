/* Requests of calls under way. */
#include "mpi/pmpi/request.h"
#include "mpi/api/api.h"
#include <stdatomic.h>
#include <stdlib.h>

typedef struct gb_request {
  gb_call call;
  int rank, tag; /* of the message */
  void *kept;
} gb_request;

/* Of no other call under way. */
static int next_tag(gb_dropin *d) {
  return (int)(atomic_fetch_add_explicit(&d->requests, 1, memory_order_relaxed) %
               ((unsigned)d->tag_most + 1));
}

/* The call is over. Its error goes through the error handler now, in whatever thread, as MPI_Wait() cannot
 * tell the class: it finds a message that is too long. */
static void ended(gb_handle *h) {
  gb_request *r = h->told;
  const int code = gb_call_end(&r->call, gb_handle_raise(h));
  gb_comm_release(h->c);
  (void)PMPI_Send(&(char){0}, code != MPI_SUCCESS, MPI_BYTE, r->rank, r->tag,
                  r->call.dropin->preload.requests);
  free(r->kept);
  free(r);
  free(h);
}

static int open_request(const gb_call *call, void *kept, gb_request **out, MPI_Request *request) {
  gb_request *r = *out = malloc(sizeof *r);
  if (r == NULL)
    return MPI_ERR_NO_MEM;
  *r = (gb_request){.call = *call, .tag = next_tag(call->dropin), .kept = kept};
  (void)PMPI_Comm_rank(call->dropin->preload.requests, &r->rank);
  return PMPI_Irecv(NULL, 0, MPI_BYTE, r->rank, r->tag, call->dropin->preload.requests, request);
}

int gb_request_take(const gb_call *call, gb_take_fn *take, const void *arguments, void *kept, void *request) {
  MPI_Request made = MPI_REQUEST_NULL;
  gbcast_handle handle;
  gb_request *r;
  int rc = open_request(call, kept, &r, &made);
  if (rc != MPI_SUCCESS) { /* on this rank alone: the others begin a call that it takes no part in */
    call->c->wire.poison = gb_class_of_code(rc);
    rc = gb_raise(call->c->user, call->c->wire.poison);
  } else if ((rc = take(arguments, (gb_how){GB_API_AT_ONCE, &handle})) == MPI_SUCCESS) {
    *(MPI_Request *)request = made;
    gb_handle_on_end(handle, ended, r);
    return rc;
  } else {
    (void)PMPI_Cancel(&made);
    (void)PMPI_Wait(&made, MPI_STATUS_IGNORE);
  }
  *(MPI_Request *)request = MPI_REQUEST_NULL;
  free(kept);
  free(r);
  return gb_call_end(call, rc);
}
