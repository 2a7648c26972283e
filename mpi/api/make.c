/* Makes a call in one of its three forms, and what the program does with the handles of two of them. */
#include "mpi/api/api.h"
#include "mpi/job/job.h"
#include <stdlib.h>
#include <string.h>

/* A call that cannot begin is over at once, with nothing to be released. */
static int begin(gb_handle *h) {
  const int rc = h->start(h);
  if (rc == MPI_SUCCESS)
    gb_handle_begin(h);
  return rc;
}

static MPI_Datatype *type_of(gb_handle *h, int i) {
  return h->type_at[i] > 0 ? (MPI_Datatype *)((char *)h + h->type_at[i]) : NULL;
}

/* Sets *derived where the program may free the type before the call is over. */
static int is_derived(const MPI_Datatype *type, bool *derived) {
  bool named = true;
  const int rc = type != NULL && *type != MPI_DATATYPE_NULL ? gb_type_is_named(*type, &named) : MPI_SUCCESS;
  *derived = !named;
  return rc;
}

/* Duplicates these types. After an error the call has none of its own. */
static int keep_types(gb_handle *h) {
  int rc = MPI_SUCCESS;
  for (int i = 0; i < 2; i++) {
    MPI_Datatype *type = type_of(h, i);
    bool derived = false;
    if (rc == MPI_SUCCESS)
      rc = is_derived(type, &derived);
    if (rc == MPI_SUCCESS && derived)
      rc = MPI_Type_dup(*type, type);
    h->keeps[i] = rc == MPI_SUCCESS && derived;
  }
  return rc;
}

static void free_handle(gb_handle *h) {
  for (int i = 0; i < 2; i++)
    if (h->keeps[i])
      (void)MPI_Type_free(type_of(h, i));
  free(h);
}

int gb_api_make(gb_handle *h, size_t size, int rc, gb_how how) {
  if (how.form == GB_API_BLOCKING) {
    if (rc == MPI_SUCCESS && h->c != NULL)
      gb_handle_progress_all(h->c->registry);
    if (rc == MPI_SUCCESS)
      rc = h->start(h);
    if (rc != MPI_SUCCESS)
      return gb_raise(h->comm, rc);
    if (h->schedule == NULL && !h->checked)
      return h->own_blocking(h);
    if (h->schedule != NULL && (rc = gb_versions_step(h->c)) != MPI_SUCCESS)
      return gb_raise(h->comm, gb_handle_refuse(h, rc));
    gb_handle_begin(h);
    return gb_handle_wait(h);
  }
  if (how.handle != NULL)
    *how.handle = GBCAST_HANDLE_NULL;
  else if (rc == MPI_SUCCESS)
    rc = MPI_ERR_ARG;
  gb_handle *copy = rc == MPI_SUCCESS ? malloc(size) : NULL;
  if (copy == NULL)
    return gb_raise(h->comm, rc == MPI_SUCCESS ? MPI_ERR_NO_MEM : rc);
  memcpy(copy, h, size);
  atomic_init(&copy->over, true);
  copy->persistent = how.form == GB_API_LATER;
  copy->active = !copy->persistent;
  rc = keep_types(copy);
  if (rc == MPI_SUCCESS && copy->active)
    rc = begin(copy);
  if (rc != MPI_SUCCESS) {
    free_handle(copy);
    return gb_raise(h->comm, rc);
  }
  *how.handle = copy;
  if (copy->active)
    gb_handle_list(copy);
  return MPI_SUCCESS;
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
  const int rc = begin(h);
  if (rc != MPI_SUCCESS)
    return gb_raise(h->comm, rc);
  h->active = true;
  gb_handle_list(h);
  return MPI_SUCCESS;
}

int gbcast_handle_free(gbcast_handle *handle) {
  if (handle == NULL || *handle == GBCAST_HANDLE_NULL)
    return MPI_ERR_REQUEST;
  int rc = MPI_SUCCESS;
  if ((*handle)->active) /* a message may be under way into its buffer */
    rc = gbcast_wait(handle);
  if (*handle != GBCAST_HANDLE_NULL) /* it is persistent: any other is gone when it has ended */
    free_handle(*handle);
  *handle = GBCAST_HANDLE_NULL;
  return rc;
}
