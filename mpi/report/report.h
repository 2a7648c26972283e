/* What the calls of a process did, for GBCAST_VERBOSE, GBCAST_STATS and GBCAST_TRACE. There is one of these
 * in a process: calls of MPI's functions that the preloaded library gets and calls of gbcast.h go into the
 * same. Rank 0 of MPI_COMM_WORLD counts its own calls; every rank keeps events, if there is to be a trace. */
#ifndef GB_MPI_REPORT_REPORT_H
#define GB_MPI_REPORT_REPORT_H

#include "mpi/report/log.h"
#include "mpi/report/places.h"
#include "mpi/report/tally.h"
#include <stdatomic.h>

typedef struct gb_job_report {
  size_t room; /* bytes of this struct, and the version: of the library that made it */
  char version[16];
  atomic_bool counts;          /* this is rank 0, and somebody wants to know */
  _Atomic(gb_event_log *) log; /* NULL: nothing is traced */
  pthread_mutex_t lock;        /* for all below */
  int rank;                    /* in MPI_COMM_WORLD */
  bool verbose;                /* the counts are printed */
  bool disabled;               /* GBCAST_DISABLE */
  char *stats, *trace;         /* rank 0: paths, or NULL */
  gb_tally tally;
  gb_rank_place self;
  MPI_Comm comm; /* of all ranks of MPI_COMM_WORLD, in their order, to gather events; or MPI_COMM_NULL */
  bool owns_comm;
  atomic_bool introduced; /* rank 0 has printed what the job runs with */
} gb_job_report;

/* What somebody wants to know; the two paths may be NULL. */
typedef struct gb_report_wish {
  bool verbose, disabled;
  const char *stats, *trace;
} gb_report_wish;

/* Local, once MPI runs. NULL: no memory. */
gb_job_report *gb_report_open(const gb_report_wish *wish);

/* Further wishes; only rank 0 has any. */
void gb_report_wish_for(gb_job_report *report, const gb_report_wish *wish);

/* When MPI ends: prints and writes all. Collective, if report->comm is there. Frees it. */
void gb_report_close(gb_job_report *report);

/* NULL unless calls are counted or traced here. */
static inline gb_job_report *gb_report_if_wanted(gb_job_report *report) {
  const bool wanted = report != NULL && (atomic_load_explicit(&report->counts, memory_order_relaxed) ||
                                         atomic_load_explicit(&report->log, memory_order_relaxed) != NULL);
  return wanted ? report : NULL;
}

/* Frees it at once. NULL is allowed. */
void gb_report_drop(gb_job_report *report);

/* A call is over. */
void gb_report_call(gb_job_report *report, const gb_call_record *call);

/* Events are kept from now on. NULL: no memory. */
gb_event_log *gb_report_trace(gb_job_report *report);

/* Where this process is: what is said first holds. */
void gb_report_locate(gb_job_report *report, const char *site, uint32_t site_number, const char *host,
                      uint32_t host_number);

/* Gives it a communicator for report->comm. own: which is freed here. */
void gb_report_gather_over(gb_job_report *report, MPI_Comm comm, bool own);

#endif
