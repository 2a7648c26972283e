/* The first use of a plan: ranks that do not agree on it, or on the size, find out and all come back. */
#include "mpi/agree.h"
#include "mpi/orphan.h"
#include "mpi/requests.h"
#include <stdlib.h>

struct gb_early {
  gb_early *next;
  gb_header header;
  int source;
};

void gb_early_release(gb_early *list) {
  while (list != NULL) {
    gb_early *next = list->next;
    free(list);
    list = next;
  }
}

static int send_header(gb_run *run, int to, const gb_header *header, void *owned) {
  MPI_Request *request = gb_requests_next(run);
  int rc = request == NULL
               ? MPI_ERR_NO_MEM
               : MPI_Isend(header, (int)sizeof *header, MPI_BYTE, to, GB_HEADER_TAG, run->c->dup, request);
  if (rc != MPI_SUCCESS) {
    free(owned);
    return rc;
  }
  gb_slot slot = {.kind = GB_SLOT_HEADER, .peer = to, .copy = owned};
  gb_requests_add(run, &slot);
  return MPI_SUCCESS;
}

/* Announces the streams of one tree to its children, and starts it. */
static int start_flow(gb_run *run, uint32_t index) {
  gb_flow *f = &run->flow[index];
  int rc = MPI_SUCCESS;
  f->state = GB_FLOW_RUNNING;
  for (uint32_t i = 0; rc == MPI_SUCCESS && !run->failed && i < f->tree->child_count; i++) {
    gb_header *header = calloc(1, sizeof *header);
    if (header == NULL)
      return MPI_ERR_NO_MEM;
    header->sequence = run->sequence;
    header->kind = GB_HEADER_START;
    header->hash = run->role->hash;
    header->bytes = run->bytes;
    header->tree = index;
    header->length = f->out[i].length;
    header->segment = f->tree->segment;
    rc = send_header(run, f->tree->child[i].rank, header, header);
  }
  return rc;
}

int gb_agree_listen(gb_run *run) {
  MPI_Request *request = gb_requests_next(run);
  if (request == NULL)
    return MPI_ERR_NO_MEM;
  gb_comm *c = run->c;
  int rc = MPI_SUCCESS;
  *request = c->listen; /* still posted from an earlier call */
  c->listen = MPI_REQUEST_NULL;
  if (*request == MPI_REQUEST_NULL)
    rc = MPI_Irecv(&c->heard, (int)sizeof c->heard, MPI_BYTE, MPI_ANY_SOURCE, GB_HEADER_TAG, c->dup, request);
  if (rc == MPI_SUCCESS)
    gb_requests_add(run, &(gb_slot){.kind = GB_SLOT_LISTEN});
  return rc;
}

/* Headers of this call that came before it; those of older calls are dropped. */
static int replay_early(gb_run *run) {
  int rc = MPI_SUCCESS;
  gb_early *list = run->c->early;
  run->c->early = NULL;
  for (gb_early *next; rc == MPI_SUCCESS && list != NULL; list = next) {
    next = list->next;
    rc = gb_agree_heard(run, list->header, list->source);
    free(list);
  }
  gb_early_release(list);
  return rc;
}

int gb_agree_begin(gb_run *run) {
  int rc = MPI_SUCCESS;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < run->role->tree_count; t++)
    if (run->flow[t].tree->parent.rank < 0)
      rc = start_flow(run, t);
  if (rc == MPI_SUCCESS)
    rc = replay_early(run);
  return rc == MPI_SUCCESS ? gb_agree_listen(run) : rc;
}

void gb_agree_fail(gb_run *run, int code) {
  if (run->code == MPI_SUCCESS)
    run->code = code;
  if (run->failed)
    return;
  run->failed = true;
  gb_header *header = calloc(1, sizeof *header);
  if (header == NULL)
    return;
  header->sequence = run->sequence;
  header->kind = GB_HEADER_ABORT;
  header->code = code;
  gb_orphan_keep(&run->c->orphan, header); /* all of the sends read it */
  for (int r = 0; r < run->c->size; r++)
    if (r != run->c->rank && send_header(run, r, header, NULL) != MPI_SUCCESS)
      return; /* no way to tell the others any more */
}

/* Receives the next message of a stream that is not wanted. Takes `buffer` over. */
static int drain(gb_run *run, int source, uint32_t tree, size_t segment, size_t left, void *buffer) {
  if (left == 0) {
    free(buffer);
    return MPI_SUCCESS;
  }
  size_t length = left < segment ? left : segment;
  if (buffer == NULL)
    buffer = malloc(length);
  MPI_Request *request = gb_requests_next(run);
  int rc = buffer == NULL || request == NULL
               ? MPI_ERR_NO_MEM
               : MPI_Irecv(buffer, (int)length, MPI_BYTE, source, gb_data_tag(run->sequence, tree),
                           run->c->dup, request);
  if (rc != MPI_SUCCESS) {
    free(buffer);
    return rc;
  }
  gb_slot slot = {.kind = GB_SLOT_DRAIN, .peer = source, .flow = tree, .copy = buffer};
  slot.offset = segment;
  slot.length = left - length;
  gb_requests_add(run, &slot);
  return MPI_SUCCESS;
}

int gb_agree_drained(gb_run *run, const gb_slot *slot, void *buffer) {
  return drain(run, slot->peer, slot->flow, slot->offset, slot->length, buffer);
}

static int heard_start(gb_run *run, int source, const gb_header *h) {
  gb_flow *f = h->tree < run->role->tree_count ? &run->flow[h->tree] : NULL;
  bool expected = f != NULL && f->state == GB_FLOW_WAITING && f->tree->parent.rank == source;
  if (expected && h->bytes == run->bytes && h->hash == run->role->hash && h->length == f->length)
    return start_flow(run, h->tree);
  if (expected)
    f->state = GB_FLOW_DEAD;
  bool same_size = h->bytes == run->bytes;
  if (same_size)
    run->role->broken = MPI_ERR_OTHER; /* it will not get better */
  gb_agree_fail(run, same_size ? MPI_ERR_OTHER : MPI_ERR_TRUNCATE);
  return drain(run, source, h->tree, (size_t)h->segment, (size_t)h->length, NULL);
}

/* Nothing more comes from `source`. */
static int heard_abort(gb_run *run, int source, int code) {
  int rc = MPI_SUCCESS;
  bool needed = false;
  for (uint32_t t = 0; t < run->role->tree_count; t++) {
    gb_flow *f = &run->flow[t];
    if (f->tree->parent.rank != source || f->state == GB_FLOW_DEAD)
      continue;
    if (f->state == GB_FLOW_RUNNING && f->prefix == f->length)
      continue; /* all is here already */
    f->state = GB_FLOW_DEAD;
    needed = true;
  }
  for (unsigned i = 0; i < run->used; i++) {
    gb_slot *slot = &run->slot[i];
    bool stream = slot->kind == GB_SLOT_RECEIVE && run->flow[slot->flow].state == GB_FLOW_DEAD;
    if (slot->peer != source || run->request[i] == MPI_REQUEST_NULL ||
        (!stream && slot->kind != GB_SLOT_DRAIN))
      continue;
    slot->length = 0;
    int one = MPI_Cancel(&run->request[i]);
    if (one != MPI_SUCCESS)
      rc = one;
  }
  if (needed)
    gb_agree_fail(run, code);
  return rc;
}

int gb_agree_heard(gb_run *run, gb_header h, int source) {
  if (h.sequence > run->sequence) {
    gb_early *early = malloc(sizeof *early);
    if (early == NULL)
      return MPI_ERR_NO_MEM;
    *early = (gb_early){run->c->early, h, source};
    run->c->early = early;
    return MPI_SUCCESS;
  }
  if (h.sequence < run->sequence)
    return MPI_SUCCESS;
  return h.kind == GB_HEADER_START ? heard_start(run, source, &h) : heard_abort(run, source, h.code);
}

int gb_agree_stop(gb_run *run, bool *heard) {
  *heard = false;
  for (unsigned i = 0; i < run->used; i++) {
    if (run->slot[i].kind != GB_SLOT_LISTEN)
      continue;
    MPI_Status status;
    int done, rc = MPI_Test(&run->request[i], &done, &status);
    if (rc != MPI_SUCCESS)
      return rc;
    if (!done) /* it stays posted for the next new plan: cancelling is not safe everywhere */
      run->c->listen = run->request[i];
    run->request[i] = MPI_REQUEST_NULL;
    gb_requests_compact(run);
    if (!done)
      return MPI_SUCCESS;
    *heard = true;
    rc = gb_agree_heard(run, run->c->heard, status.MPI_SOURCE);
    return rc == MPI_SUCCESS ? gb_agree_listen(run) : rc;
  }
  return MPI_SUCCESS;
}
