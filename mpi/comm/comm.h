/* All that the library knows about a communicator. It is an attribute of the communicator and is freed with
 * it. A call takes up to three steps:
 *
 *   gb_comm_find     local                       before the arguments are checked
 *   gb_comm_enter    collective the first time   rank 0 sends the inputs to all ranks
 *   gb_comm_planned  collective the first time   makes the duplicate, when a planned schedule is run */
#ifndef GB_MPI_COMM_COMM_H
#define GB_MPI_COMM_COMM_H

#include "mpi/comm/cache.h"
#include "mpi/comm/plans.h"
#include "mpi/comm/settings.h"
#include "mpi/exec/header.h"
#include "mpi/exec/news.h"
#include "platform/platform.h"
#include <mpi.h>

typedef struct gb_offers gb_offers;
typedef struct gb_watch gb_watch;

typedef struct gb_past { /* what a call was, for headers that come after it */
  uint64_t sequence, hash, bytes;
  bool agreeing, failed;
} gb_past;
enum { GB_PAST = 64 };

typedef struct gb_comm {
  struct gb_registry *registry;    /* the list of the process's communicators */
  struct gb_comm *previous, *next; /* in that list */
  MPI_Comm user;
  MPI_Comm dup; /* carries all traffic of plans; MPI_COMM_NULL until one is first run */
  int rank, size;
  bool set_up;       /* what follows is known */
  enum gb_left left; /* why all calls are passed on to MPI, if they are */
  unsigned refused;  /* preloaded library: a bit for each operation that is passed on to MPI because the
                        settings or the hosts file cannot be used */
  int poison;        /* error class that every call returns after MPI has failed in one; else MPI_SUCCESS */
  uint64_t turn;     /* MPI_Finalize closes communicators in ascending order, the same on every rank */
  int verbose;
  bool check;       /* GBCAST_CHECK */
  double *arrivals; /* for benchmarks, else NULL: MPI_Wtime() when the last byte of each tree arrived */
  uint64_t segment;
  uint32_t lanes;
  char *inter, *intra, *sync;
  gb_plans plans;                   /* GBCAST_PLAN */
  gb_overrides overrides;           /* rank 0: what gbcast_setup() was given */
  gbcast_platform *platform;        /* plans are made from it: `base` or later news (epoch.h) */
  gbcast_platform *base;            /* of the set-up */
  uint32_t *rank_host, *rank_k;     /* size; the endpoint of each rank */
  bool *near;                       /* size; whether the rank shares memory with this one. NULL: not known */
  uint32_t *host_ranks;             /* host_count: ranks on each host (gb_job) */
  uint32_t *host_first, *host_rank; /* the ranks of host h begin at host_rank[host_first[h]] */
  uint64_t sequence;                /* number of the next call, from 1; the same on every rank */
  uint64_t doubt;                   /* the last call that is known to have failed, or 0. Plans that ranks
                                       agreed on before it have to be agreed on again */
  uint64_t since;                   /* the call that announced the news in `platform` */
  uint32_t epoch;                   /* number of the last news, or 0 */
  gbcast_platform *coming;          /* platform from the next call on, or NULL */
  uint64_t coming_since;            /* the call that announced it */
  gb_news ready;                    /* to be announced when this rank is the root */
  gb_news offered;                  /* news that rank 0 is sending to this rank */
  MPI_Request offer;                /* receives them */
  gb_offers *offers;                /* rank 0: news that it is sending to other ranks */
  gb_watch *watch;                  /* rank 0: GBCAST_REFRESH, or NULL */
  gb_past past[GB_PAST];
  gb_cache cache;
  MPI_Request listen[GB_EARS]; /* receives for headers from any rank, always posted after the first call */
  gb_header heard[GB_EARS];    /* the headers that they receive */
  struct gb_early *early;      /* headers of calls that this rank has not begun yet */
  struct gb_orphan *orphan;    /* sends of failed calls that are not complete */
} gb_comm;

/* Finds the gb_comm of `comm`, or makes it; local. *out is NULL when calls are passed on to MPI: for an
 * inter-communicator, for one rank, without MPI_COMM_WORLD, or with another MPI library. preload: of the
 * preloaded library, or NULL. Errors have gone through the error handler. */
int gb_comm_find(MPI_Comm comm, gb_preload *preload, gb_comm **out);

/* Begins a call with right arguments; collective the first time. After MPI_SUCCESS the inputs are there, or
 * c->left says why the call is passed on to MPI. Otherwise it returns an error class that has not been
 * raised: the set-up failed, on all ranks alike, or the communicator is poisoned. With the preloaded library
 * a failed set-up is no error: calls are passed on to MPI, and the reason is printed once (gb_preload). */
int gb_comm_enter(gb_comm *c);

/* Whether the role is run, and not MPI's own collective. The first time for which it is, the call is
 * collective: it makes the duplicate. bytes: of the message or block. */
bool gb_comm_planned(gb_comm *c, const gb_role *role, size_t bytes);

/* Collective: frees what is known about `comm` and sets it up again with these overrides, which it takes
 * over. Communicators of one rank are set up, too. */
int gb_comm_renew(MPI_Comm comm, gb_overrides *overrides);

/* Collective the first time: as gb_comm_find() and gb_comm_enter(), but also for one rank. */
int gb_comm_any(MPI_Comm comm, gb_comm **out);

/* Rank 0: prints why something cannot be done, or why calls are passed on to MPI. */
void gb_comm_complain(const gb_comm *c, const char *why);
void gb_comm_tell_left(const gb_comm *c);

/* The gb_comm of `comm`, or NULL. */
gb_comm *gb_comm_known(MPI_Comm comm);

/* A communicator of this rank alone that returns errors, for MPI_Pack() and MPI_Unpack(). */
MPI_Comm gb_comm_local(const gb_comm *c);

/* The entry of a call. It may still hold a much older call, or none (sequence 0). */
static inline gb_past *gb_comm_past(gb_comm *c, uint64_t sequence) {
  return &c->past[sequence % GB_PAST];
}

/* The rank at an endpoint. */
int gb_comm_rank_of(const gb_comm *c, uint32_t host, uint32_t k);

#endif
