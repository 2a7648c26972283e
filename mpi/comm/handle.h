/* Calls under way. A call is made of parts: each is a run of the executor, or MPI's own collective; when one
 * is over, `next` begins the next. A blocking call has its gb_handle on its stack and waits for it. A
 * non-blocking one gives it to the program, and puts it in the list of this process, which every call of the
 * library and the progress thread work through.
 *
 *   part 0: the data           part 1: their checksums           over
 *   |-------run--------| next |-----run-----| next: compares them |
 */
#ifndef GB_MPI_COMM_HANDLE_H
#define GB_MPI_COMM_HANDLE_H

#include "mpi/comm/registry.h"
#include "mpi/exec/exec.h"
#include <stdatomic.h>

enum { GB_OWN_MOST = 2 };

typedef struct gbcast_call gb_handle;
struct gbcast_call {
  MPI_Comm comm;
  gb_comm *c; /* NULL: the library does not plan on this communicator */
  /* Begins the call: sets `schedule` and `next`. An error class. */
  int (*start)(gb_handle *h);
  /* Begins the next part: sets `run` or `own`; neither: the call is over. An error class. */
  int (*next)(gb_handle *h);
  /* MPI's own collective, which calls the error handler itself. An error code. */
  int (*own_blocking)(gb_handle *h);
  /* Frees what a call that is over holds, so that it can start again. */
  void (*release)(gb_handle *h);
  size_t type_at[2]; /* where its datatypes are in it, in bytes; 0: there is none */
  bool never_own;    /* MPI's own collective cannot take the arguments: the schedule is run */

  /* of the call under way; all 0 at first */
  gb_rank_schedule *schedule; /* NULL: MPI's own collective is run */
  gb_run *run;
  MPI_Request own[GB_OWN_MOST]; /* of MPI's own collectives */
  unsigned part;                /* the next one */
  uint64_t number;              /* of the next run */
  uint64_t hash;                /* of the call, to be compared beside its first run ... */
  bool compares;                /* ... if so */
  bool checked;                 /* GBCAST_CHECK, and there is something to check */
  bool raised;                  /* MPI's own collective has called the error handler */
  int code;                     /* with which the call has ended */
  atomic_bool over;

  /* of one that the program has a handle of */
  gb_comm_registry *registry; /* of `c`, which may be freed once the call is over; or NULL */
  bool keeps[2];              /* these datatypes are its own */
  bool persistent;
  bool active;                 /* begun, and its end not yet told to the program */
  bool listed;                 /* it is in the list of this process */
  gb_handle *previous, *later; /* there */
};

/* Whether a schedule is run, and not MPI's own collective, which is possible if `own`. The first time for
 * which it is, the call is collective: it makes the duplicate. */
bool gb_handle_is_planned(gb_comm *c, const gb_rank_schedule *schedule, bool own);

/* After the arguments have been checked: finds h->schedule for a call on h->c that begins now, of `runs` runs
 * and one more where the call is checked. NULL: MPI's own collective is run. Collective the first times. An
 * error class. */
int gb_handle_plan(gb_handle *h, enum gbcast_operation operation, size_t bytes, int root, unsigned runs);

/* Makes h->run, the next run of the schedule. An error class. */
int gb_handle_run(gb_handle *h);

/* A planned call does not begin on this rank, which fails alone with `code`: poisons the communicator.
 * Returns `code`. */
int gb_handle_refuse(gb_handle *h, int code);

/* Begins the first part. h->comm, start, next and release are set; so are c and schedule, or `own`. */
void gb_handle_begin(gb_handle *h);

/* Waits, and releases what the call holds. The error class, which has gone through the error handler. */
int gb_handle_wait(gb_handle *h);

/* The same for one that is over. */
int gb_handle_release(gb_handle *h);

/* For non-blocking calls: puts the handle in the list, unless it is over, and does all that can be done now,
 * so that data is on its way while the program computes. */
void gb_handle_list(gb_handle *h);

/* Whether it is over; lets all that are in the list get on. */
bool gb_handle_test(gb_handle *h);

/* Lets all calls in the list of this process get on. */
void gb_handle_progress_all(gb_comm_registry *list);

/* Waits for all calls of a communicator that is about to be freed. */
void gb_handle_wait_all(gb_comm *c);

#endif
