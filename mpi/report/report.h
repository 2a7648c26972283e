/* The report on the calls of a process, for GBCAST_VERBOSE, GBCAST_STATS and GBCAST_TRACE. A process has one
 * report, for calls of MPI's functions that reach the preloaded library and for calls of gbcast.h. Rank 0 of
 * MPI_COMM_WORLD counts its own calls. Every rank keeps events if a trace will be written. */
#ifndef GB_MPI_REPORT_REPORT_H
#define GB_MPI_REPORT_REPORT_H

#include "mpi/report/places.h"
#include "mpi/report/record.h"
#include "mpi/report/tally.h"
#include <pthread.h>
#include <stdatomic.h>

typedef struct gb_job_report {
  size_t room; /* sizeof this struct and the version, in the library that made it: another may share it */
  char version[16];
  atomic_bool counts; /* calls are counted: this is rank 0, and GBCAST_VERBOSE or GBCAST_STATS is set */
  _Atomic(gb_event_log *) log; /* NULL: nothing is traced */
  pthread_mutex_t lock;        /* for what follows */
  int rank;                    /* in MPI_COMM_WORLD */
  bool verbose;                /* the counts are printed */
  bool disabled;               /* GBCAST_DISABLE */
  char *stats, *trace;         /* paths of the files that rank 0 writes; NULL: none */
  gb_tally tally;
  gb_rank_place self;
  MPI_Comm comm; /* for gathering events, with the ranks of MPI_COMM_WORLD in their order; or MPI_COMM_NULL */
  bool owns_comm;         /* `comm` is freed with the report */
  atomic_bool introduced; /* rank 0 has printed version and settings */
} gb_job_report;

/* What is wanted: the settings of a library or of a communicator. The two paths may be NULL. */
typedef struct gb_report_wish {
  bool verbose, disabled;
  const char *stats, *trace;
} gb_report_wish;

/* Makes the report. Local; MPI must be initialised. NULL: out of memory. */
gb_job_report *gb_report_open(const gb_report_wish *wish);

/* Adds further wishes; does nothing unless this is rank 0. */
void gb_report_wish_for(gb_job_report *report, const gb_report_wish *wish);

/* Prints and writes everything, and frees the report. To be called when MPI ends. Collective if report->comm
 * is set. */
void gb_report_close(gb_job_report *report);

/* Returns `report` if this process counts or traces calls, otherwise NULL. */
static inline gb_job_report *gb_report_if_wanted(gb_job_report *report) {
  const bool wanted = report != NULL && (atomic_load_explicit(&report->counts, memory_order_relaxed) ||
                                         atomic_load_explicit(&report->log, memory_order_relaxed) != NULL);
  return wanted ? report : NULL;
}

/* Frees the report without printing. NULL is allowed. */
void gb_report_drop(gb_job_report *report);

/* Adds a call that is over to the counts and the events. */
void gb_report_call(gb_job_report *report, const gb_call_record *call);

/* Makes the report keep events from now on, and returns where. NULL: out of memory. */
gb_event_log *gb_report_trace(gb_job_report *report);

/* Sets where this process is. Only the first call has an effect. */
void gb_report_locate(gb_job_report *report, const char *site, uint32_t site_number, const char *host,
                      uint32_t host_number);

/* Sets report->comm if it is not set yet. own: the report frees `comm`, at once if it does not need it. */
void gb_report_gather_over(gb_job_report *report, MPI_Comm comm, bool own);

#endif
