/* Compares the hashes of all ranks. */
#include "mpi/exec/agree.h"
#include "mpi/exec/requests.h"

/* The complement of the greatest complement is the least. */
int gb_run_agree(gb_run *run, uint64_t hash) {
  MPI_Request *handle = gb_requests_next(run);
  if (handle == NULL)
    return MPI_ERR_NO_MEM;
  run->hash[0] = hash;
  run->hash[1] = ~hash;
  int rc = MPI_Iallreduce(run->hash, run->greatest, 2, MPI_UINT64_T, MPI_MAX, run->w->comm, handle);
  if (rc != MPI_SUCCESS)
    return rc;
  run->tag = gb_first_tag(run->w->exec, run->number, hash);
  run->agreeing = true;
  gb_requests_add(run, &(gb_request){.kind = GB_REQUEST_AGREE});
  return MPI_SUCCESS;
}

int gb_agree_done(gb_run *run) {
  run->agreeing = false;
  run->differs = run->greatest[0] != ~run->greatest[1];
  return run->differs ? MPI_ERR_ARG : MPI_SUCCESS;
}

int gb_agree_wait(gb_run *run) {
  unsigned at = 0;
  while (run->request[at].kind != GB_REQUEST_AGREE)
    at++;
  const int rc = MPI_Wait(&run->handle[at], MPI_STATUS_IGNORE);
  return rc == MPI_SUCCESS ? gb_agree_done(run) : rc;
}
