/* The report of a process, as communicators and calls have to do with it. */
#define _GNU_SOURCE
#include "mpi/comm/reporting.h"
#include "mpi/comm/registry.h"
#include "mpi/comm/settings.h"
#include <dlfcn.h>
#include <gbcast/gbcast.h>
#include <stdlib.h>
#include <string.h>

/* A value that is wrong is told when a communicator is set up. */
gb_job_report *gb_reporting_open(void) {
  gb_settings s = {0};
  gb_settings_read_one("GBCAST_VERBOSE", &s);
  gb_settings_read_one("GBCAST_DISABLE", &s);
  gb_settings_read_one("GBCAST_STATS", &s);
  gb_settings_read_one("GBCAST_TRACE", &s);
  gb_job_report *report = gb_report_open(&(gb_report_wish){
      .verbose = s.verbose > 0, .disabled = s.disabled != 0, .stats = s.stats, .trace = s.trace});
  gb_settings_release(&s);
  return report;
}

/* Of the preloaded library, which has a copy of all this, and its own version. */
static gb_job_report *preloaded(void) {
  void *(*find)(void) = NULL;
  void *found = dlsym(RTLD_DEFAULT, "gbcast_preloaded_report");
  memcpy(&find, (const void *)&found, sizeof find); /* POSIX has a way from an object to a function */
  return find != NULL ? find() : NULL;
}

gb_job_report *gb_reporting_of_process(bool *owned) {
  gb_job_report *there = preloaded();
  const bool alike = there != NULL && there->room == sizeof *there &&
                     strncmp(there->version, gbcast_version(), sizeof there->version) == 0;
  *owned = there == NULL;
  if (alike)
    return there;
  if (there == NULL)
    return gb_reporting_open();
  if (gb_report_if_wanted(there) != NULL)
    fprintf(stderr, "gbcast: calls of gbcast.h are not counted: libgbcast-pmpi.so is of another version than "
                    "libgbcast\n");
  return NULL;
}

void gb_reporting_wish(const gb_comm *c, const gb_settings *s, gb_inputs *in) {
  gb_job_report *report = c->registry->report;
  int world = 0;
  if (report == NULL)
    return;
  if (c->overrides.value != NULL) /* the environment's are known */
    gb_report_wish_for(report,
                       &(gb_report_wish){.verbose = s->verbose > 0, .stats = s->stats, .trace = s->trace});
  (void)PMPI_Comm_size(MPI_COMM_WORLD, &world);
  in->trace = s->trace != NULL;
  in->gathers = in->trace && c->wire.size == world && report->comm == MPI_COMM_NULL;
}

/* Where this rank is. */
static void locate(const gb_comm *c) {
  const gbcast_platform *p = c->platform;
  if (p == NULL || c->wire.rank_host == NULL)
    return;
  const uint32_t host = c->wire.rank_host[c->wire.rank], cluster = p->host[host].cluster;
  gb_report_locate(c->registry->report, p->cluster[cluster].name, cluster, p->host[host].name, host);
}

static int gather_over(const gb_comm *c) {
  MPI_Comm all;
  int rank = 0, rc = PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_split(c->user, 0, rank, &all);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
  if (rc == MPI_SUCCESS)
    gb_report_gather_over(c->registry->report, all, true);
  return rc;
}

/* Without memory for it this rank traces nothing. */
int gb_reporting_begin(gb_comm *c, const gb_inputs *in) {
  gb_job_report *report = c->registry->report;
  if (!in->trace || report == NULL)
    return MPI_SUCCESS;
  const int rc = in->gathers ? gather_over(c) : MPI_SUCCESS;
  gb_watch *watch = calloc(1, sizeof *watch);
  if (watch == NULL || (watch->log = gb_report_trace(report)) == NULL ||
      gb_comm_ranks(c->user, c->wire.size, MPI_COMM_WORLD, &watch->world) != MPI_SUCCESS) {
    free(watch);
    return rc;
  }
  watch->communicator = c->close_order;
  c->wire.watch = watch;
  locate(c);
  return rc;
}

void gb_reporting_end(gb_comm *c) {
  if (c->wire.watch != NULL)
    free(c->wire.watch->world);
  free(c->wire.watch);
}

enum gb_passed gb_reporting_without(MPI_Comm comm) {
  int inter = 0;
  (void)MPI_Comm_test_inter(comm, &inter);
  return inter ? GB_PASSED_INTER : gb_attach_has_ended() ? GB_PASSED_ENDING : GB_PASSED_ALONE;
}

enum gb_passed gb_reporting_native(const gb_rank_schedule *schedule) {
  return schedule->one_site ? GB_PASSED_ONE_CLUSTER : GB_PASSED_PLANNER;
}

void gb_reporting_planned(gb_handle *h, const gb_rank_schedule *schedule) {
  gb_call_record *record = &h->record;
  record->class_bytes = record->plan = 0;
  record->predicted = 0;
  record->passed = GB_PASSED_NOT;
  if (h->c == NULL)
    record->passed = gb_reporting_without(h->comm);
  else if (h->c->left != GB_PASSED_NOT)
    record->passed = h->c->left;
  else if (schedule == NULL)
    record->passed = GB_PASSED_OPERATOR;
  else if (h->schedule == NULL)
    record->passed = gb_reporting_native(schedule);
  if (record->passed != GB_PASSED_NOT)
    return;
  record->class_bytes = schedule->class_bytes;
  record->plan = schedule->hash;
  record->predicted = schedule->predicted;
}
