/* Ranks that do not agree on a call find out and all come back: the rules are in agree.h. */
#include "mpi/exec/agree.h"
#include "mpi/exec/drain.h"
#include "mpi/exec/early.h"
#include "mpi/exec/exchanging.h"
#include "mpi/exec/listen.h"
#include "mpi/exec/offer.h"
#include "mpi/exec/requests.h"
#include <stdlib.h>

gb_header gb_agree_header(const gb_run *run, enum gb_header_kind kind) {
  return (gb_header){.sequence = run->sequence,
                     .hash = run->role->hash,
                     .bytes = run->bytes,
                     .kind = (int32_t)kind,
                     .root = run->role->root,
                     .operation = (int32_t)run->role->operation};
}

int gb_agree_tell(gb_run *run, int to, const gb_header *header) {
  return gb_requests_send(run, GB_SLOT_HEADER, to,
                          header->kind == GB_HEADER_HELLO ? GB_HELLO_TAG : GB_HEADER_TAG, header,
                          sizeof *header);
}

/* Tells one child what comes to it in a tree. */
static int announce(gb_run *run, uint32_t tree, uint32_t child) {
  const gb_flow *f = &run->flow[tree];
  gb_header header = gb_agree_header(run, GB_HEADER_START);
  header.tree = tree;
  header.length = f->out[child].length;
  header.segment = f->tree->segment;
  header.agreeing = run->agreeing;
  return gb_agree_tell(run, f->tree->child[child].rank, &header);
}

static int announce_all(gb_run *run, uint32_t tree) {
  int rc = MPI_SUCCESS;
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < run->flow[tree].tree->child_count; i++)
    rc = announce(run, tree, i);
  return rc;
}

static int start_flow(gb_run *run, uint32_t tree) {
  run->flow[tree].state = GB_FLOW_RUNNING;
  return announce_all(run, tree);
}

/* late: only those of calls that are over. */
static int replay_early(gb_run *run, bool late) {
  int rc = MPI_SUCCESS;
  gb_early *list = run->w->exec->early;
  run->w->exec->early = NULL;
  for (gb_early *next; rc == MPI_SUCCESS && list != NULL; list = next) {
    next = list->next;
    rc = late && list->header.sequence >= run->sequence
             ? gb_early_keep(&run->w->exec->early, &list->header, list->source)
             : gb_agree_heard(run, &list->header, list->source);
    free(list);
  }
  gb_early_release(list);
  return rc;
}

/* A header of a call that this rank has left: by those of its own plan all is done. */
static int heard_late(gb_run *run, int source, const gb_header *h) {
  const gb_past *past = gb_exec_past(run->w->exec, h->sequence);
  bool known = past->sequence == h->sequence;
  bool same = !known || (past->hash == h->hash && past->bytes == h->bytes &&
                         (h->kind != GB_HEADER_HELLO || past->agreeing));
  if (h->kind == GB_HEADER_GONE || (h->kind == GB_HEADER_ABORT ? known && past->failed : same))
    return MPI_SUCCESS;
  if (run->w->doubt < h->sequence)
    run->w->doubt = h->sequence;
  if (h->kind != GB_HEADER_ABORT && run->code == MPI_SUCCESS)
    run->code = MPI_ERR_OTHER;
  if (h->kind == GB_HEADER_START)
    return gb_drain(run, h, source);
  gb_header gone = {.sequence = h->sequence, .kind = (int32_t)GB_HEADER_GONE, .code = MPI_ERR_OTHER};
  gone.hash = known ? past->hash : 0;
  gone.bytes = known ? past->bytes : 0;
  return gb_agree_tell(run, source, &gone);
}

int gb_agree_begin(gb_run *run) {
  const bool waits = run->w->rank != run->role->root && run->bytes > 0;
  int rc = gb_listen_peek(run->w, run->sequence, !waits);
  if (rc == MPI_SUCCESS && run->w->exec->early != NULL) /* ABORTs of older calls may put this plan in doubt */
    rc = replay_early(run, true);
  run->agreeing = run->role->agreed <= run->w->doubt;
  if (run->agreeing)
    run->role->agreed = run->sequence;
  *gb_exec_past(run->w->exec, run->sequence) =
      (gb_past){run->sequence, run->role->hash, run->bytes, run->agreeing, false};
  for (uint32_t t = 0; !run->agreeing && t < run->role->tree_count; t++)
    run->flow[t].state = GB_FLOW_RUNNING;
  for (unsigned ear = 0; rc == MPI_SUCCESS && ear < GB_EARS; ear++)
    rc = gb_listen(run, ear);
  if (run->agreeing && rc == MPI_SUCCESS && run->exchanging != NULL)
    rc = gb_exchanging_greet(run);
  gb_header hello = gb_agree_header(run, GB_HEADER_HELLO);
  for (uint32_t t = 0; run->agreeing && rc == MPI_SUCCESS && t < run->role->tree_count; t++) {
    const gb_role_tree *tree = run->flow[t].tree;
    run->hellos += tree->child_count;
    rc = tree->parent.rank < 0 ? start_flow(run, t) : gb_agree_tell(run, tree->parent.rank, &hello);
  }
  return rc == MPI_SUCCESS && run->w->exec->early != NULL ? replay_early(run, false) : rc;
}

void gb_agree_fail(gb_run *run, int code) {
  if (run->code == MPI_SUCCESS)
    run->code = code;
  if (run->failed)
    return;
  run->failed = true;
  run->w->doubt = run->sequence;
  gb_exec_past(run->w->exec, run->sequence)->failed = true;
  /* a child that follows another plan does not know what comes */
  for (uint32_t t = 0; !run->agreeing && t < run->role->tree_count; t++)
    (void)announce_all(run, t);
  gb_header header = gb_agree_header(run, GB_HEADER_ABORT);
  header.code = code;
  for (int r = 0; r < run->w->size; r++)
    if (r != run->w->rank && gb_agree_tell(run, r, &header) != MPI_SUCCESS)
      return; /* no way to tell the others any more */
}

static void take_poison(gb_run *run, int class) {
  gb_wire *w = run->w;
  if (w->poison == MPI_SUCCESS)
    w->poison = class;
  if (run->code == MPI_SUCCESS)
    run->code = class;
  w->doubt = run->sequence; /* so that the close of the communicator sweeps up */
}

void gb_agree_poison(gb_run *run, int code) {
  gb_header header = gb_agree_header(run, GB_HEADER_POISON);
  int class = MPI_ERR_OTHER;
  (void)MPI_Error_class(code, &class);
  header.code = class;
  const bool told = run->w->poison != MPI_SUCCESS;
  take_poison(run, class);
  /* a rank that does not get it waits, as it would for a rank that has died */
  for (int r = 0; !told && r < run->w->size; r++)
    if (r != run->w->rank)
      (void)gb_agree_tell(run, r, &header);
}

static bool is_same_call(const gb_run *run, const gb_header *h) {
  return h->hash == run->role->hash && h->bytes == run->bytes;
}

/* Why a header does not fit. */
static int difference(const gb_run *run, const gb_header *h) {
  if (h->root != run->role->root)
    return MPI_ERR_ROOT;
  bool sizes = h->operation == (int32_t)run->role->operation && h->bytes != run->bytes;
  return sizes ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER;
}

static int heard_start(gb_run *run, int source, const gb_header *h) {
  gb_flow *f = h->tree < run->role->tree_count ? &run->flow[h->tree] : NULL;
  if (run->exchanging != NULL && gb_exchanging_announced(run, source, is_same_call(run, h) && h->agreeing))
    return gb_exchanging_expect(run, source);
  bool mine = f != NULL && f->tree->parent.rank == source && is_same_call(run, h) && h->length == f->length;
  if (mine && run->agreeing && h->agreeing && !run->failed && f->state == GB_FLOW_WAITING)
    return start_flow(run, h->tree);
  if (mine && !run->agreeing && !h->agreeing) /* what it has failed to start is already under way */
    return MPI_SUCCESS;
  if (!run->failed)
    gb_agree_fail(run, difference(run, h));
  if (f != NULL && f->tree->parent.rank == source && f->state == GB_FLOW_WAITING)
    f->state = GB_FLOW_DEAD;
  return gb_drain(run, h, source);
}

static int heard_hello(gb_run *run, const gb_header *h) {
  if (run->agreeing && is_same_call(run, h))
    run->hellos--;
  else /* it waits for what does not come */
    gb_agree_fail(run, difference(run, h));
  return MPI_SUCCESS;
}

/* What was posted for a flow that will bring nothing is taken back. Its children were promised their streams:
 * they get them, whatever the buffer holds. */
static int end_flow(gb_run *run, uint32_t tree) {
  gb_flow *f = &run->flow[tree];
  f->prefix = f->receiving = f->length;
  return gb_requests_take_back(run, &tree);
}

/* `source` starts no more streams in this call. */
static int heard_abort(gb_run *run, int source, const gb_header *h) {
  int rc = MPI_SUCCESS;
  if (run->exchanging != NULL)
    (void)gb_exchanging_announced(run, source, false);
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < run->role->tree_count; t++) {
    gb_flow *f = &run->flow[t];
    if (f->tree->parent.rank != source)
      continue;
    if (f->state == GB_FLOW_WAITING)
      f->state = GB_FLOW_DEAD;
    else if (!run->agreeing && !is_same_call(run, h))
      rc = end_flow(run, t);
  }
  gb_agree_fail(run, h->code);
  return rc;
}

int gb_agree_heard(gb_run *run, const gb_header *h, int source) {
  if (!gb_header_is_sound(h)) {
    gb_agree_fail(run, MPI_ERR_OTHER);
    return MPI_SUCCESS;
  }
  if (h->kind == GB_HEADER_OFFER)
    return gb_offer_heard(run->w, h);
  if (h->sequence > run->sequence)
    return gb_early_keep(&run->w->exec->early, h, source);
  if (h->kind == GB_HEADER_POISON) { /* calls before the failed one may still succeed */
    take_poison(run, h->code);
    return MPI_SUCCESS;
  }
  if (h->sequence < run->sequence)
    return heard_late(run, source, h);
  switch (h->kind) {
  case GB_HEADER_START:
    return heard_start(run, source, h);
  case GB_HEADER_HELLO:
    return heard_hello(run, h);
  default:
    return heard_abort(run, source, h);
  }
}
