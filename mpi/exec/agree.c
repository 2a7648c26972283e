/* How ranks that do not agree on a call find out, and all return from it: the protocol of agree.h. */
#include "mpi/exec/agree.h"
#include "mpi/exec/drain.h"
#include "mpi/exec/exchanging.h"
#include "mpi/exec/listen.h"
#include "mpi/exec/offer.h"
#include "mpi/exec/requests.h"
#include "mpi/exec/unexpected.h"
#include <stdlib.h>

gb_header gb_agree_header(const gb_run *run, enum gb_header_kind kind) {
  return (gb_header){.sequence = run->sequence,
                     .hash = run->schedule->hash,
                     .bytes = run->bytes,
                     .kind = (int32_t)kind,
                     .root = run->schedule->root,
                     .operation = (int32_t)run->schedule->operation};
}

int gb_agree_tell(gb_run *run, int to, const gb_header *header) {
  return gb_requests_send(run, GB_REQUEST_HEADER, to,
                          header->kind == GB_HEADER_HELLO ? GB_HELLO_TAG : GB_HEADER_TAG, header,
                          sizeof *header);
}

/* Tells one child what it will receive in a tree. */
static int announce(gb_run *run, uint32_t tree, uint32_t child) {
  const gb_tree_stream *s = &run->stream[tree];
  gb_header header = gb_agree_header(run, GB_HEADER_START);
  header.tree = tree;
  header.length = s->cursor[child].length;
  header.segment = s->tree->segment;
  header.agreeing = run->agreeing;
  return gb_agree_tell(run, s->tree->child[child].rank, &header);
}

static int announce_all(gb_run *run, uint32_t tree) {
  int rc = MPI_SUCCESS;
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < run->stream[tree].tree->child_count; i++)
    rc = announce(run, tree, i);
  return rc;
}

static int start_stream(gb_run *run, uint32_t tree) {
  run->stream[tree].state = GB_STREAM_RUNNING;
  return announce_all(run, tree);
}

/* Handles the unexpected headers; late: only those of calls that are over. */
static int replay_unexpected(gb_run *run, bool late) {
  int rc = MPI_SUCCESS;
  gb_unexpected *list = run->w->exec->unexpected;
  run->w->exec->unexpected = NULL;
  for (gb_unexpected *next; rc == MPI_SUCCESS && list != NULL; list = next) {
    next = list->next;
    rc = late && list->header.sequence >= run->sequence
             ? gb_unexpected_add(&run->w->exec->unexpected, &list->header, list->source)
             : gb_agree_heard(run, &list->header, list->source);
    free(list);
  }
  gb_unexpected_free(list);
  return rc;
}

/* Handles a header of a call that this rank has left. Its own plan is complete by then. */
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
  const bool waits = run->w->rank != run->schedule->root && run->bytes > 0;
  int rc = gb_listen_peek(run->w, run->sequence, !waits);
  if (rc == MPI_SUCCESS &&
      run->w->exec->unexpected != NULL) /* ABORTs of older calls may put this plan in doubt */
    rc = replay_unexpected(run, true);
  run->agreeing = run->schedule->agreed <= run->w->doubt;
  if (run->agreeing)
    run->schedule->agreed = run->sequence;
  *gb_exec_past(run->w->exec, run->sequence) =
      (gb_past){run->sequence, run->schedule->hash, run->bytes, run->agreeing, false};
  for (uint32_t t = 0; !run->agreeing && t < run->schedule->tree_count; t++)
    run->stream[t].state = GB_STREAM_RUNNING;
  for (unsigned ear = 0; rc == MPI_SUCCESS && ear < GB_EARS; ear++)
    rc = gb_listen(run, ear);
  if (run->agreeing && rc == MPI_SUCCESS && run->exchanging != NULL)
    rc = gb_exchanging_greet(run);
  gb_header hello = gb_agree_header(run, GB_HEADER_HELLO);
  for (uint32_t t = 0; run->agreeing && rc == MPI_SUCCESS && t < run->schedule->tree_count; t++) {
    const gb_rank_tree *tree = run->stream[t].tree;
    run->hellos += tree->child_count;
    rc = tree->parent.rank < 0 ? start_stream(run, t) : gb_agree_tell(run, tree->parent.rank, &hello);
  }
  return rc == MPI_SUCCESS && run->w->exec->unexpected != NULL ? replay_unexpected(run, false) : rc;
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
  for (uint32_t t = 0; !run->agreeing && t < run->schedule->tree_count; t++)
    (void)announce_all(run, t);
  gb_header header = gb_agree_header(run, GB_HEADER_ABORT);
  header.code = code;
  for (int r = 0; r < run->w->size; r++)
    if (r != run->w->rank && gb_agree_tell(run, r, &header) != MPI_SUCCESS)
      return; /* the others cannot be told any more */
}

static void take_poison(gb_run *run, int class) {
  gb_wire *w = run->w;
  if (w->poison == MPI_SUCCESS)
    w->poison = class;
  if (run->code == MPI_SUCCESS)
    run->code = class;
  w->doubt = run->sequence; /* so that closing the communicator sweeps */
}

void gb_agree_poison(gb_run *run, int code) {
  gb_header header = gb_agree_header(run, GB_HEADER_POISON);
  int class = MPI_ERR_OTHER;
  (void)MPI_Error_class(code, &class);
  header.code = class;
  const bool told = run->w->poison != MPI_SUCCESS;
  take_poison(run, class);
  /* a rank that does not receive it waits, as it would for a rank that has died */
  for (int r = 0; !told && r < run->w->size; r++)
    if (r != run->w->rank)
      (void)gb_agree_tell(run, r, &header);
}

static bool is_same_call(const gb_run *run, const gb_header *h) {
  return h->hash == run->schedule->hash && h->bytes == run->bytes;
}

/* The error class for a header that does not match this call. */
static int difference(const gb_run *run, const gb_header *h) {
  if (h->root != run->schedule->root)
    return MPI_ERR_ROOT;
  bool sizes = h->operation == (int32_t)run->schedule->operation && h->bytes != run->bytes;
  return sizes ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER;
}

static int heard_start(gb_run *run, int source, const gb_header *h) {
  gb_tree_stream *s = h->tree < run->schedule->tree_count ? &run->stream[h->tree] : NULL;
  if (run->exchanging != NULL && gb_exchanging_announced(run, source, is_same_call(run, h) && h->agreeing))
    return gb_exchanging_expect(run, source);
  bool mine = s != NULL && s->tree->parent.rank == source && is_same_call(run, h) && h->length == s->length;
  if (mine && run->agreeing && h->agreeing && !run->failed && s->state == GB_STREAM_WAITING)
    return start_stream(run, h->tree);
  if (mine && !run->agreeing && !h->agreeing) /* whatever it failed to start is already in flight */
    return MPI_SUCCESS;
  if (!run->failed)
    gb_agree_fail(run, difference(run, h));
  if (s != NULL && s->tree->parent.rank == source && s->state == GB_STREAM_WAITING)
    s->state = GB_STREAM_DEAD;
  return gb_drain(run, h, source);
}

static int heard_hello(gb_run *run, const gb_header *h) {
  if (run->agreeing && is_same_call(run, h))
    run->hellos--;
  else /* it waits for a stream that does not come */
    gb_agree_fail(run, difference(run, h));
  return MPI_SUCCESS;
}

/* Takes back the receives of a stream that will bring nothing. Its children were promised their streams: they
 * get them, whatever the buffer holds. */
static int end_stream(gb_run *run, uint32_t tree) {
  gb_tree_stream *s = &run->stream[tree];
  s->prefix = s->receiving = s->length;
  return gb_requests_take_back(run, &tree);
}

/* `source` starts no more streams in this call. */
static int heard_abort(gb_run *run, int source, const gb_header *h) {
  int rc = MPI_SUCCESS;
  if (run->exchanging != NULL)
    (void)gb_exchanging_announced(run, source, false);
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < run->schedule->tree_count; t++) {
    gb_tree_stream *s = &run->stream[t];
    if (s->tree->parent.rank != source)
      continue;
    if (s->state == GB_STREAM_WAITING)
      s->state = GB_STREAM_DEAD;
    else if (!run->agreeing && !is_same_call(run, h))
      rc = end_stream(run, t);
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
    return gb_unexpected_add(&run->w->exec->unexpected, h, source);
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
