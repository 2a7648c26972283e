/* All that the library knows about a communicator. It hangs off the communicator and is freed with it. */
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
  MPI_Comm user, dup;              /* dup carries all traffic */
  int rank, size;
  bool disabled;    /* pass everything on to MPI */
  unsigned refused; /* overrides.told: a bit for each operation for which something is wrong with the
                       settings or the hosts file, all of them where `disabled` is for that reason */
  uint64_t turn;    /* MPI_Finalize closes those of least turn first: the same order on every rank */
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

/* What is known about `comm`; the first call on it sets it up, which is collective. *out is NULL when the
 * call is to be passed on to MPI: an inter-communicator, one rank, GBCAST_DISABLE=1. Errors have gone through
 * the handler. */
int gb_comm_of(MPI_Comm comm, gb_comm **out);

/* The same for the preloaded library, which is never the reason that a program ends: no error handler is
 * called, and what cannot be set up is given as disabled and refused, and told once (overrides.told). What is
 * disabled is given, too. NULL: one rank, an inter-communicator, no memory. */
void gb_comm_lenient(MPI_Comm comm, atomic_bool *told, gb_comm **out);

/* Collective: what was known is freed, and set up again with these overrides, which are taken over. Allowed
 * on one rank too. */
int gb_comm_renew(MPI_Comm comm, gb_overrides *overrides, gb_comm **out);

/* The same, but also set up for one rank, and given when it is disabled. NULL for an inter-communicator only.
 */
int gb_comm_any(MPI_Comm comm, gb_comm **out);

/* Rank 0 says why something cannot be done. */
void gb_comm_complain(const gb_comm *c, const char *why);

/* What is known now, or NULL. */
gb_comm *gb_comm_known(MPI_Comm comm);

/* Where a call is remembered; it may hold a much older one, or none (sequence 0). */
static inline gb_past *gb_comm_past(gb_comm *c, uint64_t sequence) {
  return &c->past[sequence % GB_PAST];
}

/* The rank at an endpoint. */
int gb_comm_rank_of(const gb_comm *c, uint32_t host, uint32_t k);

#endif
