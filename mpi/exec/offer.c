/* News offered to a root, on their way. */
#include "mpi/exec/offer.h"
#include "mpi/comm/inputs.h"
#include "mpi/exec/types.h"
#include <stdlib.h>
#include <string.h>

enum { OUT = 8 }; /* under way at once */

typedef struct out {
  MPI_Request header_request, request;
  gb_header header;
  char *bytes;
  int to;
} out;

struct gb_offers { /* rank 0's */
  uint32_t *epoch; /* by rank: of the last offer to it */
  out out[OUT];
};

static gb_offers *offers_of(gb_comm *c) {
  if (c->offers != NULL)
    return c->offers;
  gb_offers *o = calloc(1, sizeof *o);
  if (o != NULL)
    o->epoch = calloc((size_t)c->size, sizeof *o->epoch);
  if (o == NULL || o->epoch == NULL) {
    free(o);
    return NULL;
  }
  for (int i = 0; i < OUT; i++)
    o->out[i].request = o->out[i].header_request = MPI_REQUEST_NULL;
  return c->offers = o;
}

static bool is_sent(MPI_Request *request) { /* SMPI does not call one done that is no request any more */
  int done = 0;
  return *request == MPI_REQUEST_NULL || (MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done);
}

static bool is_done(out *x) {
  bool header = is_sent(&x->header_request);
  if (!is_sent(&x->request) || !header)
    return false;
  free(x->bytes);
  x->bytes = NULL;
  return true;
}

/* The inputs go synchronously: when that is done the receiver has posted what takes them in, so that it has
 * one such receive at a time. */
static int post(gb_comm *c, out *x) {
  int rc = MPI_Isend(&x->header, (int)sizeof x->header, MPI_BYTE, x->to, GB_HEADER_TAG, c->dup,
                     &x->header_request);
  return rc != MPI_SUCCESS
             ? rc
             : MPI_Issend(x->bytes, (int)c->ready.length, MPI_BYTE, x->to, GB_OFFER_TAG, c->dup, &x->request);
}

int gb_offer_make(gb_comm *c, int root) {
  gb_offers *o = offers_of(c);
  if (o == NULL)
    return MPI_ERR_NO_MEM;
  if (o->epoch[root] == c->ready.epoch)
    return MPI_SUCCESS;
  out *room = NULL;
  for (int i = 0; i < OUT; i++) {
    if (is_done(&o->out[i]))
      room = &o->out[i];
    else if (o->out[i].to == root)
      return MPI_SUCCESS;
  }
  if (room == NULL)
    return MPI_SUCCESS;
  room->to = root;
  room->header = (gb_header){.kind = GB_HEADER_OFFER, .length = c->ready.length};
  room->bytes = malloc(c->ready.length);
  if (room->bytes == NULL)
    return MPI_ERR_NO_MEM;
  memcpy(room->bytes, c->ready.bytes, c->ready.length);
  o->epoch[root] = c->ready.epoch;
  return post(c, room);
}

unsigned gb_offers_made(const gb_comm *c) {
  return c->offers != NULL;
}

static void take(gb_comm *c) {
  gb_news *offered = &c->offered;
  gb_inputs in;
  if (gb_inputs_decode(offered->bytes, offered->length, &in)) {
    offered->epoch = in.epoch;
    gb_inputs_release(&in);
  }
  if (offered->epoch > c->ready.epoch) {
    free(c->ready.bytes);
    c->ready = *offered;
  } else {
    free(offered->bytes);
  }
  *offered = (gb_news){0};
}

void gb_offer_look(gb_comm *c) {
  int done = 0;
  if (c->offered.bytes != NULL && MPI_Test(&c->offer, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done)
    take(c);
}

int gb_offer_heard(gb_comm *c, const gb_header *header) {
  if (c->offered.bytes != NULL) { /* its send is complete, or there would be no other: it is all but here */
    int rc = MPI_Wait(&c->offer, MPI_STATUS_IGNORE);
    if (rc != MPI_SUCCESS)
      return rc;
    take(c);
  }
  c->offered = (gb_news){.length = (size_t)header->length, .bytes = malloc((size_t)header->length + 1)};
  if (c->offered.bytes == NULL)
    return MPI_ERR_NO_MEM;
  return MPI_Irecv(c->offered.bytes, (int)header->length, MPI_BYTE, 0, GB_OFFER_TAG, c->dup, &c->offer);
}

void gb_offers_end(gb_comm *c) {
  if (c->offered.bytes != NULL)
    (void)MPI_Wait(&c->offer, MPI_STATUS_IGNORE);
  free(c->offered.bytes);
  if (c->offers == NULL)
    return;
  for (int i = 0; i < OUT; i++) {
    (void)MPI_Wait(&c->offers->out[i].header_request, MPI_STATUS_IGNORE);
    (void)MPI_Wait(&c->offers->out[i].request, MPI_STATUS_IGNORE);
    free(c->offers->out[i].bytes);
  }
  free(c->offers->epoch);
  free(c->offers);
}
