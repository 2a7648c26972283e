/* GBCAST_TRACE: the events of one process, which are calls and transfers. */
#ifndef GB_MPI_REPORT_LOG_H
#define GB_MPI_REPORT_LOG_H

#include "mpi/report/record.h"
#include <stddef.h>

/* Events that a process keeps, at most 4 MiB. Further ones are only counted. */
#define GB_EVENTS_MOST 65536

enum gb_event_type { GB_EVENT_CALL, GB_EVENT_SEND, GB_EVENT_RECEIVE };

typedef struct gb_event {
  double start, end; /* by MPI_Wtime() */
  uint64_t bytes;
  uint64_t id;      /* call: the hash of its plan; transfer: a number that both its ends have */
  double predicted; /* call: predicted time, s */
  int32_t peer;     /* call: the root; transfer: rank in MPI_COMM_WORLD at the other end */
  uint16_t tree;    /* transfer: the number of its tree, from 0 */
  uint16_t trees;   /* transfer: how many trees the plan has; 0: it is an all-to-all */
  uint8_t type, kind, form, own, passed; /* enum gb_event_type; call: as in gb_call_record */
} gb_event;

typedef struct gb_event_log gb_event_log;

gb_event_log *gb_events_new(void); /* NULL: no memory */
void gb_events_free(gb_event_log *log);

/* Add an event; any thread may call these. Without memory the event is only counted. */
void gb_events_add(gb_event_log *log, const gb_event *event);
void gb_events_add_call(gb_event_log *log, const gb_call_record *call);

/* Returns all events, in the order in which they were added. To be called when no thread adds any more.
 * *dropped: how many were only counted. */
const gb_event *gb_events_all(const gb_event_log *log, size_t *count, uint64_t *dropped);

/* What the executor needs to trace the transfers of a communicator (gb_wire.watch). */
typedef struct gb_watch {
  gb_event_log *log;
  uint64_t communicator; /* a number for it that is the same on every rank */
  int *world;            /* for each of its ranks, the rank in MPI_COMM_WORLD; owned */
} gb_watch;

/* A transfer that is over: all that this rank sent to a peer, or received from it, in one tree of one run. */
typedef struct gb_seen {
  double start;         /* when its first message was posted, by MPI_Wtime() */
  uint64_t run, bytes;  /* number of the run on the communicator (gb_wire.number); bytes of the transfer */
  unsigned tag;         /* distinguishes it from other transfers of this run between the same ranks */
  int peer;             /* rank in the communicator */
  bool sent;            /* else received */
  uint32_t tree, trees; /* as in gb_event */
} gb_seen;

/* Adds a transfer that ends now. rank: of this process in the communicator. */
void gb_watch_see(const gb_watch *watch, const gb_seen *seen, int rank);

#endif
