/* Checks headers from other ranks before they are used. */
#include "mpi/exec/header.h"
#include "mpi/job/job.h"

bool gb_header_is_sound(const gb_header *h) {
  switch (h->kind) {
  case GB_HEADER_START: /* its stream may have to be received, whatever it is */
    return h->tree < GB_TREES_MOST && (h->length == 0 || (h->segment > 0 && h->segment <= GB_MESSAGE_MAX));
  case GB_HEADER_OFFER:
    return h->length > 0 && h->length <= GB_MESSAGE_MAX;
  case GB_HEADER_POISON:
    return h->code > MPI_SUCCESS && h->code <= MPI_ERR_LASTCODE;
  default:
    return h->kind == GB_HEADER_HELLO || h->kind == GB_HEADER_ABORT || h->kind == GB_HEADER_GONE;
  }
}
