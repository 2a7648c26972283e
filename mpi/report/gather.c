/* Gathers the events of all ranks.
 *
 *   every rank  compares its clock with that of rank 0
 *   every rank <-- whether the trace is wanted ----------- rank 0
 *   every rank  -- where it is, how many events it has --> rank 0
 *   every rank <-- whether to send them ------------------ rank 0, which has opened the file
 *   rank 1      -- events ----> rank 0, which prints them
 *   rank 2      -- events ----> rank 0 ... */
#include "mpi/report/trace.h"
#include "platform/text/text.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16384 /* events in a message, about 1 MiB */, TAG = 2 };

typedef struct gb_gathering {
  MPI_Comm comm;
  int size, code;
  gb_rank_place *place;
  gb_event *event; /* of one rank */
  const gb_event_log *log;
  bool opened;
} gb_gathering;

/* Rank 0 tells all ranks whether they go on (*go). Returns an MPI error code. */
static int tell(MPI_Comm comm, int *go) {
  return comm != MPI_COMM_NULL ? PMPI_Bcast(go, 1, MPI_INT, 0, comm) : MPI_SUCCESS;
}

static int send_events(MPI_Comm comm, const gb_event_log *log) {
  size_t count = 0;
  uint64_t dropped;
  const gb_event *event = log != NULL ? gb_events_all(log, &count, &dropped) : NULL;
  int rc = MPI_SUCCESS;
  for (size_t at = 0; rc == MPI_SUCCESS && at < count; at += CHUNK) {
    const size_t part = count - at < CHUNK ? count - at : CHUNK;
    rc = MPI_Send(event + at, (int)(part * sizeof *event), MPI_BYTE, 0, TAG, comm);
  }
  return rc;
}

static int receive_events(const gb_gathering *g, int rank) {
  const size_t count = (size_t)g->place[rank].events;
  int rc = MPI_SUCCESS;
  for (size_t at = 0; rc == MPI_SUCCESS && at < count; at += CHUNK) {
    const size_t part = count - at < CHUNK ? count - at : CHUNK;
    rc = MPI_Recv(g->event + at, (int)(part * sizeof *g->event), MPI_BYTE, rank, TAG, g->comm,
                  MPI_STATUS_IGNORE);
  }
  return rc;
}

static void copy_own(const gb_gathering *g) {
  size_t count;
  uint64_t dropped;
  const gb_event *event = g->log != NULL ? gb_events_all(g->log, &count, &dropped) : NULL;
  if (event != NULL)
    memcpy(g->event, event, count * sizeof *event);
}

static int write_all(FILE *out, void *context) {
  gb_gathering *g = context;
  gb_trace_view view;
  int go = gb_places_order(g->place, g->size) && gb_trace_view_begin(&view, g->place, g->size, out);
  g->opened = true;
  g->code = tell(g->comm, &go);
  if (!go)
    return ENOMEM;
  copy_own(g);
  for (int r = 0; g->code == MPI_SUCCESS && r < g->size; r++) {
    if (r > 0)
      g->code = receive_events(g, r);
    if (g->code == MPI_SUCCESS)
      gb_trace_view_rank(&view, r, g->event, (size_t)g->place[r].events);
  }
  gb_trace_view_end(&view);
  return g->code == MPI_SUCCESS ? 0 : EIO;
}

static int follow(MPI_Comm comm, const gb_rank_place *self, const gb_event_log *log) {
  int go = 0, rc = tell(comm, &go);
  if (rc == MPI_SUCCESS && go)
    rc = PMPI_Gather(self, sizeof *self, MPI_BYTE, NULL, 0, MPI_BYTE, 0, comm);
  if (rc == MPI_SUCCESS && go)
    rc = tell(comm, &go);
  return rc == MPI_SUCCESS && go ? send_events(comm, log) : rc;
}

static int lead(gb_gathering *g, const gb_rank_place *self, const char *path) {
  g->place = calloc((size_t)g->size, sizeof *g->place);
  g->event = malloc(GB_EVENTS_MOST * sizeof *g->event);
  const bool able = g->place != NULL && g->event != NULL;
  int go = able && path != NULL, rc = 0;
  g->code = tell(g->comm, &go);
  if (able && go) {
    g->place[0] = *self;
    if (g->code == MPI_SUCCESS && g->comm != MPI_COMM_NULL)
      g->code = PMPI_Gather(MPI_IN_PLACE, 0, MPI_BYTE, g->place, sizeof *self, MPI_BYTE, 0, g->comm);
    if (g->code == MPI_SUCCESS)
      rc = gb_write_file(path, write_all, g);
    if (g->code == MPI_SUCCESS && !g->opened)
      (void)tell(g->comm, &(int){0});
    else if (g->code != MPI_SUCCESS && rc == 0)
      rc = EIO;
  } else if (!able) {
    rc = ENOMEM;
  }
  free(g->place);
  free(g->event);
  return rc;
}

/* Sets what rank 0 needs to know of this rank's events. */
static void describe(gb_rank_place *self, const gb_event_log *log) {
  size_t count = 0;
  self->first = INFINITY;
  self->events = self->dropped = 0;
  const gb_event *event = log != NULL ? gb_events_all(log, &count, &self->dropped) : NULL;
  self->events = count;
  for (size_t i = 0; i < count; i++)
    self->first = fmin(self->first, event[i].start);
}

int gb_gather_trace(MPI_Comm comm, gb_rank_place *self, const gb_event_log *log, const char *path) {
  gb_gathering g = {.comm = comm, .size = 1, .log = log};
  int rank = 0;
  describe(self, log);
  if (comm != MPI_COMM_NULL &&
      (PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS || PMPI_Comm_size(comm, &g.size) != MPI_SUCCESS ||
       gb_clocks_compare(comm, &self->ahead, &self->error) != MPI_SUCCESS))
    return rank == 0 ? EIO : 0;
  if (rank == 0)
    return lead(&g, self, path);
  (void)follow(comm, self, log);
  return 0;
}
