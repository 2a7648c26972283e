/* Writes the trace of a job as Chrome trace events. */
#include "mpi/report/trace.h"
#include <gbcast/gbcast.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1 + GB_VIEW_TREES, THREADS = ROWS * GB_VIEW_TRACKS, DEPTH = 2 };

typedef struct gb_trace_row {        /* the threads of a rank for one tree, or those for everything else */
  unsigned tracks;                   /* how many have a name */
  double end[GB_VIEW_TRACKS][DEPTH]; /* when the last slice of each ends, and the last one inside it */
} gb_trace_row;

typedef struct gb_rank_name {
  char s[GB_PLACE_NAME + 16];
} gb_rank_name;

static gb_rank_name name_of(const gb_trace_view *view, int rank) {
  gb_rank_name name;
  gb_place_name(&view->place[rank], rank, name.s);
  return name;
}

static const char *site_of(const gb_rank_place *place) {
  return place->placed ? place->site : "ranks without a host";
}

static uint32_t process_of(const gb_trace_view *view, int rank) {
  return view->place[rank].process + 1;
}

static uint32_t thread_of(const gb_trace_view *view, int rank, uint32_t row, unsigned track) {
  return view->place[rank].index * THREADS + row * GB_VIEW_TRACKS + track + 1;
}

static void name_thread(gb_trace_view *view, int rank, uint32_t row, unsigned track) {
  char tree[24] = "", rest[48] = "";
  if (row > 0)
    (void)snprintf(tree, sizeof tree, ", tree %" PRIu32, row);
  if (track > 0)
    (void)snprintf(rest, sizeof rest, "%s, track %u", tree, track + 1);
  gb_trace_thread(&view->trace, process_of(view, rank), thread_of(view, rank, row, track),
                  name_of(view, rank).s, track > 0 ? rest : tree);
}

static void put_head(gb_trace_view *view, FILE *out) {
  uint64_t dropped = 0, events = 0;
  double error = 0;
  view->zero = INFINITY;
  for (int r = 0; r < view->size; r++) {
    const gb_rank_place *p = &view->place[r];
    events += p->events;
    dropped += p->dropped;
    error = fmax(error, p->error);
    view->zero = fmin(view->zero, p->first - p->ahead);
  }
  gb_json_object o = gb_trace_open(&view->trace, out);
  gb_json_string(&o, "version", gbcast_version());
  gb_json_integer(&o, "ranks", (uint64_t)view->size);
  gb_json_integer(&o, "events", events);
  gb_json_integer(&o, "dropped_events", dropped);
  gb_json_number(&o, "clock_error_seconds", error);
  gb_trace_events(&view->trace, &o);
}

bool gb_trace_view_begin(gb_trace_view *view, const gb_rank_place *place, int size, FILE *out) {
  uint32_t named = 0; /* processes */
  *view = (gb_trace_view){.place = place, .size = size, .row = malloc(ROWS * sizeof *view->row)};
  if (view->row == NULL)
    return false;
  put_head(view, out);
  for (bool more = true; more; named++) { /* in the order of their numbers */
    more = false;
    for (int r = 0; r < size && !more; r++)
      if ((more = place[r].process == named))
        gb_trace_process(&view->trace, named + 1, site_of(&place[r]));
  }
  for (int r = 0; r < size; r++)
    name_thread(view, r, 0, 0);
  return true;
}

static int in_order(const void *a, const void *b) {
  const gb_event *x = a, *y = b;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->end != y->end)
    return x->end > y->end ? -1 : 1; /* the outer slice comes first */
  return (x->type > y->type) - (x->type < y->type);
}

/* Whether a slice fits into a track: either all slices there are over, or it lies inside the last one. If so,
 * notes when it ends. */
static bool fits(double *end, const gb_event *event) {
  if (event->start >= end[0]) {
    end[0] = event->end;
    end[1] = 0;
    return true;
  }
  if (event->type == GB_EVENT_CALL || event->end > end[0] || event->start < end[1])
    return false;
  end[1] = event->end;
  return true;
}

/* Returns the thread for a slice, and names it if it is new. Slices that fit nowhere go to the last track. */
static uint32_t find_thread(gb_trace_view *view, int rank, const gb_event *event) {
  const bool own = event->type != GB_EVENT_CALL && event->trees > 1;
  const uint32_t row = own ? 1 + event->tree % GB_VIEW_TREES : 0;
  gb_trace_row *r = &view->row[row];
  unsigned track = 0;
  while (track < GB_VIEW_TRACKS - 1 && !fits(r->end[track], event))
    track++;
  for (; r->tracks <= track; r->tracks++)
    if (row > 0 || r->tracks > 0)
      name_thread(view, rank, row, r->tracks);
  return thread_of(view, rank, row, track);
}

/* What is to be said of a slice, which ends there. */
static void end_call(gb_json_object *slice, const gb_event *e) {
  char name[GB_CALL_NAME];
  const bool planned = e->passed == GB_PASSED_NOT;
  gb_call_name((enum gb_call_kind)e->kind, (enum gb_call_form)e->form, e->own, name);
  const bool sized = e->kind != GB_CALL_barrier;
  gb_json_texts(slice, "name", name, sized ? " of " : "", sized ? gb_text_bytes(e->bytes).s : "", NULL);
  gb_json_object o = gb_json_begin_object(slice, "args");
  gb_json_string(&o, "operation", name);
  gb_json_integer(&o, "bytes", e->bytes);
  gb_json_integer(&o, "root", e->peer > 0 ? (uint64_t)e->peer : 0);
  if (planned) {
    gb_json_hash(&o, "plan", e->id);
    gb_json_number(&o, "predicted_seconds", e->predicted);
  } else {
    gb_json_string(&o, "passed_on", gb_passed_why((enum gb_passed)e->passed));
  }
  gb_json_end(&o);
  gb_json_end(slice);
}

static enum gb_level level_between(const gb_rank_place *a, const gb_rank_place *b) {
  if (a->process != b->process)
    return GB_LEVEL_WAN;
  return a->placed && a->host_number == b->host_number ? GB_LEVEL_NODE : GB_LEVEL_LAN;
}

static void end_transfer(gb_json_object *slice, const gb_trace_view *view, int rank, const gb_event *e,
                         const char *level) {
  const bool sent = e->type == GB_EVENT_SEND;
  const gb_rank_name own = name_of(view, rank), peer = name_of(view, e->peer);
  gb_json_texts(slice, "name", sent ? "to " : "from ", peer.s, NULL);
  gb_json_object o = gb_json_begin_object(slice, "args");
  gb_json_string(&o, "from", sent ? own.s : peer.s);
  gb_json_string(&o, "to", sent ? peer.s : own.s);
  gb_json_string(&o, "level", level);
  gb_json_integer(&o, "bytes", e->bytes);
  if (e->trees > 0)
    gb_json_integer(&o, "tree", e->tree);
  gb_json_end(&o);
  gb_json_end(slice);
}

/* Prints an event. Times are by the clock of rank 0, from the first event of all ranks on. Arrows have
 * numbers of 53 bits, since JSON readers may take numbers for doubles. */
static void put_event(gb_trace_view *view, int rank, const gb_event *e) {
  const double shift = -view->place[rank].ahead - view->zero;
  const double start = e->start + shift, end = e->end + shift;
  if (e->type != GB_EVENT_CALL && (e->peer < 0 || e->peer >= view->size)) /* of another MPI_COMM_WORLD */
    return;
  const uint32_t process = process_of(view, rank), thread = find_thread(view, rank, e);
  if (e->type == GB_EVENT_CALL) {
    gb_json_object call = gb_trace_slice(&view->trace, process, thread, start, end,
                                         e->passed == GB_PASSED_NOT ? "call" : "passed on");
    end_call(&call, e);
    return;
  }
  const char *level = gb_level_name[level_between(&view->place[rank], &view->place[e->peer])];
  const bool sent = e->type == GB_EVENT_SEND;
  gb_json_object slice = gb_trace_slice(&view->trace, process, thread, start, end, level);
  end_transfer(&slice, view, rank, e, level);
  gb_trace_arrow(&view->trace, process, thread, sent ? start : fmax(start, end - 1e-9), (size_t)(e->id >> 11),
                 sent);
}

void gb_trace_view_rank(gb_trace_view *view, int rank, gb_event *event, size_t count) {
  memset(view->row, 0, ROWS * sizeof *view->row);
  for (size_t r = 0; r < ROWS; r++)
    for (size_t t = 0; t < GB_VIEW_TRACKS; t++)
      view->row[r].end[t][0] = -INFINITY;
  if (count > 0)
    qsort(event, count, sizeof *event, in_order);
  for (size_t i = 0; i < count; i++)
    put_event(view, rank, &event[i]);
}

void gb_trace_view_end(gb_trace_view *view) {
  gb_trace_end(&view->trace);
  free(view->row);
}
