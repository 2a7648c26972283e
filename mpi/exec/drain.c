/* Streams that nobody here wants, taken in so that their senders can leave. One buffer serves all messages of
 * a stream, one after the other. */
#include "mpi/exec/drain.h"
#include "mpi/exec/requests.h"
#include <stdlib.h>

static size_t next_length(const gb_slot *slot) {
  return slot->length < slot->offset ? slot->length : slot->offset;
}

static int receive(gb_run *run, gb_slot slot) {
  size_t length = next_length(&slot);
  MPI_Request *request = gb_requests_next(run);
  int rc = request == NULL
               ? MPI_ERR_NO_MEM
               : MPI_Irecv(slot.copy, (int)length, MPI_BYTE, slot.peer, slot.tag, run->w->comm, request);
  if (rc != MPI_SUCCESS) {
    free(slot.copy);
    return rc;
  }
  slot.length -= length;
  gb_requests_add(run, &slot);
  return MPI_SUCCESS;
}

int gb_drain(gb_run *run, const gb_header *h, int source) {
  if (h->length == 0)
    return MPI_SUCCESS;
  gb_slot slot = {.kind = GB_SLOT_DRAIN, .peer = source};
  slot.tag = gb_data_tag(h->sequence, h->agreeing != 0, h->tree);
  slot.offset = (size_t)h->segment;
  slot.length = (size_t)h->length;
  slot.copy = malloc(next_length(&slot));
  return slot.copy == NULL ? MPI_ERR_NO_MEM : receive(run, slot);
}

int gb_drain_next(gb_run *run, const gb_slot *slot) {
  if (slot->length > 0)
    return receive(run, *slot);
  free(slot->copy);
  return MPI_SUCCESS;
}
