/* GBCAST_TRACE: what one process has seen, event after event. */
#ifndef GB_MPI_REPORT_LOG_H
#define GB_MPI_REPORT_LOG_H

#include "mpi/report/record.h"
#include <stddef.h>

/* Events that are kept of a process, 4 MiB; further ones are counted alone. */
#define GB_EVENTS_MOST 65536

enum gb_event_type { GB_EVENT_CALL, GB_EVENT_SEND, GB_EVENT_RECEIVE };

typedef struct gb_event {
  double start, end; /* MPI_Wtime() */
  uint64_t bytes;
  uint64_t id;      /* a call: the hash of its plan; a transfer: the same at both ends */
  double predicted; /* a call: s */
  int32_t peer;     /* a call: the root; a transfer: the rank at the other end, in MPI_COMM_WORLD */
  uint16_t tree;    /* a transfer: the number of its tree, from 0 ... */
  uint16_t trees;   /* ... of so many; 0: of an all-to-all */
  uint8_t type, kind, form, own, passed; /* the latter four of a call */
} gb_event;

typedef struct gb_event_log gb_event_log;

gb_event_log *gb_events_new(void); /* NULL: no memory */
void gb_events_free(gb_event_log *log);

/* Any thread may add. */
void gb_events_add(gb_event_log *log, const gb_event *event);
void gb_events_add_call(gb_event_log *log, const gb_call_record *call);

/* When nobody adds any more. */
const gb_event *gb_events_all(const gb_event_log *log, size_t *count, uint64_t *dropped);

/* What the executor has to know of a communicator whose transfers are traced (gb_wire.watch). */
typedef struct gb_watch {
  gb_event_log *log;
  uint64_t communicator; /* the same on every rank */
  int *world;            /* of each rank, that in MPI_COMM_WORLD; owned */
} gb_watch;

/* A transfer is over: bytes to or from rank `peer` in run `run` with tag `tag`. */
typedef struct gb_seen {
  double start; /* when its first message was posted */
  uint64_t run, bytes;
  unsigned tag; /* that tells it from others of this run between the same ranks */
  int peer;     /* of the communicator */
  bool sent;
  uint32_t tree, trees;
} gb_seen;

void gb_watch_see(const gb_watch *watch, const gb_seen *seen, int rank);

#endif
