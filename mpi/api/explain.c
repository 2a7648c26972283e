/* gbcast_explain() and its relatives, one for each operation. */
#include "mpi/api/collective.h"
#include "mpi/comm/comm.h"
#include "mpi/job/job.h"
#include <gbcast/gbcast.h>
#include <stdlib.h>
#include <string.h>

/* Every rank plans by itself, as it does for a call. */
static int print_plan(gb_comm *c, enum gbcast_operation operation, size_t bytes, int root, char **text) {
  gbcast_plan *plan = NULL;
  gb_version_take(c);
  int rc = gb_decide(c, operation, bytes, root, &plan);
  if (rc != MPI_SUCCESS)
    return rc;
  char *written = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&written, &length);
  bool ok = out != NULL && gbcast_plan_print(plan, GBCAST_TEXT, out) == GBCAST_OK;
  if (out != NULL && fclose(out) != 0)
    ok = false;
  gbcast_plan_free(plan);
  if (!ok) {
    free(written);
    return MPI_ERR_NO_MEM;
  }
  *text = written;
  return MPI_SUCCESS;
}

/* NULL: no memory. */
static char *left_to_mpi(const gb_comm *c) {
  const char *why = c != NULL ? gb_left_why(c->left)
                              : "an inter-communicator, a program without MPI_Init(), or another MPI library";
  static const char rest[] = ": MPI's own collective is run.\n";
  const size_t length = strlen(why) + sizeof rest;
  char *text = malloc(length);
  if (text != NULL)
    (void)snprintf(text, length, "%s%s", why, rest);
  return text;
}

static int explain(MPI_Comm comm, enum gbcast_operation operation, size_t bytes, int root, char **text) {
  gb_comm *c;
  int rc = gb_comm_any(comm, &c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (text == NULL)
    return gb_raise(comm, MPI_ERR_ARG);
  if (c == NULL || c->left != GB_PASSED_NOT) {
    *text = left_to_mpi(c);
    return gb_raise(comm, *text != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM);
  }
  rc = gb_check_root(c, root);
  return gb_raise(comm, rc != MPI_SUCCESS ? rc : print_plan(c, operation, bytes, root, text));
}

int gbcast_explain(MPI_Comm comm, size_t n, int root, char **text) {
  return explain(comm, GBCAST_BCAST, n, root, text);
}

int gbcast_explain_scatter(MPI_Comm comm, size_t block, int root, char **text) {
  return explain(comm, GBCAST_SCATTER, block, root, text);
}

int gbcast_explain_gather(MPI_Comm comm, size_t block, int root, char **text) {
  return explain(comm, GBCAST_GATHER, block, root, text);
}

int gbcast_explain_allgather(MPI_Comm comm, size_t n, char **text) {
  return explain(comm, GBCAST_ALLGATHER, n, 0, text);
}

int gbcast_explain_barrier(MPI_Comm comm, char **text) {
  return explain(comm, GBCAST_BARRIER, 1, 0, text);
}

int gbcast_explain_alltoall(MPI_Comm comm, size_t block, char **text) {
  return explain(comm, GBCAST_ALLTOALL, block, 0, text);
}

int gbcast_explain_reduce(MPI_Comm comm, size_t n, int root, char **text) {
  return explain(comm, GBCAST_REDUCE, n, root, text);
}

int gbcast_explain_allreduce(MPI_Comm comm, size_t n, char **text) {
  return explain(comm, GBCAST_ALLREDUCE, n, 0, text);
}

int gbcast_explain_reduce_scatter_block(MPI_Comm comm, size_t n, char **text) {
  return explain(comm, GBCAST_REDUCE_SCATTER, n, 0, text);
}
