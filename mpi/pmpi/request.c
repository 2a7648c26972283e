/* Non-blocking calls that are taken over, and their ends. */
#include "mpi/pmpi/request.h"
#include "mpi/api/api.h"
#include "mpi/pmpi/completion.h"
#include <stdlib.h>

typedef struct gb_taken_call {
  gb_completion *completion;
  void *kept;
} gb_taken_call;

/* The call is over. Its error has gone through the communicator's error handler, in whatever thread: MPI does
 * not know in MPI_Wait() which communicator it was. */
static void ended(gb_handle *h) {
  gb_taken_call *r = h->told;
  gb_comm_release(h->c);
  gb_completion_end(r->completion, h->code);
  free(r->kept);
  free(r);
  free(h);
}

int gb_request_take(const gb_call *call, const gb_arguments *a, void *kept, void *request) {
  MPI_Request made = MPI_REQUEST_NULL;
  gbcast_handle handle;
  gb_taken_call *r = malloc(sizeof *r);
  int rc = MPI_ERR_NO_MEM;
  if (r != NULL) {
    *r = (gb_taken_call){.kept = kept};
    rc = gb_completion_open(call->dropin, &r->completion, &made);
  }
  if (rc != MPI_SUCCESS) {
    rc = gb_raise(call->c->user, gb_class_of_code(rc));
  } else if ((rc = gb_api_make(call->what, a, (gb_how){GB_CALL_AT_ONCE, &handle, true})) == MPI_SUCCESS) {
    *(MPI_Request *)request = made;
    gb_handle_on_end(handle, ended, r);
    return rc;
  } else {
    gb_completion_end(r->completion, MPI_SUCCESS);
    (void)PMPI_Wait(&made, MPI_STATUS_IGNORE);
  }
  *(MPI_Request *)request = MPI_REQUEST_NULL;
  free(kept);
  free(r);
  return rc;
}
