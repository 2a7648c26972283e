/* Updates that rank 0 offers to other roots. */
#include "mpi/exec/offer.h"
#include "mpi/exec/state.h"
#include <stdlib.h>
#include <string.h>

enum { OUT = 8 }; /* offers in flight at the same time */

typedef struct sending {
  MPI_Request header_request, request;
  gb_header header;
  char *bytes;
  int to;
} sending;

typedef struct gb_offers { /* of rank 0 */
  uint32_t *version;       /* by rank: the version of the last offer to it */
  sending sending[OUT];
} gb_offers;

static gb_offers *offers_of(gb_wire *w) {
  if (w->exec->offers != NULL)
    return w->exec->offers;
  gb_offers *o = calloc(1, sizeof *o);
  if (o != NULL)
    o->version = calloc((size_t)w->size, sizeof *o->version);
  if (o == NULL || o->version == NULL) {
    free(o);
    return NULL;
  }
  for (int i = 0; i < OUT; i++)
    o->sending[i].request = o->sending[i].header_request = MPI_REQUEST_NULL;
  return w->exec->offers = o;
}

static bool is_sent(MPI_Request *request) { /* SMPI does not report MPI_REQUEST_NULL as done */
  int done = 0;
  return *request == MPI_REQUEST_NULL || (MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done);
}

static bool is_done(sending *x) {
  bool header = is_sent(&x->header_request);
  if (!is_sent(&x->request) || !header)
    return false;
  free(x->bytes);
  x->bytes = NULL;
  return true;
}

/* The inputs are sent synchronously: when the send is complete, the receiver has posted a receive for them.
 * So it has one such receive at a time. */
static int post(gb_wire *w, sending *x) {
  int rc = MPI_Isend(&x->header, (int)sizeof x->header, MPI_BYTE, x->to, GB_HEADER_TAG, w->comm,
                     &x->header_request);
  return rc != MPI_SUCCESS ? rc
                           : MPI_Issend(x->bytes, (int)w->ready.length, MPI_BYTE, x->to, GB_OFFER_TAG,
                                        w->comm, &x->request);
}

int gb_offer_make(gb_wire *w, int root) {
  gb_offers *o = offers_of(w);
  if (o == NULL)
    return MPI_ERR_NO_MEM;
  if (o->version[root] == w->ready.version)
    return MPI_SUCCESS;
  sending *room = NULL;
  for (int i = 0; i < OUT; i++) {
    if (is_done(&o->sending[i]))
      room = &o->sending[i];
    else if (o->sending[i].to == root)
      return MPI_SUCCESS;
  }
  if (room == NULL)
    return MPI_SUCCESS;
  room->to = root;
  room->header = (gb_header){.kind = GB_HEADER_OFFER, .length = w->ready.length};
  room->bytes = malloc(w->ready.length);
  if (room->bytes == NULL)
    return MPI_ERR_NO_MEM;
  memcpy(room->bytes, w->ready.bytes, w->ready.length);
  o->version[root] = w->ready.version;
  return post(w, room);
}

unsigned gb_offers_made(const gb_wire *w) {
  return w->exec->offers != NULL;
}

static void take(gb_wire *w) {
  gb_update *offered = &w->exec->offered;
  offered->version = w->reader->version(offered->bytes, offered->length);
  if (offered->version > w->ready.version) {
    free(w->ready.bytes);
    w->ready = *offered;
  } else {
    free(offered->bytes);
  }
  *offered = (gb_update){0};
}

void gb_offer_look(gb_wire *w) {
  int done = 0;
  if (w->exec->offered.bytes != NULL && MPI_Test(&w->exec->offer, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
      done)
    take(w);
}

int gb_offer_heard(gb_wire *w, const gb_header *header) {
  if (w->exec->offered.bytes !=
      NULL) { /* its send is complete, or there would be no other offer: it has nearly arrived */
    int rc = MPI_Wait(&w->exec->offer, MPI_STATUS_IGNORE);
    if (rc != MPI_SUCCESS)
      return rc;
    take(w);
  }
  w->exec->offered =
      (gb_update){.length = (size_t)header->length, .bytes = malloc((size_t)header->length + 1)};
  if (w->exec->offered.bytes == NULL)
    return MPI_ERR_NO_MEM;
  return MPI_Irecv(w->exec->offered.bytes, (int)header->length, MPI_BYTE, 0, GB_OFFER_TAG, w->comm,
                   &w->exec->offer);
}

void gb_offers_end(gb_wire *w) {
  if (w->exec->offered.bytes != NULL)
    (void)MPI_Wait(&w->exec->offer, MPI_STATUS_IGNORE);
  free(w->exec->offered.bytes);
  if (w->exec->offers == NULL)
    return;
  for (int i = 0; i < OUT; i++) {
    (void)MPI_Wait(&w->exec->offers->sending[i].header_request, MPI_STATUS_IGNORE);
    (void)MPI_Wait(&w->exec->offers->sending[i].request, MPI_STATUS_IGNORE);
    free(w->exec->offers->sending[i].bytes);
  }
  free(w->exec->offers->version);
  free(w->exec->offers);
}
