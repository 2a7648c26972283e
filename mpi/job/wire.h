/* What a communicator and the executor that runs its schedules share: where the ranks are, and the private
 * communicator that carries the messages. */
#ifndef GB_MPI_JOB_WIRE_H
#define GB_MPI_JOB_WIRE_H

#include "platform/platform.h"
#include <mpi.h>
#include <stdatomic.h>
#include <stddef.h>

/* No message is larger than this, so that counts fit an int. */
#define GB_MESSAGE_MAX ((size_t)1 << 30)

/* Memory for packed copies, and for what a rank receives for others and passes on. Only MPI reads or writes
 * there, so it may be a device's. */
typedef struct gb_staging {
  void *(*get)(size_t bytes); /* NULL: there is none */
  void (*give_back)(void *block);
} gb_staging;

typedef struct gb_wire {
  MPI_Comm comm;  /* carries all messages of schedules; MPI_COMM_NULL until one is first run */
  MPI_Comm local; /* of this rank alone; returns errors: for MPI_Pack() and MPI_Unpack() */
  int rank, size;
  uint32_t *rank_host, *rank_k;     /* size; the endpoint of each rank */
  bool *near;                       /* size; whether the rank shares memory with this one. NULL: not known */
  uint32_t *host_ranks;             /* host_count: ranks on each host (gb_job) */
  uint32_t *host_first, *host_rank; /* the ranks of host h begin at host_rank[host_first[h]] */
  uint64_t number;                  /* of the next run, from 0; the same on every rank */
  int poison; /* the error class that every call returns after a run has failed; else MPI_SUCCESS */
  const gb_staging *staging; /* the host's memory (mpi/exec/types.h) */
  double *arrivals;       /* for benchmarks, else NULL: MPI_Wtime() when the last byte of each tree arrived */
  struct gb_watch *watch; /* GBCAST_TRACE: where transfers are noted (mpi/report/record.h); NULL: nowhere */
  struct gb_exec *exec;   /* the executor's own; NULL until a schedule is first run */
} gb_wire;

/* The rank at an endpoint. */
static inline int gb_wire_rank_of(const gb_wire *w, uint32_t host, uint32_t k) {
  return (int)w->host_rank[w->host_first[host] + k];
}

#endif
