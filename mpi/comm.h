/* All that the library knows about a communicator. It hangs off the communicator and is freed with it.
 *
 *   first call          gb_comm_find    local: nothing is sent before the arguments were looked at
 *   right arguments     gb_comm_enter   collective, once: rank 0 sends all ranks the same inputs
 *   a planned schedule  gb_comm_planned collective, once: the duplicate that carries its messages   */
#ifndef GB_MPI_COMM_H
#define GB_MPI_COMM_H

#include "mpi/cache.h"
#include "mpi/header.h"
#include "mpi/news.h"
#include "mpi/plans.h"
#include "mpi/settings.h"
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
  struct gb_registry *registry;    /* the list of those alive, by their turns */
  struct gb_comm *previous, *next; /* in that list */
  MPI_Comm user;
  MPI_Comm dup; /* carries all traffic of plans; MPI_COMM_NULL until one is first run */
  int rank, size;
  bool set_up;       /* all below is known */
  enum gb_left left; /* to MPI: why every call is passed on */
  unsigned refused;  /* overrides.preload: a bit for each operation for which something is wrong with the
                        settings or the hosts file, all of them where all is left to MPI for that reason */
  int poison;        /* the error class of a call in which MPI failed us: what every later call returns */
  uint64_t turn;     /* MPI_Finalize closes those of least turn first: the same order on every rank */
  int verbose;
  bool check;       /* GBCAST_CHECK */
  double *arrivals; /* of who measures, else NULL: MPI_Wtime() when the last byte of each tree came */
  uint64_t segment;
  uint32_t lanes;
  char *inter, *intra, *sync;
  gb_plans plans;                   /* GBCAST_PLAN */
  gb_overrides overrides;           /* rank 0: what gbcast_setup() was given */
  gbcast_platform *platform;        /* that plans are made from: */
  gbcast_platform *base;            /* of the set-up, or later news (epoch.h) */
  uint32_t *rank_host, *rank_k;     /* size; the endpoint of each rank */
  bool *near;                       /* size: ranks that share memory with this one; NULL: not known */
  uint32_t *host_ranks;             /* host_count: ranks on each host (gb_job) */
  uint32_t *host_first, *host_rank; /* ranks of host h: host_rank[host_first[h]] and on */
  uint64_t sequence;                /* of the next call, from 1: the same on every rank */
  uint64_t doubt;                   /* the last call that is known to have failed: what ranks had agreed on
                                       until then they make sure of again. 0: none */
  uint64_t since;                   /* the call that told the news that `platform` is of */
  uint32_t epoch;                   /* of the last news, or 0 */
  gbcast_platform *coming;          /* for the next call, or NULL, */
  uint64_t coming_since;            /* told in that one */
  gb_news ready;                    /* to be announced when this rank is the root */
  gb_news offered;                  /* by rank 0, while they are received, */
  MPI_Request offer;                /* by this */
  gb_offers *offers;                /* rank 0: to others */
  gb_watch *watch;                  /* rank 0: GBCAST_REFRESH, or NULL */
  gb_past past[GB_PAST];
  gb_cache cache;
  MPI_Request listen[GB_EARS]; /* always posted from the first call on: a header from any rank, */
  gb_header heard[GB_EARS];    /* received here */
  struct gb_early *early;      /* headers of calls that this rank has not come to yet */
  struct gb_orphan *orphan;    /* sends that were given up */
} gb_comm;

/* What is known about `comm`, made when there is nothing; local. *out is NULL when it is MPI's: an
 * inter-communicator, one rank, a program without MPI_COMM_WORLD or of another MPI library. preload: of the
 * preloaded library, or NULL. Errors have gone through the handler. */
int gb_comm_find(MPI_Comm comm, gb_preload *preload, gb_comm **out);

/* At the beginning of a call, collective the first time: the inputs are there, or c->left says why all is
 * left to MPI. Otherwise an error class that has not been raised: something cannot be set up, on all ranks
 * alike, or the communicator is poisoned. The preloaded library gets no errors of the first kind: what it
 * cannot set up is left to MPI, and told once (gb_preload). */
int gb_comm_enter(gb_comm *c);

/* Whether a role is run, and not MPI's own collective; collective the first time, as its messages need the
 * duplicate. bytes: of the message or block. */
bool gb_comm_planned(gb_comm *c, const gb_role *role, size_t bytes);

/* Collective: what was known is freed, and set up again with these overrides, which are taken over. Allowed
 * on one rank too. */
int gb_comm_renew(MPI_Comm comm, gb_overrides *overrides);

/* What is known, set up for one rank, too. NULL when it is MPI's: not for one rank. */
int gb_comm_any(MPI_Comm comm, gb_comm **out);

/* Makes what all communicators share, while there is still room for communicators. An MPI error code. */
int gb_comm_prepare(void);

/* Rank 0 says why something cannot be done; or why all is left to MPI. */
void gb_comm_complain(const gb_comm *c, const char *why);
void gb_comm_tell_left(const gb_comm *c);

/* What is known now, or NULL. */
gb_comm *gb_comm_known(MPI_Comm comm);

/* One rank's communicator that returns errors, for what only says how to represent data. */
MPI_Comm gb_comm_local(const gb_comm *c);

/* Where a call is remembered; it may hold a much older one, or none (sequence 0). */
static inline gb_past *gb_comm_past(gb_comm *c, uint64_t sequence) {
  return &c->past[sequence % GB_PAST];
}

/* The rank at an endpoint. */
int gb_comm_rank_of(const gb_comm *c, uint32_t host, uint32_t k);

#endif
