/* The outstanding requests of a run, in two arrays side by side. */
#include "mpi/exec/requests.h"
#include <stdlib.h>
#include <string.h>

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

gb_request *gb_requests_add(gb_run *run, uint32_t channel, size_t length) {
  gb_cursor *cursor = &run->cursor[channel];
  gb_request *request = &run->request[run->used++];
  *request = (gb_request){.channel = channel, .offset = cursor->posted, .length = length};
  request->stamp = run->stamp++;
  if (run->w->watch != NULL && cursor->posted == 0)
    cursor->start = MPI_Wtime();
  cursor->posted += length;
  cursor->in_flight++;
  return request;
}

static void free_copy(const gb_run *run, unsigned at) {
  if (run->request[at].copy != NULL)
    run->w->staging->give_back(run->request[at].copy);
}

void gb_requests_remove(gb_run *run, unsigned at) {
  free_copy(run, at);
  run->used--;
  run->handle[at] = run->handle[run->used];
  run->request[at] = run->request[run->used];
}

static bool is_receive(const gb_run *run, const gb_request *request) {
  return run->schedule->channel[request->channel].direction == GB_RECEIVE;
}

/* The last receive that was posted before number `before`; or run->used. */
static unsigned last_receive(const gb_run *run, uint64_t before) {
  unsigned last = run->used;
  for (unsigned i = 0; i < run->used; i++)
    if (is_receive(run, &run->request[i]) && run->handle[i] != MPI_REQUEST_NULL &&
        run->request[i].stamp < before &&
        (last == run->used || run->request[i].stamp > run->request[last].stamp))
      last = i;
  return last;
}

/* Cancels all receives, the last one posted first. So a message that arrives meanwhile matches the receive
 * that was meant for it, and is not too long for a later one, which in MPICH would end a program whose
 * MPI_COMM_WORLD has the usual error handler. */
static void take_back(gb_run *run) {
  unsigned at = last_receive(run, UINT64_MAX);
  while (at < run->used && MPI_Cancel(&run->handle[at]) == MPI_SUCCESS)
    at = last_receive(run, run->request[at].stamp);
}

bool gb_requests_give_up(gb_run *run, bool ranks_differ) {
  bool all = true;
  if (!run->given_up)
    take_back(run);
  run->given_up = true;
  for (unsigned i = run->used; i > 0; i--) {
    const gb_request *request = &run->request[i - 1];
    const bool must_end =
        is_receive(run, request) || (request->copy == NULL && request->length > 0 && !ranks_differ);
    int done = 0, rc = MPI_SUCCESS;
    if (run->handle[i - 1] != MPI_REQUEST_NULL)
      rc = MPI_Test(&run->handle[i - 1], &done, MPI_STATUS_IGNORE);
    if (rc != MPI_SUCCESS && must_end) /* there is no other way left */
      (void)MPI_Wait(&run->handle[i - 1], MPI_STATUS_IGNORE);
    if (run->handle[i - 1] == MPI_REQUEST_NULL)
      gb_requests_remove(run, i - 1);
    else if (must_end && rc == MPI_SUCCESS)
      all = false;
  }
  return all;
}

/* What is not complete stays with MPI, as the communicator does, with the copy that it may still read. */
bool gb_requests_drop(gb_run *run) {
  bool all = true;
  for (unsigned i = 0; i < run->used; i++) {
    int done = 0;
    if (MPI_Test(&run->handle[i], &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done)
      free_copy(run, i);
    else
      all = false;
  }
  return all;
}
