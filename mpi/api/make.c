/* Makes a call in one of its three forms, and what the program does with the handles of two of them. */
#include "mpi/api/api.h"
#include "mpi/job/job.h"
#include <stdlib.h>
#include <string.h>

/* A call that cannot begin leaves nothing behind. Otherwise it is active. The error class, which has gone
 * through the error handler. */
static int begin(gb_handle *h) {
  const int rc = gb_handle_plan(h);
  if (rc != MPI_SUCCESS)
    return gb_raise(h->comm, rc);
  gb_handle_begin(h);
  if (h->over && h->code != MPI_SUCCESS)
    return gb_handle_release(h);
  h->active = true;
  gb_handle_list(h);
  return MPI_SUCCESS;
}

/* Perhaps after MPI_Finalize(), which has taken the types with it. */
static void free_handle(gb_handle *h) {
  int ended = 0;
  if (MPI_Finalized(&ended) == MPI_SUCCESS && !ended)
    gb_handle_free_types(h);
  free(h);
}

/* For the program to keep. */
static int copy(const gb_handle *h, size_t size, gb_handle **out) {
  gb_handle *made = malloc(size);
  if (made == NULL)
    return MPI_ERR_NO_MEM;
  memcpy(made, h, size);
  atomic_init(&made->over, true);
  for (int i = 0; i < GB_TYPES_MOST; i++) /* in the copy */
    if (h->type[i] != NULL)
      made->type[i] = (MPI_Datatype *)(void *)((char *)made + ((const char *)h->type[i] - (const char *)h));
  const int rc = gb_handle_keep_types(made);
  if (rc != MPI_SUCCESS)
    free_handle(made);
  else
    *out = made;
  return rc;
}

int gb_api_make(gb_handle *h, size_t size, int rc, gb_how how) {
  if (how.form == GB_API_BLOCKING) {
    if (rc == MPI_SUCCESS && h->c != NULL)
      gb_handle_progress_all(h->c->registry);
    if (rc == MPI_SUCCESS)
      rc = gb_handle_plan(h);
    return rc != MPI_SUCCESS ? gb_raise(h->comm, rc) : gb_handle_call(h);
  }
  if (how.handle != NULL)
    *how.handle = GBCAST_HANDLE_NULL;
  else if (rc == MPI_SUCCESS)
    rc = MPI_ERR_ARG;
  gb_handle *made = NULL;
  if (rc == MPI_SUCCESS)
    rc = copy(h, size, &made);
  if (rc != MPI_SUCCESS)
    return gb_raise(h->comm, rc);
  made->persistent = how.form == GB_API_LATER;
  *how.handle = made;
  if (!made->persistent && (rc = begin(made)) != MPI_SUCCESS) {
    free_handle(made);
    *how.handle = GBCAST_HANDLE_NULL;
  }
  return rc;
}

/* The call is over: it is as before gbcast_start(), or gone. */
static int complete(gbcast_handle *handle) {
  gb_handle *h = *handle;
  const int rc = gb_handle_release(h);
  h->active = false;
  if (!h->persistent) {
    free_handle(h);
    *handle = GBCAST_HANDLE_NULL;
  }
  return rc;
}

int gbcast_test(gbcast_handle *handle, int *flag) {
  if (handle == NULL || flag == NULL)
    return MPI_ERR_ARG;
  *flag = *handle == GBCAST_HANDLE_NULL || !(*handle)->active || gb_handle_test(*handle);
  return *flag && *handle != GBCAST_HANDLE_NULL && (*handle)->active ? complete(handle) : MPI_SUCCESS;
}

int gbcast_wait(gbcast_handle *handle) {
  int done = 0, rc = gbcast_test(handle, &done);
  while (rc == MPI_SUCCESS && !done) {
    gb_machine_pause();
    rc = gbcast_test(handle, &done);
  }
  return rc;
}

int gbcast_waitall(int n, gbcast_handle handles[]) {
  int rc = MPI_SUCCESS;
  if (n < 0)
    return MPI_ERR_COUNT;
  if (n > 0 && handles == NULL)
    return MPI_ERR_ARG;
  for (int i = 0; i < n; i++) { /* of all, whatever becomes of one */
    const int one = gbcast_wait(&handles[i]);
    rc = rc == MPI_SUCCESS ? one : rc;
  }
  return rc;
}

int gbcast_start(gbcast_handle *handle) {
  gb_handle *h = handle != NULL ? *handle : GBCAST_HANDLE_NULL;
  if (h == GBCAST_HANDLE_NULL || !h->persistent || h->active)
    return MPI_ERR_REQUEST;
  return begin(h);
}

int gbcast_handle_free(gbcast_handle *handle) {
  if (handle == NULL || *handle == GBCAST_HANDLE_NULL)
    return MPI_ERR_REQUEST;
  gb_handle *h = *handle;
  const int rc =
      h->active ? gbcast_wait(handle) : MPI_SUCCESS; /* a message may be under way into its buffer */
  if (*handle != GBCAST_HANDLE_NULL)                 /* which is persistent */
    free_handle(h);
  *handle = GBCAST_HANDLE_NULL;
  return rc;
}
