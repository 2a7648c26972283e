/* The outstanding requests of a run, in two arrays side by side. */
#include "mpi/exec/requests.h"
#include "mpi/exec/orphan.h"
#include <stdlib.h>
#include <string.h>

void gb_requests_init(gb_run *run) {
  run->used = run->receives = run->drains = run->closing = run->sends = 0;
  run->capacity = GB_RUN_INLINE;
  run->handle = run->inline_handle;
  run->request = run->inline_request;
}

void gb_requests_release(gb_run *run) {
  if (run->handle != run->inline_handle)
    free(run->handle);
  if (run->request != run->inline_request)
    free(run->request);
}

/* A copy of `array` (`used` elements of `size` bytes) with more capacity, or NULL. Frees the old one unless
 * it was inline. */
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
  MPI_Request *handle = larger(run->handle, run->inline_handle, run->used, capacity, sizeof *handle);
  if (handle == NULL)
    return false;
  run->handle = handle;
  gb_request *request = larger(run->request, run->inline_request, run->used, capacity, sizeof *request);
  if (request == NULL)
    return false;
  run->request = request;
  run->capacity = capacity;
  return true;
}

MPI_Request *gb_requests_next(gb_run *run) {
  if (run->used == run->capacity && !grow(run))
    return NULL;
  return &run->handle[run->used];
}

bool gb_request_is_receive(const gb_request *request) {
  switch (request->kind) {
  case GB_REQUEST_RECEIVE:
  case GB_REQUEST_DRAIN:
  case GB_REQUEST_UPDATE_IN:
  case GB_REQUEST_BLOCK_IN:
  case GB_REQUEST_SYNC_IN:
    return true;
  default:
    return false;
  }
}

static bool is_send(const gb_request *request) {
  switch (request->kind) {
  case GB_REQUEST_SEND:
  case GB_REQUEST_UPDATE_OUT:
  case GB_REQUEST_BLOCK_OUT:
  case GB_REQUEST_SYNC_OUT:
    return true;
  default:
    return false;
  }
}

/* Counts a request that is added (1) or removed (-1). Nobody waits for headers to be sent. */
static void count(gb_run *run, const gb_request *request, int by) {
  if (gb_request_is_receive(request) || request->kind == GB_REQUEST_CLOSE)
    run->receives += (unsigned)by;
  if (request->kind == GB_REQUEST_DRAIN)
    run->drains += (unsigned)by;
  if (request->kind == GB_REQUEST_CLOSE)
    run->closing += (unsigned)by;
  if (is_send(request))
    run->sends += (unsigned)by;
}

void gb_requests_add(gb_run *run, const gb_request *request) {
  run->request[run->used] = *request;
  if (gb_request_is_receive(request))
    run->request[run->used].stamp = run->stamp++;
  run->used++;
  count(run, request, 1);
}

int gb_requests_send(gb_run *run, enum gb_request_kind kind, int to, int tag, const void *bytes,
                     size_t length) {
  gb_request request = {.kind = kind, .peer = to, .copy = malloc(length + 1)};
  MPI_Request *handle = gb_requests_next(run);
  int rc = MPI_ERR_NO_MEM;
  if (request.copy != NULL && handle != NULL) {
    if (length > 0)
      memcpy(request.copy, bytes, length);
    rc = MPI_Isend(request.copy, (int)length, MPI_BYTE, to, tag, run->w->comm, handle);
  }
  if (rc == MPI_SUCCESS)
    gb_requests_add(run, &request);
  else
    free(request.copy);
  return rc;
}

void gb_requests_compact(gb_run *run) {
  for (unsigned i = 0; i < run->used;) {
    if (run->handle[i] != MPI_REQUEST_NULL) {
      i++;
      continue;
    }
    count(run, &run->request[i], -1);
    /* each copy has one request, and a request that is moved leaves none behind */
    free(run->request[i].copy); // NOLINT(clang-analyzer-unix.Malloc)
    run->request[i].copy = NULL;
    run->used--;
    run->handle[i] = run->handle[run->used];
    run->request[i] = run->request[run->used];
  }
}

/* The last receive that was posted before number `before`, of one stream or of all; or run->used. */
static unsigned last_receive(const gb_run *run, const uint32_t *stream, uint64_t before) {
  unsigned last = run->used;
  for (unsigned i = 0; i < run->used; i++) {
    const gb_request *request = &run->request[i];
    const bool counts = stream != NULL ? request->kind == GB_REQUEST_RECEIVE && request->stream == *stream
                                       : gb_request_is_receive(request);
    if (counts && run->handle[i] != MPI_REQUEST_NULL && request->stamp < before &&
        (last == run->used || request->stamp > run->request[last].stamp))
      last = i;
  }
  return last;
}

int gb_requests_take_back(gb_run *run, const uint32_t *stream) {
  int rc = MPI_SUCCESS;
  unsigned at = last_receive(run, stream, UINT64_MAX);
  while (rc == MPI_SUCCESS && at < run->used) {
    rc = MPI_Cancel(&run->handle[at]);
    at = last_receive(run, stream, run->request[at].stamp);
  }
  return rc;
}

void gb_requests_give_up(gb_run *run) {
  (void)gb_requests_take_back(run, NULL); /* they may be into the caller's buffer */
  for (unsigned i = 0; i < run->used; i++) {
    int done = 0;
    if (run->request[i].kind == GB_REQUEST_LISTEN) { /* it outlives the call */
      run->w->exec->listen[run->request[i].ear] = run->handle[i];
      run->handle[i] = MPI_REQUEST_NULL;
      continue;
    }
    if (MPI_Test(&run->handle[i], &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done)
      continue;
    if (gb_request_is_receive(&run->request[i])) /* a message on its way will arrive */
      (void)MPI_Wait(&run->handle[i], MPI_STATUS_IGNORE);
    gb_orphan_keep(&run->w->exec->orphan, &run->handle[i], run->request[i].copy);
    run->request[i].copy = NULL;
  }
  gb_requests_compact(run);
}
