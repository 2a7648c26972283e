/* The outstanding requests of a run, in two arrays side by side. */
#include "mpi/exec/requests.h"
#include "mpi/exec/orphan.h"
#include <stdlib.h>
#include <string.h>

void gb_requests_init(gb_run *run) {
  run->used = run->receives = run->drains = run->closing = run->sends = 0;
  run->capacity = GB_RUN_INLINE;
  run->request = run->inline_request;
  run->slot = run->inline_slot;
}

void gb_requests_release(gb_run *run) {
  if (run->request != run->inline_request)
    free(run->request);
  if (run->slot != run->inline_slot)
    free(run->slot);
}

/* `array` was `used` elements of `size` bytes; a larger copy, or NULL. Frees the old one unless it was
 * inline. */
static void *larger(void *array, const void *built_in, unsigned used, unsigned capacity, size_t size) {
  void *copy = malloc(size * capacity);
  if (copy == NULL)
    return NULL;
  if (used > 0)
    memcpy(copy, array, size * used);
  if (array != built_in)
    free(array);
  return copy;
}

static bool grow(gb_run *run) {
  unsigned capacity = run->capacity * 2;
  MPI_Request *request = larger(run->request, run->inline_request, run->used, capacity, sizeof *request);
  if (request == NULL)
    return false;
  run->request = request;
  gb_slot *slot = larger(run->slot, run->inline_slot, run->used, capacity, sizeof *slot);
  if (slot == NULL)
    return false;
  run->slot = slot;
  run->capacity = capacity;
  return true;
}

MPI_Request *gb_requests_next(gb_run *run) {
  if (run->used == run->capacity && !grow(run))
    return NULL;
  return &run->request[run->used];
}

bool gb_slot_is_receive(const gb_slot *slot) {
  switch (slot->kind) {
  case GB_SLOT_RECEIVE:
  case GB_SLOT_DRAIN:
  case GB_SLOT_NEWS:
  case GB_SLOT_BLOCK_IN:
  case GB_SLOT_WORD_IN:
    return true;
  default:
    return false;
  }
}

static bool is_send(const gb_slot *slot) {
  switch (slot->kind) {
  case GB_SLOT_SEND:
  case GB_SLOT_TELL:
  case GB_SLOT_BLOCK_OUT:
  case GB_SLOT_WORD_OUT:
    return true;
  default:
    return false;
  }
}

/* Counts a slot that comes (1) or goes (-1). Nobody waits for a header to be heard. */
static void count(gb_run *run, const gb_slot *slot, int by) {
  if (gb_slot_is_receive(slot) || slot->kind == GB_SLOT_CLOSE)
    run->receives += (unsigned)by;
  if (slot->kind == GB_SLOT_DRAIN)
    run->drains += (unsigned)by;
  if (slot->kind == GB_SLOT_CLOSE)
    run->closing += (unsigned)by;
  if (is_send(slot))
    run->sends += (unsigned)by;
}

void gb_requests_add(gb_run *run, const gb_slot *slot) {
  run->slot[run->used] = *slot;
  if (gb_slot_is_receive(slot))
    run->slot[run->used].stamp = run->stamp++;
  run->used++;
  count(run, slot, 1);
}

int gb_requests_send(gb_run *run, enum gb_slot_kind kind, int to, int tag, const void *bytes, size_t length) {
  gb_slot slot = {.kind = kind, .peer = to, .copy = malloc(length + 1)};
  MPI_Request *request = gb_requests_next(run);
  int rc = MPI_ERR_NO_MEM;
  if (slot.copy != NULL && request != NULL) {
    if (length > 0)
      memcpy(slot.copy, bytes, length);
    rc = MPI_Isend(slot.copy, (int)length, MPI_BYTE, to, tag, run->w->comm, request);
  }
  if (rc == MPI_SUCCESS)
    gb_requests_add(run, &slot);
  else
    free(slot.copy);
  return rc;
}

void gb_requests_compact(gb_run *run) {
  for (unsigned i = 0; i < run->used;) {
    if (run->request[i] != MPI_REQUEST_NULL) {
      i++;
      continue;
    }
    count(run, &run->slot[i], -1);
    /* each copy has one slot, and a slot that is moved leaves none behind */
    free(run->slot[i].copy); // NOLINT(clang-analyzer-unix.Malloc)
    run->slot[i].copy = NULL;
    run->used--;
    run->request[i] = run->request[run->used];
    run->slot[i] = run->slot[run->used];
  }
}

/* The last receive that was posted before number `before`, of one flow or of all; or run->used. */
static unsigned last_receive(const gb_run *run, const uint32_t *flow, uint64_t before) {
  unsigned last = run->used;
  for (unsigned i = 0; i < run->used; i++) {
    const gb_slot *slot = &run->slot[i];
    const bool counts =
        flow != NULL ? slot->kind == GB_SLOT_RECEIVE && slot->flow == *flow : gb_slot_is_receive(slot);
    if (counts && run->request[i] != MPI_REQUEST_NULL && slot->stamp < before &&
        (last == run->used || slot->stamp > run->slot[last].stamp))
      last = i;
  }
  return last;
}

int gb_requests_take_back(gb_run *run, const uint32_t *flow) {
  int rc = MPI_SUCCESS;
  unsigned at = last_receive(run, flow, UINT64_MAX);
  while (rc == MPI_SUCCESS && at < run->used) {
    rc = MPI_Cancel(&run->request[at]);
    at = last_receive(run, flow, run->slot[at].stamp);
  }
  return rc;
}

void gb_requests_give_up(gb_run *run) {
  (void)gb_requests_take_back(run, NULL); /* they may be into the caller's buffer */
  for (unsigned i = 0; i < run->used; i++) {
    int done = 0;
    if (run->slot[i].kind == GB_SLOT_LISTEN) { /* it outlives the call */
      run->w->exec->listen[run->slot[i].ear] = run->request[i];
      run->request[i] = MPI_REQUEST_NULL;
      continue;
    }
    if (MPI_Test(&run->request[i], &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done)
      continue;
    if (gb_slot_is_receive(&run->slot[i])) /* what is on its way comes */
      (void)MPI_Wait(&run->request[i], MPI_STATUS_IGNORE);
    gb_orphan_keep(&run->w->exec->orphan, &run->request[i], run->slot[i].copy);
    run->slot[i].copy = NULL;
  }
  gb_requests_compact(run);
}
