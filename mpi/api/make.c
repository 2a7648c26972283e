/* Makes a call in one of its three forms, and what the program does with the handles of two of them. */
#include "mpi/api/collective.h"
#include "mpi/job/job.h"
#include <stdlib.h>
#include <string.h>

/* Perhaps after MPI_Finalize(), which has taken the types with it. */
static void free_handle(gb_handle *h) {
  int ended = 0;
  if (MPI_Finalized(&ended) == MPI_SUCCESS && !ended)
    gb_handle_free_types(h);
  free(h);
}

/* Those of the arguments' types that are looked at. What is sent in place is of the type that is received. */
static void set_types(gb_api_call *x) {
  const bool in_place = x->data.send.buf == MPI_IN_PLACE, sends = x->sizes.sends > 0;
  x->h.type[0] = sends && !in_place ? &x->data.send.type : NULL;
  x->h.type[1] = x->sizes.receives > 0 || (sends && in_place) ? &x->data.receive.type : NULL;
}

/* For the program to keep. */
static int copy(const gb_api_call *x, gb_handle **out) {
  gb_api_call *made = malloc(sizeof *made);
  if (made == NULL)
    return MPI_ERR_NO_MEM;
  memcpy(made, x, sizeof *x);
  atomic_init(&made->h.over, true);
  set_types(made);
  const int rc = gb_handle_keep_types(&made->h);
  if (rc != MPI_SUCCESS)
    free_handle(&made->h);
  else
    *out = &made->h;
  return rc;
}

static int make_handle(const gb_api_call *x, int rc, gb_how how) {
  gb_handle *made = NULL;
  if (how.handle != NULL)
    *how.handle = GBCAST_HANDLE_NULL;
  else if (rc == MPI_SUCCESS)
    rc = MPI_ERR_ARG;
  if (rc == MPI_SUCCESS)
    rc = copy(x, &made);
  if (rc != MPI_SUCCESS)
    return gb_raise(x->h.comm, rc);
  made->persistent = how.form == GB_CALL_LATER;
  *how.handle = made;
  if (!made->persistent && (rc = gb_handle_start(made)) != MPI_SUCCESS) {
    free_handle(made);
    *how.handle = GBCAST_HANDLE_NULL;
  }
  return rc;
}

/* On a communicator on which nothing is planned: the blocks that this rank sends and receives. One of one
 * rank is like any other; an inter-communicator is not. */
static int find_blocks(const gb_collective *what, const gb_arguments *a, gb_sizes *sizes) {
  int inter, rank, size, rc = MPI_Comm_test_inter(a->comm, &inter);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_rank(a->comm, &rank);
  if (rc == MPI_SUCCESS)
    rc = inter ? MPI_Comm_remote_size(a->comm, &size) : MPI_Comm_size(a->comm, &size);
  if (rc != MPI_SUCCESS)
    return rc;
  gb_count_blocks(a, what->flow, size, a->root == (inter ? MPI_ROOT : rank), sizes);
  return MPI_SUCCESS;
}

/* What is known of a call before it is planned, if somebody wants to know. */
static void begin_record(gb_api_call *x, const gb_arguments *a, gb_how how) {
  gb_comm_registry *list = x->h.c != NULL ? x->h.c->registry : gb_comm_list();
  const bool unknown = x->h.c != NULL && !x->h.c->set_up; /* the set-up will tell: gb_handle_call() */
  if (list != NULL)
    x->h.report = unknown ? list->report : gb_report_if_wanted(list->report);
  if (x->h.report != NULL)
    x->h.record = (gb_call_record){.kind = x->what->kind,
                                   .form = how.form,
                                   .own = !how.mpi,
                                   .root = a->root,
                                   .bytes = x->h.c != NULL ? x->sizes.block : gb_api_bytes(x->what, NULL, a)};
}

int gb_api_make(const gb_collective *what, const gb_arguments *a, gb_how how) {
  gb_api_call x = {.h = {.comm = a->comm,
                         .operation = what->operation,
                         .root = a->root,
                         .runs = what->runs,
                         .never_native = what->never_native,
                         .uneven = what->uneven,
                         .never_checked = what->sums == NULL,
                         .next = gb_api_call_next,
                         .native = gb_api_call_native,
                         .release = gb_api_call_release},
                   .what = what,
                   .data = {.send = a->send, .receive = a->receive, .op = a->op}};
  int rc = gb_comm_find(a->comm, NULL, &x.h.c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (x.h.c != NULL)
    rc = what->check(what, x.h.c, a, &x.sizes);
  else if (how.form == GB_CALL_LATER || a->send.counts != NULL || a->receive.counts != NULL)
    rc = find_blocks(what, a, &x.sizes);
  x.h.bytes = x.sizes.planned;
  x.h.always_native = x.sizes.native || (x.sizes.native_at_once && how.form != GB_CALL_BLOCKING);
  x.data.block = x.sizes.block;
  x.data.room = x.sizes.room;
  if (rc == MPI_SUCCESS)
    begin_record(&x, a, how);
  if (how.form != GB_CALL_BLOCKING)
    return make_handle(&x, rc, how);
  return rc != MPI_SUCCESS ? gb_raise(a->comm, rc) : gb_handle_call(&x.h);
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
  return gb_handle_start(h);
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
