/* Receives streams that this rank has no use for, so that their senders can leave the call. One buffer serves
 * all messages of a stream, one after the other. */
#include "mpi/exec/drain.h"
#include "mpi/exec/requests.h"
#include <stdlib.h>

static size_t next_length(const gb_request *request) {
  return request->length < request->offset ? request->length : request->offset;
}

static int receive(gb_run *run, gb_request request) {
  size_t length = next_length(&request);
  MPI_Request *handle = gb_requests_next(run);
  int rc = handle == NULL ? MPI_ERR_NO_MEM
                          : MPI_Irecv(request.copy, (int)length, MPI_BYTE, request.peer, request.tag,
                                      run->w->comm, handle);
  if (rc != MPI_SUCCESS) {
    free(request.copy);
    return rc;
  }
  request.length -= length;
  gb_requests_add(run, &request);
  return MPI_SUCCESS;
}

int gb_drain(gb_run *run, const gb_header *h, int source) {
  if (h->length == 0)
    return MPI_SUCCESS;
  gb_request request = {.kind = GB_REQUEST_DRAIN, .peer = source};
  request.tag = gb_data_tag(h->sequence, h->agreeing != 0, h->tree);
  request.offset = (size_t)h->segment;
  request.length = (size_t)h->length;
  request.copy = malloc(next_length(&request));
  return request.copy == NULL ? MPI_ERR_NO_MEM : receive(run, request);
}

int gb_drain_next(gb_run *run, const gb_request *request) {
  if (request->length > 0)
    return receive(run, *request);
  free(request->copy);
  return MPI_SUCCESS;
}
