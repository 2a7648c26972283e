/* The report on the calls of a process. */
#include "mpi/report/report.h"
#include "mpi/report/tally.h"
#include "mpi/report/trace.h"
#include "platform/text/text.h"
#include <errno.h>
#include <gbcast/gbcast.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

gb_job_report *gb_report_open(const gb_report_wish *wish) {
  gb_job_report *r = calloc(1, sizeof *r);
  if (r == NULL)
    return NULL;
  r->room = sizeof *r;
  (void)snprintf(r->version, sizeof r->version, "%s", gbcast_version());
  atomic_init(&r->counts, false);
  atomic_init(&r->log, NULL);
  atomic_init(&r->introduced, false);
  (void)pthread_mutex_init(&r->lock, NULL);
  r->rank = -1;
  (void)PMPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
  r->comm = MPI_COMM_NULL;
  gb_report_wish_for(r, wish);
  return r;
}

static void complain(const char *setting, const char *path, int code) {
  if (code != 0 && path != NULL)
    fprintf(stderr, "gbcast: %s: cannot write '%s': %s\n", setting, path, strerror(code));
}

/* The absolute path for the value of a setting, as the program may change its current folder. NULL: out of
 * memory. */
static char *absolute(const char *value) {
  char *path = NULL, *folder = NULL;
  if (value[0] == '/' || (folder = getcwd(NULL, 0)) == NULL)
    return strdup(value);
  const size_t room = strlen(folder) + strlen(value) + 2;
  if ((path = malloc(room)) != NULL)
    (void)snprintf(path, room, "%s/%s", folder, value);
  free(folder);
  return path;
}

static void set_path(char **path, const char *setting, const char *value) {
  if (value == NULL)
    return;
  free(*path);
  *path = absolute(value);
  if (*path == NULL)
    complain(setting, value, ENOMEM);
}

void gb_report_wish_for(gb_job_report *r, const gb_report_wish *wish) {
  if (r->rank != 0)
    return;
  (void)pthread_mutex_lock(&r->lock);
  r->verbose |= wish->verbose;
  r->disabled |= wish->disabled;
  set_path(&r->stats, "GBCAST_STATS", wish->stats);
  set_path(&r->trace, "GBCAST_TRACE", wish->trace);
  atomic_store(&r->counts, r->verbose || r->stats != NULL);
  (void)pthread_mutex_unlock(&r->lock);
}

void gb_report_call(gb_job_report *r, const gb_call_record *call) {
  gb_event_log *log = atomic_load_explicit(&r->log, memory_order_acquire);
  if (atomic_load_explicit(&r->counts, memory_order_relaxed)) {
    (void)pthread_mutex_lock(&r->lock);
    gb_tally_add(&r->tally, call);
    (void)pthread_mutex_unlock(&r->lock);
  }
  if (log != NULL)
    gb_events_add_call(log, call);
}

gb_event_log *gb_report_trace(gb_job_report *r) {
  gb_event_log *there = atomic_load(&r->log), *made;
  if (there != NULL || (made = gb_events_new()) == NULL)
    return there;
  if (atomic_compare_exchange_strong(&r->log, &there, made))
    return made;
  gb_events_free(made); /* another thread was first */
  return there;
}

void gb_report_locate(gb_job_report *r, const char *site, uint32_t site_number, const char *host,
                      uint32_t host_number) {
  (void)pthread_mutex_lock(&r->lock);
  if (!r->self.placed) {
    r->self = (gb_rank_place){.placed = true, .site_number = site_number, .host_number = host_number};
    (void)snprintf(r->self.site, sizeof r->self.site, "%s", site);
    (void)snprintf(r->self.host, sizeof r->self.host, "%s", host);
  }
  (void)pthread_mutex_unlock(&r->lock);
}

void gb_report_gather_over(gb_job_report *r, MPI_Comm comm, bool own) {
  (void)pthread_mutex_lock(&r->lock);
  const bool first = r->comm == MPI_COMM_NULL;
  if (first) {
    r->comm = comm;
    r->owns_comm = own;
  }
  (void)pthread_mutex_unlock(&r->lock);
  if (!first && own)
    (void)MPI_Comm_free(&comm);
}

/* In SimGrid no rank can send messages in MPI_Finalize; there it does not delete attributes either. */
static void write_trace(gb_job_report *r) {
  const gb_event_log *log = atomic_load(&r->log);
  const bool gathers = r->comm != MPI_COMM_NULL && gb_this_machine.deletes_attributes;
  if (!gathers && r->trace == NULL)
    return;
  if (!gathers && log == NULL) {
    fprintf(stderr, "gbcast: GBCAST_TRACE: there is nothing to write: %s\n",
            r->disabled ? "GBCAST_DISABLE is set" : "gbcast has handled no call");
    return;
  }
  if (!gathers)
    fprintf(stderr, "gbcast: GBCAST_TRACE: '%s' has only the calls of rank 0: %s\n", r->trace,
            r->comm == MPI_COMM_NULL ? "no call of gbcast was on a communicator of all ranks"
                                     : "simulated ranks cannot send messages when MPI ends");
  complain("GBCAST_TRACE", r->trace,
           gb_gather_trace(gathers ? r->comm : MPI_COMM_NULL, &r->self, log, r->trace));
}

void gb_report_close(gb_job_report *r) {
  int ranks = 0;
  (void)PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (r->verbose) {
    gb_lines lines;
    gb_words_print(&r->tally, r->disabled, gb_lines_begin(&lines));
    gb_lines_end(&lines);
  }
  if (r->stats != NULL)
    complain("GBCAST_STATS", r->stats, gb_stats_write(r->stats, &r->tally, ranks));
  write_trace(r);
  gb_report_drop(r);
}

void gb_report_drop(gb_job_report *r) {
  if (r == NULL)
    return;
  if (r->owns_comm && gb_this_machine.deletes_attributes)
    (void)MPI_Comm_free(&r->comm);
  gb_events_free(atomic_load(&r->log));
  free(r->tally.row);
  (void)pthread_mutex_destroy(&r->lock);
  free(r->stats);
  free(r->trace);
  free(r);
}
