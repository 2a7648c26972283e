/* What a communicator and the executor that runs its plans share: where the ranks are, the duplicate that
 * carries the messages, and which calls there have been. */
#ifndef GB_MPI_JOB_WIRE_H
#define GB_MPI_JOB_WIRE_H

#include "platform/platform.h"
#include <mpi.h>
#include <stddef.h>

/* No message is larger than this, so that counts fit an int. */
#define GB_MESSAGE_MAX ((size_t)1 << 30)

typedef struct gb_news {
  uint32_t epoch; /* from 1 */
  size_t length;
  char *bytes; /* a block of gb_inputs; NULL: none */
} gb_news;

/* What the owner of a wire does with news, which the executor only carries. */
typedef struct gb_news_reader {
  /* Of a block; 0: it was damaged on its way. */
  uint32_t (*epoch)(const char *bytes, size_t length);
  /* Reads news, and sets their epoch. An error class. */
  int (*read)(const void *owner, gb_news *news, gbcast_platform **out);
  /* They are what the next call is planned from; takes the platform over. `told_in`: the number of the call.
   */
  void (*keep)(void *owner, uint32_t epoch, gbcast_platform *platform, uint64_t told_in);
} gb_news_reader;

typedef struct gb_wire {
  MPI_Comm comm;  /* carries all traffic of plans; MPI_COMM_NULL until one is first run */
  MPI_Comm local; /* of this rank alone; returns errors: for MPI_Pack() and MPI_Unpack() */
  int rank, size;
  uint32_t *rank_host, *rank_k;     /* size; the endpoint of each rank */
  bool *near;                       /* size; whether the rank shares memory with this one. NULL: not known */
  uint32_t *host_ranks;             /* host_count: ranks on each host (gb_job) */
  uint32_t *host_first, *host_rank; /* the ranks of host h begin at host_rank[host_first[h]] */
  uint64_t sequence;                /* number of the next call, from 1; the same on every rank */
  uint64_t doubt;                   /* the last call that is known to have failed, or 0. Plans that ranks
                                       agreed on before it have to be agreed on again */
  int poison;       /* error class that every call returns after MPI has failed in one; else MPI_SUCCESS */
  double *arrivals; /* for benchmarks, else NULL: MPI_Wtime() when the last byte of each tree arrived */
  uint32_t epoch;   /* number of the last news, or 0 */
  gb_news ready;    /* to be announced when this rank is the root */
  void *owner;      /* with `reader` */
  const gb_news_reader *reader;
  struct gb_exec *exec;                /* the executor's own; NULL until a plan is first run */
  void (*close)(struct gb_wire *wire); /* the executor's end, collective; NULL as `exec` */
} gb_wire;

/* The rank at an endpoint. */
static inline int gb_wire_rank_of(const gb_wire *w, uint32_t host, uint32_t k) {
  return (int)w->host_rank[w->host_first[host] + k];
}

#endif
