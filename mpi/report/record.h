/* What is recorded: of each call when it is over, for the counts and for the trace; and, for GBCAST_TRACE, of
 * each transfer. */
#ifndef GB_MPI_REPORT_RECORD_H
#define GB_MPI_REPORT_RECORD_H

#include "mpi/job/job.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why a call was passed on to MPI. */
enum gb_passed {
  GB_PASSED_NOT,         /* it was not passed on: it ran on a plan of gbcast */
  GB_PASSED_DISABLED,    /* GBCAST_DISABLE */
  GB_PASSED_NO_HOSTS,    /* preloaded library: GBCAST_HOSTS is not set */
  GB_PASSED_NOT_ALL,     /* preloaded library: some ranks do not have it */
  GB_PASSED_REFUSED,     /* the settings or the hosts file cannot be used */
  GB_PASSED_ONE_CLUSTER, /* the planner has chosen MPI's own collective, inside one cluster */
  GB_PASSED_PLANNER,     /* the same, across clusters */
  GB_PASSED_OPERATOR,    /* gbcast does not combine with this operator, or operands of this type */
  GB_PASSED_EARLY,     /* preloaded library: a non-blocking call before a blocking one on the communicator */
  GB_PASSED_NO_THREAD, /* preloaded library: a non-blocking call without a progress thread */
  GB_PASSED_ALONE,     /* the communicator has one rank */
  GB_PASSED_INTER,     /* it is an inter-communicator */
  GB_PASSED_WORLDS,    /* it has ranks of several MPI_COMM_WORLDs */
  GB_PASSED_FULL,      /* MPI has no communicator left for gbcast's messages */
  GB_PASSED_ARGUMENT,  /* preloaded library: an argument is wrong, which MPI reports */
  GB_PASSED_ENDING,    /* in MPI_Finalize */
  GB_PASSED_WAYS
};

typedef struct gb_call_record {
  enum gb_call_kind kind;
  enum gb_call_form form;
  bool own; /* it is a function of gbcast.h, not one of MPI */
  enum gb_passed passed;
  int root;             /* rank */
  uint64_t bytes;       /* of the message, or of one block */
  uint64_t class_bytes; /* largest size of its size class. Without a plan this and the next two are 0 */
  uint64_t plan;        /* hash of its plan */
  double predicted;     /* predicted time for class_bytes, s */
  double start, end;    /* by MPI_Wtime() */
} gb_call_record;

/* A reason as one word for programs, and as a sentence for people. */
const char *gb_passed_word(enum gb_passed why);
const char *gb_passed_why(enum gb_passed why);

enum { GB_CALL_NAME = 40 };

/* Writes the name of the function that was called, such as "MPI_Ibcast" or "gbcast_bcast_init". */
void gb_call_name(enum gb_call_kind kind, enum gb_call_form form, bool own, char name[GB_CALL_NAME]);

/* Whether calls of this kind are planned by size. A barrier has no size, and the counts of calls such as
 * MPI_Scatterv() are not known to all ranks. */
bool gb_call_has_class(enum gb_call_kind kind);

/* GBCAST_TRACE: the events of one process, which are calls and transfers. Events that a process keeps, at
 * most 4 MiB; further ones are only counted. */
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
