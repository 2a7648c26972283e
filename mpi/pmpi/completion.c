/* Requests of MPI that this process completes itself. */
#include "mpi/pmpi/completion.h"
#include <stdlib.h>

#ifdef OPEN_MPI

/* A generalized request. A receive would do as well, if it were not for MPI_Waitall() of Open MPI 4.1: with
 * threads it never returns when a receive has failed before. */
struct gb_completion {
  MPI_Request request;
  int code;
};

static int query(void *extra, MPI_Status *status) {
  const gb_completion *c = extra;
  (void)PMPI_Status_set_elements(status, MPI_BYTE, 0);
  (void)PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  status->MPI_ERROR = c->code;
  return c->code;
}

/* Once it is complete, and the program has freed or waited for it. */
static int release(void *extra) {
  free(extra);
  return MPI_SUCCESS;
}

static int cancel(void *extra, int complete) { /* collectives cannot be cancelled */
  (void)extra;
  (void)complete;
  return MPI_SUCCESS;
}

int gb_completion_open(gb_dropin *d, gb_completion **out, MPI_Request *request) {
  (void)d;
  gb_completion *c = *out = calloc(1, sizeof *c);
  if (c == NULL)
    return MPI_ERR_NO_MEM;
  const int rc = PMPI_Grequest_start(query, release, cancel, c, &c->request);
  *request = c->request;
  if (rc != MPI_SUCCESS)
    free(c);
  return rc;
}

void gb_completion_end(gb_completion *c, int code) {
  c->code = code;
  (void)PMPI_Grequest_complete(c->request);
}

#else

/* The receive of an empty message from this process. A generalized request would do as well, if it were not
 * for MPI_Waitall() of MPICH 4.0: it ends the program when one is not complete. */
struct gb_completion {
  MPI_Comm comm;
  int rank, tag;
};

/* Of no other request. */
static int next_tag(gb_dropin *d) {
  return (int)(atomic_fetch_add_explicit(&d->requests, 1, memory_order_relaxed) %
               ((unsigned)d->tag_most + 1));
}

int gb_completion_open(gb_dropin *d, gb_completion **out, MPI_Request *request) {
  gb_completion *c = *out = malloc(sizeof *c);
  if (c == NULL)
    return MPI_ERR_NO_MEM;
  *c = (gb_completion){.comm = d->preload.requests, .tag = next_tag(d)};
  int rc = PMPI_Comm_rank(c->comm, &c->rank);
  if (rc == MPI_SUCCESS)
    rc = PMPI_Irecv(NULL, 0, MPI_BYTE, c->rank, c->tag, c->comm, request);
  if (rc != MPI_SUCCESS)
    free(c);
  return rc;
}

/* A message that is too long is an error. */
void gb_completion_end(gb_completion *c, int code) {
  (void)PMPI_Send(&(char){0}, code != MPI_SUCCESS, MPI_BYTE, c->rank, c->tag, c->comm);
  free(c);
}

#endif
