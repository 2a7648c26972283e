/* The report of a process (mpi/report), as communicators and calls have to do with it. */
#ifndef GB_MPI_COMM_REPORTING_H
#define GB_MPI_COMM_REPORTING_H

#include "mpi/comm/handle.h"
#include "mpi/comm/inputs.h"
#include "mpi/comm/state.h"
#include "mpi/report/report.h"

/* Makes one, with the wishes of the environment. NULL: no memory. */
gb_job_report *gb_reporting_open(void);

/* That of the process: of the preloaded library, if it is there, or else a new one. *owned: to be closed with
 * the registry. */
gb_job_report *gb_reporting_of_process(bool *owned);

/* Rank 0 of a communicator has read its settings: what it wishes to know, and whether all ranks trace. */
void gb_reporting_wish(const gb_comm *c, const gb_settings *settings, gb_inputs *in);

/* Collective: all ranks have the inputs, and the platform if there is one. An error class. */
int gb_reporting_begin(gb_comm *c, const gb_inputs *in);
void gb_reporting_end(gb_comm *c);

/* Why calls are passed on where there is no gb_comm. */
enum gb_passed gb_reporting_without(MPI_Comm comm);
/* ... on account of a schedule that is MPI's own. */
enum gb_passed gb_reporting_native(const gb_rank_schedule *schedule);

/* A call is planned: by this schedule, or NULL. */
void gb_reporting_planned(gb_handle *h, const gb_rank_schedule *schedule);

/* It begins; it is over. */
static inline void gb_reporting_start(gb_handle *h) {
  if (h->report != NULL)
    h->record.start = MPI_Wtime();
}
static inline void gb_reporting_over(gb_handle *h) {
  if (h->report == NULL)
    return;
  h->record.end = MPI_Wtime();
  gb_report_call(h->report, &h->record);
}

#endif
